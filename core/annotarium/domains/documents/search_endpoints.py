"""Searches of documents; their router is part of the domain's."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Query, Response

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.documents import searching
from annotarium.domains.searches import service as searches
from annotarium.http.query_params import query_model, query_openapi
from annotarium.http.responses import plain_json
from annotarium.http.routing import DomainRouter
from annotarium.search.params import params_from_query, params_from_request
from annotarium_schemas.search import DocumentHits, SearchQuery, SearchRequest

router = DomainRouter(tags=["documents"])
HITS: dict[int | str, dict[str, Any]] = {200: {"model": DocumentHits}}
ByQuery = Annotated[SearchQuery, Depends(query_model(SearchQuery))]
BY_QUERY: dict[str, Any] = {"openapi_extra": query_openapi(SearchQuery)}


@router.post("/projects/{project_name}/documents/_search", responses=HITS, **BY_QUERY)
@guarded("useSearch", "seeDocuments", any_of=True, project="read")
def search_documents(call: ProjectCall, query: ByQuery) -> Response:
    """Search documents, asked in query parameters. Who may see documents but not search lists them, page by page."""
    found = searching.search_documents(
        call, params_from_query(query), fields=query.output_fields, highlight=query.highlight, html=query.html_version
    )
    return plain_json(found)


@router.post("/projects/{project_name}/documents/_do_search", responses=HITS, **BY_QUERY)
@guarded("useSearch", "seeDocuments", any_of=True, project="read")
def do_search_documents(
    call: ProjectCall,
    query: ByQuery,
    body: SearchRequest | None = None,
    saved_search: Annotated[str, Query(alias="savedSearch")] = "",
    default_saved_search: Annotated[bool, Query(alias="defaultSavedSearch")] = False,
) -> Response:
    """Search documents, asked in JSON or in query parameters (conflicts 7).

    What a body does not say comes from a saved search, if one is named. Without the right to search: a plain list.
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
        return plain_json(found)
    fields = [body.output.fields] if body.output.fields else []
    found = searching.search_documents(
        call, params_from_request(body), fields=fields, highlight=body.output.highlight, html=query.html_version
    )
    return plain_json(found)


@router.post("/projects/{project_name}/documents/_similar", responses=HITS, **BY_QUERY)
@guarded("useSearch", project="read")
def similar_documents(
    call: ProjectCall,
    query: ByQuery,
    segid: str = "",
    text: str = "",
    fields: str = "",
    body: SearchRequest | None = None,
) -> Response:
    """Documents like a given one (`segid`: the `_id` of a hit) or like a text. `fields`: `text`, `title` or both."""
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
    return plain_json(found)
