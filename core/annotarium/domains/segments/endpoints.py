"""Endpoints of segments: search, similar segments, context."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query, Response

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.searches import service as searches
from annotarium.domains.segments import service, vector_endpoints
from annotarium.domains.segments.question_answering import QuestionRequest, answer_question, question_in_request
from annotarium.http.responses import unvalidated_json_response
from annotarium.http.routing import DomainRouter
from annotarium.search.params import params_from_query, params_from_request
from annotarium_schemas.corpus import SegmentContexts
from annotarium_schemas.search import SearchRequest, SegmentHits, SegmentSearchQuery

router = DomainRouter(tags=["segments"], routes=vector_endpoints.router.routes)
HITS: dict[int | str, dict[str, Any]] = {200: {"model": SegmentHits}}
ByQuery = Annotated[SegmentSearchQuery, Query()]


@router.post("/projects/{project_name}/segments/_search", responses=HITS)
@guarded("useSearch", "seeExplore", any_of=True, project="read")
def search_segments(call: ProjectCall, query: ByQuery) -> Response:
    """Search segments with query parameters. Users who may explore but not search can list them page by page.

    With `answerQuestion`, the query is a question, and the response has its answer; with `asyncAnswer` the answer
    follows in live events `answer`.
    """
    params, fields = params_from_query(query, answering=True), query.output_fields
    if query.answer_question or query.answerer:
        question = QuestionRequest(query.query, query.answerer)
        output: dict[str, Any] = {"with_highlights": query.highlight, "fields": fields, "html": query.html_version}
        found = answer_question(call, params, question, later=query.async_answer, **output)
        return unvalidated_json_response(found)
    found = service.search_segments(
        call, params, with_highlights=query.highlight, fields=fields, html=query.html_version
    )
    return unvalidated_json_response(found)


@router.post("/projects/{project_name}/segments/_do_search", responses=HITS)
@guarded("useSearch", "seeExplore", any_of=True, project="read")
def do_search_segments(
    call: ProjectCall,
    body: SearchRequest,
    saved_search: Annotated[str, Query(alias="savedSearch")] = "",
    default_saved_search: Annotated[bool, Query(alias="defaultSavedSearch")] = False,
    html_version: Annotated[bool, Query(alias="htmlVersion")] = False,
    async_answer: Annotated[bool, Query(alias="asyncAnswer")] = False,
) -> Response:
    """Search segments with a JSON body. Parameters missing in the body are taken from a saved search, if one is given.

    With `questionAnswering.enabled`, the response has the answer to the question; with `asyncAnswer` the answer follows
    in live events `answer`.
    """
    body = searches.merge_saved_search(call, body, "segments", name=saved_search, default=default_saved_search)
    params, fields, highlight = (
        params_from_request(body, answering=True),
        [body.output.fields or ""],
        body.output.highlight,
    )
    question = question_in_request(body)
    if question is not None:
        output: dict[str, Any] = {"with_highlights": highlight, "fields": fields, "html": html_version}
        found = answer_question(call, params, question, later=async_answer, **output)
        return unvalidated_json_response(found)
    found = service.search_segments(call, params, with_highlights=highlight, fields=fields, html=html_version)
    return unvalidated_json_response(found)


@router.post("/projects/{project_name}/segments/_similar", responses=HITS)
@guarded("useSearch", project="read")
def similar_segments(
    call: ProjectCall,
    query: ByQuery,
    segid: str = "",
    text: str = "",
    fields: str = "",
    body: SearchRequest | None = None,
) -> Response:
    """Segments similar to a segment or a text; query parameters or JSON. `fields`: `text`, `title` or both."""
    params = params_from_request(body) if body is not None else params_from_query(query)
    highlight = body.output.highlight if body is not None else query.highlight
    compared = fields or (body.output.fields if body is not None else None) or ""
    found = service.similar_segments(
        call,
        params,
        segment=segid,
        text=text,
        fields=compared,
        with_highlights=highlight,
        output=query.output_fields,
        html=query.html_version,
    )
    return unvalidated_json_response(found)


@router.post("/projects/{project_name}/segments/_context", responses={200: {"model": SegmentContexts}})
@guarded(project="read")
def segment_context(
    call: ProjectCall,
    document_identifier: Annotated[str, Query(alias="documentIdentifier")],
    segment_start: Annotated[int, Query(alias="segmentStart", ge=0)],
    from_before: Annotated[int, Query(alias="fromBefore", ge=0)] = 0,
    size_before: Annotated[int, Query(alias="sizeBefore", ge=-1, le=service.MAX_CONTEXT)] = 1,
    from_after: Annotated[int, Query(alias="fromAfter", ge=0)] = 0,
    size_after: Annotated[int, Query(alias="sizeAfter", ge=-1, le=service.MAX_CONTEXT)] = 1,
    context_output: Annotated[Literal["segments", "merged_segments", "all"], Query(alias="contextOutput")] = "segments",
    include_annotations: Annotated[bool, Query(alias="includeAnnotations")] = False,
    html_version: Annotated[bool, Query(alias="htmlVersion")] = False,
) -> dict[str, Any]:
    """Segments before and after a segment; a size of -1 means all of that side."""
    return service.context(
        call,
        document=document_identifier,
        start=segment_start,
        before=(from_before, size_before),
        after=(from_after, size_after),
        output=context_output,
        annotations=include_annotations,
        html=html_version,
    )
