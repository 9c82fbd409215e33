"""Endpoints to export and import projects and models as archives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from fastapi.responses import FileResponse, StreamingResponse
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import Rule, guarded, open_call, open_project, with_access_rule
from annotarium.access.request_limits import FILES
from annotarium.content.validation import InvalidContent
from annotarium.domains.imports import uploads
from annotarium.domains.imports.upload_receiving import ReceivedFile, receive_form, upload_path
from annotarium.domains.jobs.schemas import SherpaJobBean
from annotarium.domains.projects.archive import models_service, service
from annotarium.domains.projects.archive.archive_format import MODELS_FORMAT
from annotarium.domains.projects.archive.models_service import EXPERIMENTS, ArchivedEngines
from annotarium.domains.projects.archive.schemas import ArchiveRef, EngineConfigImportSummary
from annotarium.domains.projects.archive.unpacking import Unpacked, unpacked
from annotarium.domains.projects.schemas import ProjectStatus
from annotarium.errors import AccessDenied, InvalidInput
from annotarium.http.routing import DomainRouter
from annotarium.jobs.serializers import job_to_json
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

router = DomainRouter(tags=["projects"])

JOB: dict[int | str, dict[str, Any]] = {200: {"model": SherpaJobBean}}
BINARY: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}
FILE = {
    "requestBody": {
        "content": {
            "multipart/form-data": {
                "schema": {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}
            }
        },
    }
}
CREATE = Rule(("createProject",))
RESTORE = Rule(("deleteProject",), project="write", owner=True)
ADD_MODELS = Rule(("importModels",), project="write", owner=True)
CREATE_WITH_MODELS = Rule(("importModels",))
ProjectPath = Annotated[str, Path(description="Name of the project")]
WithModels = Annotated[bool, Query(alias="includeModels", description="With the files of trained models")]
WithHistory = Annotated[bool, Query(alias="includeHistory", description="With who changed what when (extension)")]


class NewProjectTarget:
    """Query parameters of an import: name, label and group of the new project."""

    def __init__(
        self,
        group_name: Annotated[str | None, Query(alias="groupName")] = None,
        reuse_project_name: Annotated[bool, Query(alias="reuseProjectName")] = False,
        project_name: Annotated[str | None, Query(alias="projectName")] = None,
        project_label: Annotated[str | None, Query(alias="projectLabel")] = None,
    ) -> None:
        self.words: dict[str, Any] = {
            "group_name": group_name,
            "reuse_name": reuse_project_name,
            "name": project_name or None,
            "label": project_label or None,
        }


Targeted = Annotated[NewProjectTarget, Depends()]


def download_response(chunks: Any, filename: str) -> StreamingResponse:
    headers = {"content-disposition": f'attachment; filename="{filename}"'}
    return StreamingResponse(chunks, media_type="application/octet-stream", headers=headers)


def _export_response(call: ProjectCall, models: bool, history: bool) -> StreamingResponse:
    chunks = service.export_project(call, models=models, history=history)
    return download_response(chunks, service.filename_of(call.project))


@router.post("/projects/{project_name}/_export", response_class=StreamingResponse, responses=BINARY)
@guarded("exportProject", project="read", owner=True)
def export_project(call: ProjectCall, models: WithModels = True, history: WithHistory = True) -> StreamingResponse:
    """Export the whole project as an archive."""
    return _export_response(call, models, history)


@router.get("/projects/{project_name}/_export", response_class=StreamingResponse, responses=BINARY)
@guarded("exportProject", project="read", owner=True)
def download_project(call: ProjectCall, models: WithModels = True, history: WithHistory = True) -> StreamingResponse:
    """Export the whole project as an archive, as a plain link (conflict 17)."""
    return _export_response(call, models, history)


@router.post("/projects/{project_name}/_export_async", responses=JOB)
@guarded("exportProject", project="read", owner=True, write=True, effect="read")
def export_project_by_job(call: ProjectCall, models: WithModels = True, history: WithHistory = True) -> dict[str, Any]:
    """Export the whole project by a job; its result has the address of the download."""
    return job_to_json(service.start_export(call, models=models, history=history), call.project)


@router.get("/downloads/{upload_id}", response_class=FileResponse)
@guarded(write=False)
def download_file(call: Call, upload_id: str) -> FileResponse:
    """Download a file that a job of the caller wrote."""
    (file,) = uploads.require_uploads(call, [upload_id])
    return FileResponse(upload_path(file.id), media_type="application/octet-stream", filename=file.filename)


async def _receive(request: Request) -> list[ReceivedFile]:
    return await receive_form(request.headers.get("content-type", ""), request.stream(), get_settings().upload_limit)


async def _start_job_with_received_file(
    request: Request, rule: Rule, start: Callable[[Any, str], dict[str, Any]]
) -> dict[str, Any]:
    """Register the single file of the request and start a job with it; if that fails, the file is deleted."""
    received = await _receive(request)

    def run() -> dict[str, Any]:
        try:
            if len(received) != 1:  # requirement C-046
                raise InvalidInput(message("wrong.oneArchive", "Send exactly one archive"))
            with open_call(request, rule) as call:
                (ref,) = uploads.register(call, received)
                call.session.flush()
                return start(call, ref.id)
        except BaseException:
            uploads.discard(received)
            raise

    return await run_in_threadpool(run)


@router.post("/projects/_import", responses=JOB, openapi_extra=FILE)
@with_access_rule(CREATE, FILES)
async def import_project(request: Request, target: Targeted) -> dict[str, Any]:
    """Create a project from an archive in the request."""
    return await _start_job_with_received_file(
        request, CREATE, lambda call, one: service.start_import(call, one, **target.words)
    )


@router.post("/projects/_load", responses=JOB)
@guarded("createProject")
def load_project(call: Call, body: ArchiveRef, target: Targeted) -> dict[str, Any]:
    """Create a project from an uploaded archive; the response has its name."""
    return service.start_import(call, body.id, **target.words)


@router.post("/projects/{project_name}/_restore", responses=JOB, openapi_extra=FILE)
@with_access_rule(RESTORE, FILES)
async def restore_project(request: Request, project_name: ProjectPath) -> dict[str, Any]:
    """Replace this project by that of an archive; the current one is kept, marked as deleted."""
    return await _start_job_with_received_file(request, RESTORE, service.start_restore)


@router.post("/projects/{project_name}/_load_image", responses=JOB)
@guarded("deleteProject", project="write", owner=True)
def restore_project_from_image(
    call: ProjectCall, archive_name: Annotated[str, Query(alias="archiveName")]
) -> dict[str, Any]:
    """Replace this project by that of an archive stored on the server."""
    return service.start_restore_from_image(call, archive_name)


@router.post("/projects/{project_name}/_export_models", response_class=StreamingResponse, responses=BINARY)
@guarded("exportModels", project="read", owner=True)
def export_models(call: ProjectCall, experiments: str | None = None, favorite: bool = False) -> StreamingResponse:
    """Export experiments with their models as an archive: the named ones (comma-separated), the favourites, or all."""
    names = [name.strip() for name in (experiments or "").split(",") if name.strip()]
    return download_response(models_service.export_models(call, names, favorite=favorite), f"{call.project.name}.zip")


def _import_models_from_file(request: Request, path: FilePath, engines: ArchivedEngines) -> EngineConfigImportSummary:
    with _OpenModelsArchive(path) as archive, open_call(request, ADD_MODELS) as call:
        assert isinstance(call, ProjectCall)
        return models_service.import_models(call, archive, engines)


def load_uploaded_models(
    request: Request, upload_ids: list[str], engines: ArchivedEngines
) -> EngineConfigImportSummary:
    """Add the experiments or gazetteers of uploaded archives to the project of the request."""
    with open_call(request, ADD_MODELS) as call:
        paths = [upload_path(file.id) for file in uploads.require_uploads(call, upload_ids)]
    summary = EngineConfigImportSummary()
    for path in paths:
        added = _import_models_from_file(request, path, engines)
        summary.configs += added.configs
        summary.ignored += added.ignored
        summary.models += added.models
    return summary


async def import_received_models(request: Request, engines: ArchivedEngines) -> EngineConfigImportSummary:
    """Add the experiments or gazetteers of the archive in the request to the project of the request."""
    received = await _receive(request)

    def run() -> EngineConfigImportSummary:
        try:
            if len(received) != 1:
                raise InvalidInput(message("wrong.oneArchive", "Send exactly one archive"))
            return _import_models_from_file(request, received[0].path, engines)
        finally:
            uploads.discard(received)

    return await run_in_threadpool(run)


class _OpenModelsArchive:
    """Unpacks a model archive before any transaction begins; raises `InvalidInput` instead of `InvalidContent`."""

    def __init__(self, path: FilePath) -> None:
        self._context = unpacked(path, MODELS_FORMAT)

    def __enter__(self) -> Unpacked:
        try:
            return self._context.__enter__()
        except InvalidContent as error:
            raise InvalidInput(error.message, fix=error.fix) from error

    def __exit__(self, *failure: Any) -> None:
        self._context.__exit__(*failure)


@router.post("/projects/{project_name}/_load_models")
@with_access_rule(ADD_MODELS)
async def load_models(request: Request, project_name: ProjectPath, body: list[ArchiveRef]) -> EngineConfigImportSummary:
    """Add the experiments of uploaded archives to the project."""
    return await run_in_threadpool(load_uploaded_models, request, [one.id for one in body], EXPERIMENTS)


@router.post("/projects/{project_name}/_import_models", openapi_extra=FILE)
@with_access_rule(ADD_MODELS, FILES)
async def import_models(request: Request, project_name: ProjectPath) -> EngineConfigImportSummary:
    """Add the experiments of an archive in the request to the project."""
    return await import_received_models(request, EXPERIMENTS)


@router.post("/projects/_import_models", openapi_extra=FILE)
@with_access_rule(CREATE_WITH_MODELS, FILES)
async def import_models_anywhere(request: Request, target: Targeted) -> list[ProjectStatus]:
    """Add the experiments of an archive to the project it names, which is created if it does not exist."""
    received = await _receive(request)

    def run() -> list[ProjectStatus]:
        try:
            if len(received) != 1:
                raise InvalidInput(message("wrong.oneArchive", "Send exactly one archive"))
            with _OpenModelsArchive(received[0].path) as archive, open_call(request, CREATE_WITH_MODELS) as call:
                status = models_service.project_for_models(call, archive, **target.words)
                if status.status == "created" and not call.access.can("createProject"):
                    raise AccessDenied(
                        "Authorization has been denied.",
                        cause=message("denied.createProject", "You do not have the permission createProject"),
                    )
                call.session.flush()
                project = open_project(call.session, call.access, status.project_name, write=True)
                models_service.import_models(models_service.call_within_project(call, project), archive)
                return [status]
        finally:
            uploads.discard(received)

    return await run_in_threadpool(run)
