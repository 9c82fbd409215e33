"""Endpoints of the suggestions of a project."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.suggestions import service
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack, OperationCount
from annotarium_schemas.modelling import SuggestionsList

router = DomainRouter(tags=["suggestions"])


@router.get("/projects/{project_name}/suggestions", responses={200: {"model": SuggestionsList}})
@guarded(project="read")
def list_suggestions(
    call: ProjectCall,
    from_: Annotated[int, Query(alias="from", ge=0)] = 0,
    size: Annotated[int, Query(ge=0, le=500)] = 25,
    sort: str = "sampling",
    filter_: Annotated[str, Query(alias="filter")] = "",
    facet: bool = False,
    html_version: Annotated[bool, Query(alias="htmlVersion")] = False,
) -> dict[str, Any]:
    """Open suggestions, page by page."""
    return service.list_suggestions(
        call, from_=from_, size=size, sort=sort, filter_=filter_, facets=facet, html=html_version
    )


@router.post("/projects/{project_name}/suggestions/_clear")
@guarded(project="write")
def clear_suggestions(call: ProjectCall) -> OperationCount:
    """Delete all suggestions."""
    return service.clear_suggestions(call)


@router.delete("/projects/{project_name}/suggestions/{suggestion_id}")
@guarded(project="write")
def skip_suggestion(call: ProjectCall, suggestion_id: str) -> Ack:
    """Skip a suggestion."""
    return service.skip_suggestion(call, suggestion_id)
