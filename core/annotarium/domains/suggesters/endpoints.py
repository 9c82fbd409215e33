"""Endpoints of the suggesters of a project."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.suggesters import service
from annotarium.domains.suggesters.schemas import NewSuggester, SuggesterDecisions, SuggesterPatch, SuggesterRead
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName, GeneratedLabelHint, InputLabel
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack

router = DomainRouter(tags=["suggesters"])
WRITE = "seeSuggestersSettings"


@router.get("/projects/{project_name}/suggesters", response_model_exclude_none=True)
@guarded(project="read")
def list_suggesters(call: ProjectCall, tags: str = "") -> list[SuggesterRead]:
    """Suggesters of the project; if tags are given (comma-separated), those that have all of them."""
    return service.list_suggesters(call, [tag for tag in tags.split(",") if tag])


@router.post("/projects/{project_name}/suggesters")
@guarded(WRITE, project="write", idempotent=True)
def create_suggester(call: ProjectCall, body: NewSuggester) -> EngineName:
    """Create a suggester."""
    return service.create_suggester(call, body)


@router.delete("/projects/{project_name}/suggesters")
@guarded(WRITE, project="write")
def delete_suggesters(call: ProjectCall, names: str) -> DeleteResponse:
    """Delete several suggesters; `names` is comma-separated."""
    return service.delete_suggesters(call, [name for name in names.split(",") if name])


@router.post("/projects/{project_name}/suggesters/_label_hint")
@guarded(project="read")
def label_hint(call: ProjectCall, body: InputLabel) -> GeneratedLabelHint:
    """A free label, derived from the requested one."""
    return service.suggesters.label_hint(call, body.label)


@router.get("/projects/{project_name}/suggesters/_decisions", response_model_exclude_none=True)
@guarded(project="read")
def count_decisions(call: ProjectCall) -> list[SuggesterDecisions]:
    """How many proposals of each suggester were accepted and rejected, and the share of accepted ones."""
    return service.count_decisions(call)


@router.get("/projects/{project_name}/suggesters/{suggester_name}", response_model_exclude_none=True)
@guarded(project="read")
def read_suggester(call: ProjectCall, suggester_name: str) -> SuggesterRead:
    """One suggester."""
    return service.read_suggester(call, suggester_name)


@router.patch("/projects/{project_name}/suggesters/{suggester_name}", response_model_exclude_none=True)
@guarded(WRITE, project="write")
def update_suggester(call: ProjectCall, suggester_name: str, body: SuggesterPatch) -> SuggesterRead:
    """Change a suggester."""
    return service.update_suggester(call, suggester_name, body)


@router.delete("/projects/{project_name}/suggesters/{suggester_name}")
@guarded(WRITE, project="write")
def delete_suggester(call: ProjectCall, suggester_name: str) -> DeleteResponse:
    """Delete a suggester with its model and its suggestions."""
    return service.delete_suggesters(call, [suggester_name])


@router.post("/projects/{project_name}/suggesters/{suggester_name}/_restore", response_model_exclude_none=True)
@guarded(WRITE, project="write", idempotent=True)
def restore_suggester(call: ProjectCall, suggester_name: str) -> SuggesterRead:
    """Restore a suggester that was deleted lately, with its model (extension)."""
    return service.restore_suggester(call, suggester_name)


@router.post("/projects/{project_name}/suggesters/{suggester_name}/_start")
@guarded(WRITE, project="write")
def start(
    call: ProjectCall, suggester_name: str, force_training: Annotated[bool, Query(alias="forceTraining")] = False
) -> Ack:
    """Activate a suggester."""
    service.start(call, suggester_name, force=force_training)
    return Ack()


@router.post("/projects/{project_name}/suggesters/{suggester_name}/_stop", status_code=204)
@guarded(WRITE, project="write")
def stop(call: ProjectCall, suggester_name: str) -> None:
    """Deactivate a suggester."""
    service.stop(call, suggester_name)
