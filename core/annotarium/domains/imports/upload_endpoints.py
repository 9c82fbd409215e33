"""Endpoints of uploads, project images and the sample files of the import screens."""

from __future__ import annotations

from importlib.resources import files as package_files

from fastapi import Request, Response
from fastapi.responses import FileResponse
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import Call
from annotarium.access.guard import Rule, guarded, open_call, with_access_rule
from annotarium.access.request_limits import FILES
from annotarium.domains.imports import chunked_uploads, uploads
from annotarium.domains.imports.schemas import AnnouncedFile, PartialFile, UploadedFile, UploadedFileInfo
from annotarium.domains.imports.upload_receiving import receive_form
from annotarium.errors import NotFound
from annotarium.http.routing import DomainRouter
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

router = DomainRouter(tags=["uploads"])

UPLOAD = Rule(
    ("importDocuments", "createProject", "changeProjectConfig", "importModels", "importTerms", "createTheme"),
    any_of=True,
)
SAMPLES = (
    "sample-simple.json",
    "sample-NER-normal.json",
    "sample-catego-normal.json",
    "sample-questions.json",
)
_MULTIPART = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}
            }
        },
    }
}


def _check_upload_permission(request: Request) -> None:
    with open_call(request, Rule(UPLOAD.permissions, any_of=True, write=False, effect="write")):
        return


@router.post("/uploads", openapi_extra=_MULTIPART, response_model_exclude_none=True)
@with_access_rule(UPLOAD, FILES)
async def upload_files(request: Request, ttl: int = 0, image: bool = False) -> list[UploadedFile]:
    """Receive the multipart parts `file`, streamed to disk (C-047); `image=true` for a project image (C-048)."""
    await run_in_threadpool(_check_upload_permission, request)
    settings = get_settings()
    limit = settings.image_limit if image else settings.upload_limit
    received = await receive_form(request.headers.get("content-type", ""), request.stream(), limit)

    def enter() -> list[UploadedFile]:
        try:
            with open_call(request, UPLOAD) as call:
                return uploads.register(call, received, ttl=ttl, image=image)
        except BaseException:
            uploads.discard(received)
            raise

    return await run_in_threadpool(enter)


@router.post("/uploads/_pieces", response_model_exclude_none=True)
@guarded(*UPLOAD.permissions, any_of=True)
def begin_pieces(call: Call, body: AnnouncedFile) -> PartialFile:
    """Announce a file that will be sent in chunks, so that an interrupted upload can be resumed (extension)."""
    return chunked_uploads.begin(call, body)


@router.get("/uploads/_pieces/{upload_id}", response_model_exclude_none=True)
@guarded(write=False)
def read_pieces(call: Call, upload_id: str) -> PartialFile:
    """Read the state of a chunked upload of the caller (extension)."""
    return chunked_uploads.read(call, upload_id)


@router.patch(
    "/uploads/_pieces/{upload_id}",
    response_model_exclude_none=True,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
@with_access_rule(UPLOAD, FILES)
async def add_piece(request: Request, upload_id: str, offset: int) -> PartialFile:
    """Append the body to the file at `offset`, which must be its present end; a 409 states that end (extension)."""

    def before() -> PartialFile:
        with open_call(request, UPLOAD) as call:
            return chunked_uploads.extend_expiry(call, upload_id)

    def after() -> PartialFile:
        received = chunked_uploads.assemble(state)
        with open_call(request, UPLOAD) as call:
            return chunked_uploads.register_if_complete(call, upload_id, received)

    state = await run_in_threadpool(before)
    await chunked_uploads.receive(state, offset, request.stream())
    return await run_in_threadpool(after)


@router.delete("/uploads/_pieces/{upload_id}", status_code=204)
@guarded()
def cancel_pieces(call: Call, upload_id: str) -> None:
    """Cancel a chunked upload (extension)."""
    chunked_uploads.cancel(call, upload_id)


@router.get("/uploads/{upload_id}")
@guarded(write=False)
def read_upload(call: Call, upload_id: str) -> UploadedFileInfo:
    """Confirm that an upload of the caller exists."""
    return uploads.read_upload(call, upload_id)


@router.get("/images/projects/{image_id}", response_class=FileResponse)
@guarded(write=False)
def read_image(call: Call, image_id: str) -> FileResponse:
    """Read a project image."""
    path, content_type = uploads.read_image(call, image_id)
    return FileResponse(
        path, media_type=content_type, headers={"cache-control": "private, max-age=31536000, immutable"}
    )


@router.get("/samples/{file_name}")
@guarded(anonymous=True, write=False)
def read_sample(call: Call, file_name: str) -> Response:
    """Read a sample of a file that can be imported (C-052)."""
    if file_name not in SAMPLES:
        raise NotFound(
            message("none.sample", "There is no sample {name}", name=file_name),
            fix=f"Choose one of {', '.join(SAMPLES)}",
        )
    content = package_files("annotarium.samples").joinpath(file_name).read_bytes()
    headers = {"content-disposition": f'attachment; filename="{file_name}"'}
    return Response(content, media_type="application/json", headers=headers)
