"""Process that runs the components that answer questions: `python -m annotarium.server.launch answers`.

Started by `answer_client`. Requests and responses are lines of JSON with an `id`. A request names a component and an
operation; its responses are any number of `item` lines, then one `end` or `error` line. `{"id": ..., "stop": true}`
ends a request early. Requests run in threads. The process ends after a time without requests.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import IO, Any, cast

import orjson
import structlog

from annotarium.errors import AnnotariumError
from annotarium.registry.registry import get_registry
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.follow_up import Turn
from annotarium_plugins.base.question_answerer import QuestionAnswerer
from annotarium_plugins.base.rag_context_builder import Passage, RagContextBuilder
from annotarium_plugins.base.reranker import Reranker
from annotarium_plugins.base.search_params_builder import SearchParamsBuilder

log = structlog.get_logger(__name__)
IDLE_SECONDS = 600.0
_MAX_BUILT = 16
"""Number of components that stay built."""


@lru_cache(maxsize=_MAX_BUILT)
def _component(kind: str, name: str, parameters: bytes) -> Any:
    return get_registry().build(kind, name, orjson.loads(parameters))


def run_operation(request: dict[str, Any]) -> Iterator[Any]:
    """Yield the results of a request; all operations but `answer` and `neighbours` have exactly one."""
    parameters = orjson.dumps(request.get("parameters") or {}, option=orjson.OPT_SORT_KEYS)
    component = _component(request["kind"], request["name"], parameters)
    question, language = request.get("question", ""), request.get("language", "")
    passages = [Passage(**one) for one in request.get("passages", ())]
    operation = request["operation"]
    if operation == "search":
        builder = cast(SearchParamsBuilder[Any], component)
        turns = _turns_of(request)
        found = builder.build_follow_up(turns, question, language) if turns else builder.build(question, language)
        yield asdict(found)
    elif operation == "rerank":
        yield cast(Reranker[Any], component).rerank(question, passages, language)
    elif operation == "neighbours":
        yield cast(RagContextBuilder[Any], component).neighbours()
    elif operation == "context":
        context, passages = cast(RagContextBuilder[Any], component).build(question, passages)
        yield {"context": context, "passages": [asdict(one) for one in passages]}
    else:
        answerer = cast(QuestionAnswerer[Any], component)
        turns, given = _turns_of(request), (question, request["context"], passages, language)
        answers = answerer.stream_follow_up(turns, *given) if turns else answerer.stream(*given)
        for answer in answers:
            yield asdict(answer)


def _turns_of(request: dict[str, Any]) -> list[Turn]:
    return [Turn(**one) for one in request.get("history", ())]


class _Server:
    def __init__(self, answers: IO[bytes]) -> None:
        self._answers, self._lock = answers, threading.Lock()
        self._stopped: set[str] = set()
        self.running: set[str] = set()

    def start(self, request: dict[str, Any]) -> None:
        if request.get("stop"):
            if request["id"] in self.running:
                self._stopped.add(request["id"])
            return
        self.running.add(request["id"])
        threading.Thread(target=self._run, args=(request,), daemon=True).start()

    def _run(self, request: dict[str, Any]) -> None:
        key = request["id"]
        try:
            for item in run_operation(request):
                if key in self._stopped:
                    break
                self._write({"id": key, "item": item})
            self._write({"id": key, "end": True})
        except (AnnotariumError, ComponentError) as error:
            problem = {"message": error.message, "cause": error.cause, "fix": error.fix}
            self._write({"id": key, "error": problem})
        except Exception as error:
            log.exception("component_failed", operation=request.get("operation"), component=request.get("name"))
            problem = {"message": "The component failed", "cause": f"{type(error).__name__}: {error}", "fix": None}
            self._write({"id": key, "error": problem})
        finally:
            self.running.discard(key)
            self._stopped.discard(key)

    def _write(self, response: dict[str, Any]) -> None:
        line = orjson.dumps(response) + b"\n"
        with self._lock:
            self._answers.write(line)
            self._answers.flush()


def serve_answers(requests: IO[bytes], answers: IO[bytes], idle_seconds: float = IDLE_SECONDS) -> None:
    """Respond to requests until the input ends or there was none for `idle_seconds`."""
    server, buffer = _Server(answers), b""
    last = time.monotonic()
    while True:
        if not select.select([requests], [], [], idle_seconds)[0]:
            if not server.running and time.monotonic() - last >= idle_seconds:
                return
            continue
        part = os.read(requests.fileno(), 1 << 16)
        if not part:
            return
        last = time.monotonic()
        *lines, buffer = (buffer + part).split(b"\n")
        for line in lines:
            server.start(orjson.loads(line))


def main() -> None:
    """Serve on standard input and output."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # printed text must not be taken for a response
    serve_answers(os.fdopen(sys.stdin.fileno(), "rb", buffering=0), answers)
