"""Endpoints of a project's gazetteers, except for those of archives, which are with the archives of models."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.gazetteers import service
from annotarium.domains.gazetteers.schemas import GazetteerPatch, GazetteerRead, NewGazetteer
from annotarium.domains.jobs.schemas import Language, SherpaJobBean
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName, GeneratedLabelHint, InputLabel
from annotarium.http.routing import DomainRouter
from annotarium.jobs.serializers import job_to_json

router = DomainRouter(tags=["gazetteers"])


def _names(given: str | None) -> list[str]:
    return [name.strip() for name in (given or "").split(",") if name.strip()]


@router.get("/projects/{project_name}/gazetteers", response_model_exclude_none=True)
@guarded(project="read")
def list_gazetteers(call: ProjectCall, tags: str = "") -> list[GazetteerRead]:
    """List the gazetteers; with `tags` (comma-separated), those that have all of them."""
    return service.list_gazetteers(call, _names(tags))


@router.post("/projects/{project_name}/gazetteers")
@guarded(project="write", idempotent=True)
def create_gazetteer(call: ProjectCall, body: NewGazetteer) -> EngineName:
    """Create a gazetteer."""
    return service.create_gazetteer(call, body)


@router.delete("/projects/{project_name}/gazetteers")
@guarded(project="write")
def delete_gazetteers(call: ProjectCall, names: str) -> DeleteResponse:
    """Delete several gazetteers; names are separated by commas."""
    return service.delete_gazetteers(call, _names(names))


@router.post("/projects/{project_name}/gazetteers/_label_hint")
@guarded(project="read")
def label_hint(call: ProjectCall, body: InputLabel) -> GeneratedLabelHint:
    """Suggest an unused label similar to the requested one."""
    return service.gazetteers.label_hint(call, body.label)


@router.get("/projects/{project_name}/gazetteers/{gazetteer_name}", response_model_exclude_none=True)
@guarded(project="read")
def read_gazetteer(call: ProjectCall, gazetteer_name: str) -> GazetteerRead:
    """Read one gazetteer."""
    return service.read_gazetteer(call, gazetteer_name)


@router.patch("/projects/{project_name}/gazetteers/{gazetteer_name}", response_model_exclude_none=True)
@guarded(project="write")
def update_gazetteer(call: ProjectCall, gazetteer_name: str, body: GazetteerPatch) -> GazetteerRead:
    """Change a gazetteer."""
    return service.update_gazetteer(call, gazetteer_name, body)


@router.delete("/projects/{project_name}/gazetteers/{gazetteer_name}")
@guarded(project="write")
def delete_gazetteer(call: ProjectCall, gazetteer_name: str) -> DeleteResponse:
    """Delete a gazetteer with its model; its annotations stay."""
    return service.delete_gazetteers(call, [gazetteer_name])


@router.post(
    "/projects/{project_name}/gazetteers/{gazetteer_name}/_synchronize", responses={200: {"model": SherpaJobBean}}
)
@guarded(project="write")
def synchronize(
    call: ProjectCall,
    gazetteer_name: str,
    annotate_corpus: Annotated[bool, Query(alias="annotateCorpus")] = False,
    language: Language = "en",
) -> dict[str, Any]:
    """Build the gazetteer from the terms of its lexicons; returns the job."""
    job = service.synchronize(call, gazetteer_name, annotate_corpus=annotate_corpus, language=language)
    call.session.flush()
    return job_to_json(job, call.project)


@router.post("/projects/{project_name}/gazetteers/{gazetteer_name}/_cancel_synchronize", status_code=204)
@guarded(project="write")
def cancel_synchronize(call: ProjectCall, gazetteer_name: str) -> None:
    """Cancel the synchronisation."""
    service.cancel(call, gazetteer_name)
