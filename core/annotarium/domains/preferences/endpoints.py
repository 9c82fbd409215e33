"""Endpoints for the caller's preferences in a project (not part of the published API)."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.preferences import service
from annotarium.domains.preferences.schemas import Preferences
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["projects"])


@router.get("/projects/{project_name}/_preferences", response_model_exclude_none=True)
@guarded(project="read")
def read_preferences(call: ProjectCall) -> Preferences:
    """The caller's own preferences in the project."""
    return service.read_preferences(call)


@router.patch("/projects/{project_name}/_preferences", response_model_exclude_none=True)
@guarded(project="read", write=True)
def change_preferences(call: ProjectCall, body: Preferences) -> Preferences:
    """Change some preferences; absent fields stay unchanged, null resets one."""
    return service.change_preferences(call, body)
