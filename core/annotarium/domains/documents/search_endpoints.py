"""Searches of documents; their router is part of the domain's."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.access.routing import Operations
from annotarium.domains.documents import searching
from annotarium.domains.searches import service as searches
from annotarium.search.request import asked_by_query, asked_by_request
from annotarium_schemas.search import DocumentHits, SearchQuery, SearchRequest

router = Operations(tags=["documents"])
HITS: dict[int | str, dict[str, Any]] = {200: {"model": DocumentHits}}


@router.post("/projects/{project_name}/documents/_search", responses=HITS)
@guarded("useSearch", project="read")
def search_documents(call: ProjectCall, query: Annotated[SearchQuery, Query()]) -> dict[str, Any]:
    """Search documents, asked in query parameters."""
    return searching.search_documents(
        call, asked_by_query(query), fields=query.output_fields, highlight=query.highlight, html=query.html_version
    )


@router.post("/projects/{project_name}/documents/_do_search", responses=HITS)
@guarded("useSearch", project="read")
def do_search_documents(
    call: ProjectCall,
    query: Annotated[SearchQuery, Query()],
    body: SearchRequest | None = None,
    saved_search: Annotated[str, Query(alias="savedSearch")] = "",
    default_saved_search: Annotated[bool, Query(alias="defaultSavedSearch")] = False,
) -> dict[str, Any]:
    """Search documents, asked in JSON or in query parameters (conflicts 7).

    What a body does not say comes from a saved search, if one is named.
    """
    if body is None and (saved_search or default_saved_search):
        body = SearchRequest()
    if body is not None:
        body = searches.with_saved(call, body, "documents", name=saved_search, default=default_saved_search)
    if body is None:
        return searching.search_documents(
            call,
            asked_by_query(query),
            fields=query.output_fields,
            highlight=query.highlight,
            html=query.html_version,
        )
    fields = [body.output.fields] if body.output.fields else []
    return searching.search_documents(
        call, asked_by_request(body), fields=fields, highlight=body.output.highlight, html=query.html_version
    )


@router.post("/projects/{project_name}/documents/_similar", responses=HITS)
@guarded("useSearch", project="read")
def similar_documents(
    call: ProjectCall,
    query: Annotated[SearchQuery, Query()],
    segid: str = "",
    text: str = "",
    fields: str = "",
    body: SearchRequest | None = None,
) -> dict[str, Any]:
    """Documents like a given one (`segid`: the `_id` of a hit) or like a text. `fields`: `text`, `title` or both."""
    asked = asked_by_request(body) if body is not None else asked_by_query(query)
    return searching.similar_documents(
        call,
        asked,
        identifier=segid,
        text=text,
        compared=fields,
        fields=query.output_fields,
        highlight=body.output.highlight if body is not None else query.highlight,
        html=query.html_version,
    )
