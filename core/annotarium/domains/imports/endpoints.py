"""Endpoints of document imports; includes the router of uploads."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Request
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import ProjectCall, require_permission
from annotarium.access.guard import Rule, open_call, with_access_rule
from annotarium.access.request_limits import FILES, JSON_FILE, LISTS
from annotarium.domains.imports import service, upload_endpoints, uploads
from annotarium.domains.imports.schemas import ImportOptions, UploadRef
from annotarium.domains.imports.upload_receiving import ReceivedFile, receive_body, receive_form
from annotarium.domains.jobs.job_responses import Wait, answer_with_job
from annotarium.domains.jobs.schemas import SherpaJobBean
from annotarium.http.routing import DomainRouter
from annotarium.settings import get_settings

router = DomainRouter(tags=["documents"], routes=[*upload_endpoints.router.routes])

JOB: dict[int | str, dict[str, Any]] = {200: {"model": SherpaJobBean}}
IMPORT = Rule(project="write")
CHECK = Rule(project="write", write=False)
BODY_NAME = "documents.json"
ProjectPath = Annotated[str, Path(description="Name of the project")]
Options = Annotated[ImportOptions, Query()]


def _check_import_permission(request: Request) -> None:
    with open_call(request, CHECK) as call:
        assert isinstance(call, ProjectCall)
        require_permission(call, "importDocuments")


async def _import_received(
    request: Request, received: list[ReceivedFile], options: ImportOptions, wait: bool
) -> dict[str, Any]:
    started = False

    def start(call: ProjectCall) -> Any:
        nonlocal started
        refs = uploads.register(call, received)
        call.session.flush()
        job = service.start_import(call, [ref.id for ref in refs], options)
        started = True
        return job

    try:
        return await answer_with_job(request, IMPORT, start, wait=wait)
    finally:
        if not started:
            await run_in_threadpool(uploads.discard, received)


@router.post(
    "/projects/{project_name}/documents",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}
                }
            },
        }
    },
    responses=JOB,
)
@with_access_rule(IMPORT, FILES)
async def import_files(
    request: Request, project_name: ProjectPath, *, wait: Wait = False, options: Options
) -> dict[str, Any]:
    """Import files sent with the request (multipart parts `file`)."""
    await run_in_threadpool(_check_import_permission, request)
    limit = get_settings().upload_limit
    received = await receive_form(request.headers.get("content-type", ""), request.stream(), limit)
    return await _import_received(request, received, options, wait)


@router.post(
    "/projects/{project_name}/documents/_import_documents",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {"type": "array", "items": {"$ref": "#/components/schemas/ImportedDocument"}}
                }
            },
        }
    },
    responses=JOB,
)
@with_access_rule(IMPORT, JSON_FILE)
async def import_documents(
    request: Request, project_name: ProjectPath, *, wait: Wait = False, options: Options
) -> dict[str, Any]:
    """Import the documents of the JSON body. Conversion plans are not used, as they read files."""
    options = options.model_copy(update={"use_plan": False})
    await run_in_threadpool(_check_import_permission, request)
    received = await receive_body(BODY_NAME, "application/json", request.stream(), get_settings().body_limit)
    return await _import_received(request, [received], options, wait)


@router.post("/projects/{project_name}/documents/_load", responses=JOB)
@with_access_rule(IMPORT, LISTS)
async def load_documents(
    request: Request, project_name: ProjectPath, body: list[UploadRef], *, wait: Wait = False, options: Options
) -> dict[str, Any]:
    """Import files that were uploaded before."""

    def start(call: ProjectCall) -> Any:
        folders = {file.id: file.folder for file in body if file.folder}
        return service.start_import(call, [file.id for file in body], options, folders)

    return await answer_with_job(request, IMPORT, start, wait=wait)
