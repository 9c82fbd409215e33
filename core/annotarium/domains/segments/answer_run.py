"""An answer while its answerer computes it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from annotarium.content.plans.question_answering import ComponentChoice
from annotarium.domains.segments.answer_serializers import answer_to_json, error_to_json
from annotarium.errors import AnnotariumError
from annotarium.search.answer_client import ANSWER_SECONDS, get_answer_client

NO_ANSWER: dict[str, Any] = {"text": "", "told": True, "supported": True}


@dataclass(frozen=True)
class AnswerRun:
    """An answerer with its request.

    Attributes:
        facts: the fields of `AnswerRead` that do not depend on the answer.
        begin, searched: when the question arrived and when the passages were found, monotonic seconds.
    """

    answerer: ComponentChoice
    request: dict[str, Any]
    facts: dict[str, Any]
    begin: float
    searched: float

    def first_state(self) -> dict[str, Any]:
        """`AnswerRead` before the first word."""
        return self._state("running", NO_ANSWER, None, None)

    def states(self, tick: float = ANSWER_SECONDS) -> Iterator[dict[str, Any] | None]:
        """Yield `AnswerRead` as it grows; the last one is done or failed. None: nothing came for `tick` seconds."""
        answer, first = NO_ANSWER, None
        request = component_request(self.answerer, "questionAnswerer", "answer") | self.request
        try:
            with closing(get_answer_client().results(request, tick=tick)) as items:
                for item in items:
                    if item is None:
                        yield None
                        continue
                    answer, first = item, first or time.monotonic()
                    yield self._state("running", answer, first, None)
        except AnnotariumError as failure:
            yield self._state("failed", answer, first, error_to_json(failure))
            return
        yield self._state("done", answer, first, None)

    def _state(
        self, status: str, answer: dict[str, Any], first: float | None, error: dict[str, Any] | None
    ) -> dict[str, Any]:
        milliseconds = {
            "search": _milliseconds(self.begin, self.searched),
            "first": None if first is None else _milliseconds(self.begin, first),
            "total": _milliseconds(self.begin, time.monotonic()),
        }
        return self.facts | {"status": status, "error": error, "milliseconds": milliseconds} | answer_to_json(answer)


def component_request(component: ComponentChoice, kind: str, operation: str) -> dict[str, Any]:
    """The request of an operation to the helper process."""
    return {"kind": kind, "name": component.name, "parameters": component.parameters, "operation": operation}


def _milliseconds(begin: float, end: float) -> float:
    return round((end - begin) * 1000, 1)
