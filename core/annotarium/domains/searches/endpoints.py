"""Saved searches of a project (ours)."""

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
    """The caller's own searches and the shared ones, by label."""
    return service.list_searches(call, kind)


@router.post("/projects/{project_name}/saved_searches")
@guarded("useSearch", project="read", write=True)
def save_search(call: ProjectCall, body: SavedSearchCreate) -> SavedSearchRead:
    """Keep a search; sharing it needs write access to the project."""
    return service.save_search(call, body)


@router.patch("/projects/{project_name}/saved_searches/{search_name}")
@guarded("useSearch", project="read", write=True)
def change_saved_search(call: ProjectCall, search_name: str, body: SavedSearchPatch) -> SavedSearchRead:
    """Change a saved search: its owner may, and of a shared one whoever changes the project's settings."""
    return service.change_search(call, search_name, body)


@router.delete("/projects/{project_name}/saved_searches/{search_name}", status_code=204)
@guarded("useSearch", project="read", write=True)
def delete_saved_search(call: ProjectCall, search_name: str) -> None:
    """Forget a saved search."""
    service.delete_search(call, search_name)
