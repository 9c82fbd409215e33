"""Endpoints of a project's gazetteers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded, with_access_rule
from annotarium.access.request_limits import FILES
from annotarium.domains.gazetteers import service
from annotarium.domains.gazetteers.schemas import GazetteerPatch, GazetteerRead, NewGazetteer
from annotarium.domains.jobs.schemas import Language, SherpaJobBean
from annotarium.domains.projects.archive import models_service
from annotarium.domains.projects.archive.endpoints import (
    ADD_MODELS,
    BINARY,
    FILE,
    download_response,
    import_received_models,
    load_uploaded_models,
)
from annotarium.domains.projects.archive.models_service import GAZETTEERS
from annotarium.domains.projects.archive.schemas import ArchiveRef, EngineConfigImportSummary
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName, GeneratedLabelHint, InputLabel
from annotarium.http.routing import DomainRouter
from annotarium.jobs.serializers import job_to_json

router = DomainRouter(tags=["gazetteers"])
ProjectPath = Annotated[str, Path(description="Name of the project")]


def _names(given: str | None) -> list[str]:
    return [name.strip() for name in (given or "").split(",") if name.strip()]


def _export_response(call: ProjectCall, names: list[str]) -> StreamingResponse:
    chunks = models_service.export_models(call, names, favorite=False, engines=GAZETTEERS)
    return download_response(chunks, f"{call.project.name}.zip")


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


@router.post("/projects/{project_name}/gazetteers/_export", response_class=StreamingResponse, responses=BINARY)
@guarded("exportModels", project="read", owner=True)
def export_gazetteers(call: ProjectCall, gazetteers: str | None = None) -> StreamingResponse:
    """Export gazetteers with their models as an archive: the named ones (comma-separated), else all."""
    return _export_response(call, _names(gazetteers))


@router.post("/projects/{project_name}/gazetteers/_load")
@with_access_rule(ADD_MODELS)
async def load_gazetteers(
    request: Request, project_name: ProjectPath, body: list[ArchiveRef]
) -> EngineConfigImportSummary:
    """Add the gazetteers of uploaded archives to the project."""
    return await run_in_threadpool(load_uploaded_models, request, [one.id for one in body], GAZETTEERS)


@router.post("/projects/{project_name}/gazetteers/_import", openapi_extra=FILE)
@with_access_rule(ADD_MODELS, FILES)
async def import_gazetteers(request: Request, project_name: ProjectPath) -> EngineConfigImportSummary:
    """Add the gazetteers of an archive in the request to the project."""
    return await import_received_models(request, GAZETTEERS)


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


@router.post(
    "/projects/{project_name}/gazetteers/{gazetteer_name}/_export", response_class=StreamingResponse, responses=BINARY
)
@guarded("exportModels", project="read", owner=True)
def export_gazetteer(call: ProjectCall, gazetteer_name: str) -> StreamingResponse:
    """Export one gazetteer with its model as an archive."""
    return _export_response(call, [gazetteer_name])
