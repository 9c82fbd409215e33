"""Endpoints of documents: search, export, reading, metadata, deletion; and of the dataset."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query, Request, Response
from fastapi.responses import StreamingResponse

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.content.output_fields import EXPORTED_FIELDS, add_html_field, parse_fields
from annotarium.domains.documents import reviewing, searching, service, spelling
from annotarium.domains.documents.schemas import (
    Review,
    ReviewState,
    SimpleMetadata,
    SpellingSuggestion,
    UnfinishedDocument,
)
from annotarium.domains.searches import service as searches
from annotarium.http.etags import json_with_etag
from annotarium.http.responses import unvalidated_json_response
from annotarium.http.routing import DomainRouter
from annotarium.search.params import params_from_query, params_from_request
from annotarium_schemas.answers import Ack
from annotarium_schemas.corpus import DocumentRead, Segment
from annotarium_schemas.search import DocumentHits, SearchQuery, SearchRequest

router = DomainRouter(tags=["documents"])

DOCUMENTS: dict[int | str, dict[str, Any]] = {200: {"model": list[DocumentRead]}}
HITS: dict[int | str, dict[str, Any]] = {200: {"model": DocumentHits}}
HTML_VERSION = "Adds `html`: the text as it looked. Its text nodes are the text, so that offsets count in them"
Index = Literal["document", "segment", "term"]
ByQuery = Annotated[SearchQuery, Query()]
HtmlVersion = Annotated[bool, Query(alias="htmlVersion", description=HTML_VERSION)]
OutputFields = Annotated[list[str] | None, Query(alias="outputFields", description="`a,b` or `!a,!b`")]


@router.post("/projects/{project_name}/documents/_search", responses=HITS)
@guarded("useSearch", "seeDocuments", any_of=True, project="read")
def search_documents(call: ProjectCall, query: ByQuery) -> Response:
    """Search documents by query parameters. Callers without `useSearch` may only list them, page by page."""
    found = searching.search_documents(
        call, params_from_query(query), fields=query.output_fields, highlight=query.highlight, html=query.html_version
    )
    return unvalidated_json_response(found)


@router.post("/projects/{project_name}/documents/_do_search", responses=HITS)
@guarded("useSearch", "seeDocuments", any_of=True, project="read")
def do_search_documents(
    call: ProjectCall,
    query: ByQuery,
    body: SearchRequest | None = None,
    saved_search: Annotated[str, Query(alias="savedSearch")] = "",
    default_saved_search: Annotated[bool, Query(alias="defaultSavedSearch")] = False,
) -> Response:
    """Search documents by a JSON body or by query parameters (conflicts 7).

    Values missing from the body come from the named saved search. Without `useSearch` only paged listing is allowed.
    """
    if body is None and (saved_search or default_saved_search):
        body = SearchRequest()
    if body is not None:
        body = searches.merge_saved_search(call, body, "documents", name=saved_search, default=default_saved_search)
    if body is None:
        found = searching.search_documents(
            call,
            params_from_query(query),
            fields=query.output_fields,
            highlight=query.highlight,
            html=query.html_version,
        )
        return unvalidated_json_response(found)
    fields = [body.output.fields] if body.output.fields else []
    found = searching.search_documents(
        call, params_from_request(body), fields=fields, highlight=body.output.highlight, html=query.html_version
    )
    return unvalidated_json_response(found)


@router.post("/projects/{project_name}/documents/_did_you_mean", response_model_exclude_none=True)
@guarded("useSearch", project="read")
def suggest_spelling(
    call: ProjectCall,
    query: Annotated[str, Query(max_length=1_000)] = "",
    simple_query: Annotated[bool, Query(alias="simpleQuery")] = True,
) -> SpellingSuggestion:
    """For a query that finds nothing: the same with words that the documents contain (extension)."""
    return spelling.suggest_spelling(call, query, simple=simple_query)


@router.post("/projects/{project_name}/documents/_similar", responses=HITS)
@guarded("useSearch", project="read")
def similar_documents(
    call: ProjectCall,
    query: ByQuery,
    segid: str = "",
    text: str = "",
    fields: str = "",
    body: SearchRequest | None = None,
) -> Response:
    """Find documents similar to a document (`segid`: the `_id` of a hit) or to a text.

    `fields` selects what is compared: `text`, `title` or both.
    """
    params = params_from_request(body) if body is not None else params_from_query(query)
    found = searching.similar_documents(
        call,
        params,
        identifier=segid,
        text=text,
        compared=fields,
        fields=query.output_fields,
        highlight=body.output.highlight if body is not None else query.highlight,
        html=query.html_version,
    )
    return unvalidated_json_response(found)


@router.get("/projects/{project_name}/documents", response_class=StreamingResponse, responses=DOCUMENTS)
@guarded(project="read")
def export_documents(call: ProjectCall, limit: int = 0, output_fields: OutputFields = None) -> StreamingResponse:
    """Stream all readable documents as one JSON array; `limit` 0 = all."""
    return service.export_documents(call, limit=limit, fields=parse_fields(output_fields, EXPORTED_FIELDS))


@router.post("/projects/{project_name}/documents/_sample", responses=DOCUMENTS)
@guarded(project="read")
def sample_documents(
    call: ProjectCall, sample_size: Annotated[int, Query(alias="sampleSize", ge=0, le=1_000)] = 25
) -> list[dict[str, Any]]:
    """Return a random sample of the readable documents, at most 1000."""
    return service.sample_documents(call, sample_size)


@router.post("/projects/{project_name}/documents/_tag", status_code=204)
@guarded(project="write", versioned=True)
def tag_document(call: ProjectCall, identifier: str, body: SimpleMetadata) -> None:
    """Set or remove a metadata value of a document."""
    service.tag_document(call, identifier, body)


@router.post("/projects/{project_name}/documents/_review")
@guarded(project="write", idempotent=True, versioned=True)
def review_document(call: ProjectCall, identifier: str, body: Review) -> ReviewState:
    """Validate a document, or take its validation back (extension)."""
    return reviewing.review_document(call, identifier, body)


@router.post("/projects/{project_name}/documents/_next_unfinished", response_model_exclude_none=True)
@guarded(project="read")
def next_unfinished_document(call: ProjectCall, identifier: str = "") -> UnfinishedDocument:
    """The next document after this one that is not validated, and how many are (extension)."""
    return reviewing.next_unfinished_document(call, identifier)


@router.get(
    "/projects/{project_name}/dataset",
    tags=["projects"],
    response_class=StreamingResponse,
    responses={200: {"model": list[Segment]}},
)
@guarded(project="read")
def export_dataset(call: ProjectCall) -> StreamingResponse:
    """Stream the segments labelled by people as one JSON array; offsets are relative to the segment's start."""
    return service.export_dataset(call)


@router.get(
    "/projects/{project_name}/documents/{document_id:path}",
    responses={200: {"model": DocumentRead}, 304: {"description": "`If-None-Match` named the document as it is"}},
)
@guarded(project="read")
def read_document(
    call: ProjectCall,
    request: Request,
    document_id: str,
    output_fields: OutputFields = None,
    html_version: HtmlVersion = False,
) -> Response:
    """Read one document; its identifier is percent-encoded in the path."""
    document = service.read_document(call, document_id, add_html_field(parse_fields(output_fields), html_version))
    return json_with_etag(document, request.headers.get("if-none-match"))


@router.post("/projects/{project_name}/documents/{document_id:path}/_index")
@guarded(project="write")
def index_document(call: ProjectCall, document_id: str, indexes: Annotated[list[Index] | None, Query()] = None) -> Ack:
    """Reindex a document and its segments; later searches wait for it."""
    return service.index_document(call, document_id, indexes or ["document"])


@router.delete("/projects/{project_name}/documents/{document_id:path}")
@guarded(project="write", versioned=True)
def delete_document(call: ProjectCall, document_id: str) -> Ack:
    """Delete a document; it can be restored."""
    return service.delete_document(call, document_id)
