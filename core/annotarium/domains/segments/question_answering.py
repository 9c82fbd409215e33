"""Questions answered from the segments that a search finds.

The search parameters, the context and the answer come from the components of the project's active plans, else from the
installation's defaults. They run in a helper process (`search/answer_process.py`).
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.plans.active import find_active
from annotarium.content.plans.plan_types import SEARCH_PARAMS
from annotarium.content.plans.question_answering import ComponentChoice, question_answering_setup
from annotarium.domains.segments import repository, service
from annotarium.domains.segments.answering import search_passages
from annotarium.errors import AnnotariumError, InvalidInput, TooManyRequests
from annotarium.registry import get_registry
from annotarium.search.answer_client import get_answer_client
from annotarium.search.index_entries import parse_segment_id
from annotarium.search.params import SearchParams
from annotarium.search.search_defaults import default_of_request, with_defaults
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_schemas.messages import message
from annotarium_schemas.search import SearchRequest

MAX_QUESTION = 2_000
"""Maximum length of a question in code points."""
ANSWERS_PER_USER, ANSWERS_AT_ONCE, MAX_WAITING = 2, 16, 8
"""Answers in progress in a process: of one user, of all users; and how many more may wait for one to end."""
WAIT_SECONDS = 20.0
_MAX_NEIGHBOURS = 20


@dataclass(frozen=True)
class QuestionRequest:
    """How a question is answered.

    Attributes:
        text: the question.
        answerer: name of a component or plan, see `question_answering_setup`.
        context_only: build the context, but no answer.
        language: of the answer; empty = that of the project.
    """

    text: str
    answerer: str = ""
    context_only: bool = False
    language: str = ""


def question_in_request(request: SearchRequest) -> QuestionRequest | None:
    """Return the question of a JSON request, None if it requests neither an answer nor a context.

    Raises:
        InvalidInput: it requests a form that answers do not have.
    """
    wanted = request.question_answering
    if wanted is None or not (wanted.enabled or wanted.context or wanted.context_only or wanted.generator):
        return None
    if wanted.html:
        problem = message("wrong.htmlAnswer", "Answers are plain text")
        fix = message("fix.htmlAnswer", "Omit questionAnswering.html")
        details = [{"field": "questionAnswering.html", "message": problem}]
        raise InvalidInput(problem, fix=fix, details=details)
    return QuestionRequest(
        wanted.query.strip() or request.search.query,
        wanted.generator,
        context_only=wanted.context_only or not (wanted.enabled or wanted.generator),
        language=wanted.answer_language,
    )


def answer_question(
    call: ProjectCall, params: SearchParams, question: QuestionRequest, *, html: bool = False, **shown: Any
) -> dict[str, Any]:
    """`SegmentHits` of the search that the question leads to, with `answer`, `context` and `answerDetails`.

    The filters, the page and the search type (if it is not full text) are those of `params`; the query is that of the
    search parameter builder. An answerer that fails does not prevent the result: `answerDetails` has the error.

    Args:
        html, shown: see `service.search_segments`.

    Raises:
        InvalidInput: no question, or one that is too long; unknown answerer; a plan that cannot run.
        AccessDenied: the caller may not search, or not use the answerer.
        TooManyRequests: too many answers are in progress.
    """
    begin = time.monotonic()
    call.access.require("useSearch")
    text = _checked_question(question.text)
    setup = question_answering_setup(call.session, call.project, question.answerer)
    require_answerer(call, setup.question_answerer, question.answerer)
    language = call.project.lang
    with get_answer_slots().slot(call.username):
        search = run_component(
            setup.search_params_builder, "searchParamsBuilder", "search", question=text, language=language
        )
        derived = derived_search(call, *_with_project_default(call, params, search))
        found = service.search_segments(call, derived, html=html, configured=True, **shown)
        passages = _passages(call, derived, search["size"], setup.rag_context_builder)
        built = run_component(
            setup.rag_context_builder,
            "ragContextBuilder",
            "context",
            question=text,
            passages=[asdict(one) for one in passages],
        )
        call.session.close()  # nothing below needs the database: a slow answerer must not hold a transaction
        searched = time.monotonic()
        found["context"] = built["context"]
        if question.context_only:
            return found
        request = {"question": text, "language": question.language or language} | built
        answer, error, first = _answer(setup.question_answerer, request)
    found["answer"] = answer["text"]
    found["answerDetails"] = {
        "resultID": found["resultID"],
        "question": text,
        "status": "failed" if error is not None else "done",
        "passages": _passages_to_json(built["passages"]),
        "context": built["context"],
        "answerer": setup.question_answerer.name,
        "error": error,
        "milliseconds": {
            "search": _milliseconds(begin, searched),
            "first": None if first is None else _milliseconds(begin, first),
            "total": _milliseconds(begin, time.monotonic()),
        },
    } | _answer_to_json(answer)
    return found


class AnswerSlots:
    """Limits the answers that this process computes at once, so that nobody can occupy all of its threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: Counter[str] = Counter()
        self._waiting = 0

    @contextmanager
    def slot(self, username: str, seconds: float = WAIT_SECONDS) -> Iterator[None]:
        """Count an answer of a user while the body runs; wait up to `seconds` while `ANSWERS_AT_ONCE` are running.

        Raises:
            TooManyRequests: the user has `ANSWERS_PER_USER` already, or too many others wait.
        """
        self._enter(username, seconds)
        try:
            yield
        finally:
            with self._changed:
                self._running[username] -= 1
                if not self._running[username]:
                    del self._running[username]
                self._changed.notify()

    def _enter(self, username: str, seconds: float) -> None:
        with self._changed:
            if self._running[username] >= ANSWERS_PER_USER:
                raise _too_many(message("limit.answers", "You are waiting for two answers already"))
            busy = message("limit.allAnswers", "Too many questions are being answered")
            if self._is_full():
                if self._waiting >= MAX_WAITING:
                    raise _too_many(busy)
                self._waiting += 1
                try:
                    if not self._changed.wait_for(lambda: not self._is_full(), seconds):
                        raise _too_many(busy)
                finally:
                    self._waiting -= 1
                if self._running[username] >= ANSWERS_PER_USER:
                    raise _too_many(message("limit.answers", "You are waiting for two answers already"))
            self._running[username] += 1

    def _is_full(self) -> bool:
        return self._running.total() >= ANSWERS_AT_ONCE


@lru_cache(maxsize=1)
def get_answer_slots() -> AnswerSlots:
    """Return the slots of this process."""
    return AnswerSlots()


def _too_many(text: str) -> TooManyRequests:
    refused = TooManyRequests(text, fix=message("fix.answers", "Wait until an answer is complete, then ask again"))
    refused.retry_after = 2
    return refused


def _checked_question(text: str) -> str:
    text = text.strip()
    problem = None
    if not text:
        problem = message("wrong.noQuestion", "There is no question to answer")
    elif len(text) > MAX_QUESTION:
        problem = message(
            "wrong.longQuestion", "A question has at most {most:,} characters, this one {size:,}", most=MAX_QUESTION,
            size=len(text),
        )  # fmt: skip
    if problem is not None:
        raise InvalidInput(problem, details=[{"field": "query", "message": problem}])
    return text


def require_answerer(call: ProjectCall, answerer: ComponentChoice, name: str) -> None:
    """Everyone who may search may use the answerer of the project; another one needs its permission."""
    if name and answerer.name != question_answering_setup(call.session, call.project).question_answerer.name:
        call.access.require(get_registry().permission("questionAnswerer", answerer.name))


def _with_project_default(
    call: ProjectCall, params: SearchParams, built: dict[str, Any]
) -> tuple[SearchParams, dict[str, Any]]:
    """Apply the project's default of searching, unless the request or an active plan says how to search."""
    asked = replace(params, query=params.query or built["query"])
    found = default_of_request(call.session, call.access, call.project, asked)
    if found is None or find_active(call.session, call.project.id, SEARCH_PARAMS) is not None:
        return params, built
    search = replace(with_defaults(params, found), search_type="text", by_default=False)
    return search, built | {"type": found.search_type, "reranker": found.reranker}


def derived_search(call: ProjectCall, params: SearchParams, built: dict[str, Any]) -> SearchParams:
    """Return the search that a search parameter builder (its result is `built`) makes of the search of a request."""
    search_type = params.search_type if params.search_type != "text" else built["type"]
    if search_type == "hybrid" and params.search_type == "text" and not call.access.can("useHybridSearch"):
        search_type = "text"
    filters = [one for one in (params.query_filter.strip(), built["query_filter"].strip()) if one]
    return replace(
        params,
        query=built["query"],
        simple=True,
        vector_query=params.vector_query,
        search_type=search_type,
        query_filter=" ".join(f"+({one})" for one in filters) if len(filters) > 1 else "".join(filters),
        reranker=params.reranker or built["reranker"],
        by_default=False,
        invert=False,
        sort="",
    )


def _passages(
    call: ProjectCall, params: SearchParams, size: int, context_builder: ComponentChoice
) -> Sequence[Passage]:
    plain = replace(params, from_=0, size=size, facets=False, histograms=(), facet_names=())
    passages = search_passages(call, plain)
    count = min(run_component(context_builder, "ragContextBuilder", "neighbours"), _MAX_NEIGHBOURS)
    return _with_neighbours(call, passages, count) if count and passages else passages


def _with_neighbours(call: ProjectCall, passages: Sequence[Passage], count: int) -> list[Passage]:
    """Return the passages with the text of up to `count` segments on each side."""
    keys = [key for one in passages if (key := parse_segment_id(one.segment_id))]
    ranges = [(key[0], one.start, one.end) for key, one in zip(keys, passages, strict=True)]
    near = repository.neighbours_of_ranges(call, ranges, before=count, after=count)
    last = [(document, max(after)) for (document, _, _), (_, after) in zip(ranges, near, strict=True) if after]
    ends = {key: state.end for key, state in repository.load_segments(call, last, labelling=False).items()}
    extended = []
    for passage, (document, start, end), (before, after) in zip(passages, ranges, near, strict=True):
        first = min(before, default=start)
        stop = ends.get((document, max(after)), end) if after else end
        text = repository.document_slice(call, document, first, stop)
        extended.append(replace(passage, before=text[: start - first], after=text[end - first :]))
    return extended


def run_component(component: ComponentChoice, kind: str, operation: str, **values: Any) -> Any:
    """Return the first result of an operation of a component; see `answer_process`."""
    return get_answer_client().first(_request(component, kind, operation) | values)


def _request(component: ComponentChoice, kind: str, operation: str) -> dict[str, Any]:
    return {"kind": kind, "name": component.name, "parameters": component.parameters, "operation": operation}


def _answer(
    answerer: ComponentChoice, request: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any] | None, float | None]:
    """Return the answer so far, the error that ended it, and when its first words came (monotonic seconds)."""
    answer: dict[str, Any] = {"text": "", "told": True, "supported": True}
    first = error = None
    try:
        with closing(get_answer_client().results(_request(answerer, "questionAnswerer", "answer") | request)) as items:
            for item in items:
                answer, first = item, first or time.monotonic()
    except AnnotariumError as failure:
        error = {"code": failure.error, "message": failure.message, "cause": failure.cause, "fix": failure.fix}
    return answer, error, first


def _answer_to_json(answer: dict[str, Any]) -> dict[str, Any]:
    usage = answer.get("usage") or {}
    return {
        "text": answer["text"],
        "told": answer["told"],
        "supported": answer["supported"],
        "unsupported": [{"start": start, "end": end} for start, end in answer.get("unsupported", ())],
        "citations": [_citation_to_json(one) for one in answer.get("citations", ())],
        "model": answer.get("model", ""),
        "score": answer.get("score", 0.0),
        "usage": {
            "promptTokens": usage.get("prompt_tokens", 0),
            "answerTokens": usage.get("answer_tokens", 0),
            "cost": usage.get("cost", 0.0),
        },
    }


def _citation_to_json(citation: dict[str, Any]) -> dict[str, Any]:
    same = {name: citation[name] for name in ("passage", "start", "end", "quote")}
    return same | {"answerStart": citation["answer_start"], "answerEnd": citation["answer_end"]}


def _passages_to_json(passages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "segmentId": one["segment_id"],
            "documentIdentifier": one["document_id"],
            "documentTitle": one["title"],
        }
        | {name: one[name] for name in ("start", "end", "text", "score")}
        for number, one in enumerate(passages, 1)
    ]


def _milliseconds(begin: float, end: float) -> float:
    return round((end - begin) * 1000, 1)
