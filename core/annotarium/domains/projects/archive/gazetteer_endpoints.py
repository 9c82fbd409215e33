"""Endpoints to export and import gazetteers with their models as archives."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded, with_access_rule
from annotarium.access.request_limits import FILES
from annotarium.domains.projects.archive import models_service
from annotarium.domains.projects.archive.endpoints import (
    ADD_MODELS,
    BINARY,
    FILE,
    ProjectPath,
    download_response,
    import_received_models,
    load_uploaded_models,
)
from annotarium.domains.projects.archive.models_service import GAZETTEERS
from annotarium.domains.projects.archive.schemas import ArchiveRef, EngineConfigImportSummary
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["gazetteers"])


def _export_response(call: ProjectCall, names: list[str]) -> StreamingResponse:
    chunks = models_service.export_models(call, names, favorite=False, engines=GAZETTEERS)
    return download_response(chunks, f"{call.project.name}.zip")


@router.post("/projects/{project_name}/gazetteers/_export", response_class=StreamingResponse, responses=BINARY)
@guarded("exportModels", project="read", owner=True)
def export_gazetteers(call: ProjectCall, gazetteers: str | None = None) -> StreamingResponse:
    """Export gazetteers with their models as an archive: the named ones (comma-separated), else all."""
    return _export_response(call, [name.strip() for name in (gazetteers or "").split(",") if name.strip()])


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


@router.post(
    "/projects/{project_name}/gazetteers/{gazetteer_name}/_export", response_class=StreamingResponse, responses=BINARY
)
@guarded("exportModels", project="read", owner=True)
def export_gazetteer(call: ProjectCall, gazetteer_name: str) -> StreamingResponse:
    """Export one gazetteer with its model as an archive."""
    return _export_response(call, [gazetteer_name])
