"""Endpoints of the saved searches of a project (not part of the published API)."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.searches import service
from annotarium.domains.searches.schemas import SavedSearchCreate, SavedSearchPatch, SavedSearchRead, SearchKind
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["searches"])


@router.get("/projects/{project_name}/saved_searches")
@guarded("useSearch", project="read")
def list_saved_searches(call: ProjectCall, kind: SearchKind | None = None) -> list[SavedSearchRead]:
    """The caller's own and the shared saved searches, ordered by label."""
    return service.list_searches(call, kind)


@router.post("/projects/{project_name}/saved_searches")
@guarded("useSearch", project="read", write=True)
def save_search(call: ProjectCall, body: SavedSearchCreate) -> SavedSearchRead:
    """Save a search; sharing it needs write access to the project."""
    return service.save_search(call, body)


@router.patch("/projects/{project_name}/saved_searches/{search_name}")
@guarded("useSearch", project="read", write=True)
def change_saved_search(call: ProjectCall, search_name: str, body: SavedSearchPatch) -> SavedSearchRead:
    """Change a saved search: for its owner; if shared, also for users who may change the project's settings."""
    return service.change_search(call, search_name, body)


@router.delete("/projects/{project_name}/saved_searches/{search_name}", status_code=204)
@guarded("useSearch", project="read", write=True)
def delete_saved_search(call: ProjectCall, search_name: str) -> None:
    """Delete a saved search."""
    service.delete_search(call, search_name)
