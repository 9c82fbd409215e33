"""Questions answered from the segments that a search finds.

The search parameters, the context and the answer come from the components of the project's active plans, else from the
installation's defaults. They run in a helper process (`search/answer_process.py`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.plans.active import find_active
from annotarium.content.plans.plan_types import SEARCH_PARAMS
from annotarium.content.plans.question_answering import (
    ComponentChoice,
    QuestionAnsweringSetup,
    question_answering_setup,
)
from annotarium.domains.segments import repository, service
from annotarium.domains.segments.answer_run import AnswerRun, component_request
from annotarium.domains.segments.answer_serializers import passages_to_json
from annotarium.domains.segments.answer_slots import get_answer_slots
from annotarium.domains.segments.answering import search_passages
from annotarium.domains.segments.background_answers import start_answer
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium.search.answer_client import get_answer_client
from annotarium.search.index_entries import parse_segment_id
from annotarium.search.params import SearchParams
from annotarium.search.search_defaults import default_of_request, with_defaults
from annotarium_plugins.base.follow_up import Turn
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_schemas.messages import message
from annotarium_schemas.search import SearchRequest

MAX_QUESTION = 2_000
"""Maximum length of a question in code points."""
_MAX_NEIGHBOURS = 20


@dataclass(frozen=True)
class QuestionRequest:
    """How a question is answered.

    Attributes:
        text: the question.
        answerer: name of a component or plan, see `question_answering_setup`.
        context_only: build the context, but no answer.
        language: of the answer; empty = that of the project.
        history: the questions asked before in the same conversation with their answers, oldest first.
    """

    text: str
    answerer: str = ""
    context_only: bool = False
    language: str = ""
    history: tuple[Turn, ...] = ()


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
        history=tuple(Turn(turn.question, turn.answer) for turn in wanted.history),
    )


def answer_question(
    call: ProjectCall,
    params: SearchParams,
    question: QuestionRequest,
    *,
    later: bool = False,
    html: bool = False,
    **shown: Any,
) -> dict[str, Any]:
    """`SegmentHits` of the search that the question leads to, with `answer`, `context` and `answerDetails`.

    The filters, the page and the search type (if it is not full text) are those of `params`; the query is that of the
    search parameter builder. An answerer that fails does not prevent the result: `answerDetails` has the error.

    Args:
        later: do not wait for the answer; it follows in live events, see `background_answers`.
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
    with ExitStack() as slot:
        slot.enter_context(get_answer_slots().slot(call.username))
        found, built = _search(call, params, setup, replace(question, text=text), html=html, **shown)
        call.session.close()  # nothing below needs the database: a slow answerer must not hold a transaction
        if question.context_only:
            return found
        request = _spoken(question, text) | {"language": question.language or call.project.lang} | built
        facts = {
            "resultID": found["resultID"],
            "question": text,
            "passages": passages_to_json(built["passages"]),
            "context": built["context"],
            "answerer": setup.question_answerer.name,
        }
        run = AnswerRun(setup.question_answerer, request, facts, begin, time.monotonic())
        if later:
            details = start_answer(call, run, slot)
        else:
            *_, details = (state for state in run.states() if state is not None)
    return found | {"answer": details["text"], "answerDetails": details}


def _spoken(question: QuestionRequest, text: str) -> dict[str, Any]:
    return {"question": text, "history": [asdict(turn) for turn in question.history]}


def _search(
    call: ProjectCall,
    params: SearchParams,
    setup: QuestionAnsweringSetup,
    question: QuestionRequest,
    *,
    html: bool,
    **shown: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the hits with the context, and the context with its passages."""
    spoken = _spoken(question, question.text)
    search = run_component(
        setup.search_params_builder, "searchParamsBuilder", "search", **spoken, language=call.project.lang
    )
    derived = derived_search(call, *_with_project_default(call, params, search))
    found = service.search_segments(call, derived, html=html, configured=True, **shown)
    passages = [asdict(one) for one in _passages(call, derived, search["size"], setup.rag_context_builder)]
    builder = setup.rag_context_builder
    built = run_component(builder, "ragContextBuilder", "context", question=question.text, passages=passages)
    return found | {"context": built["context"]}, built


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
        invert=False,
        sort="",
        by_default=False,
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
    return get_answer_client().first(component_request(component, kind, operation) | values)
