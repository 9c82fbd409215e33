"""Responses of annotation requests that store nothing: start a job, wait for it, send its result."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import Path, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel, ValidationError
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import Call
from annotarium.access.guard import Rule, open_call
from annotarium.access.request_limits import FILES, TEXT
from annotarium.content.output_fields import parse_fields
from annotarium.db.models import Job
from annotarium.domains.annotators.schemas import AnnotateOptions
from annotarium.domains.imports import uploads
from annotarium.domains.imports.upload_receiving import ReceivedFile, receive_files_and_texts
from annotarium.domains.jobs.job_responses import answer_with_result
from annotarium.errors import Conflict, InvalidInput
from annotarium.http.requests import LimitedRequest, parse_json_body
from annotarium.jobs.result_files import result_file_path
from annotarium.settings import get_settings
from annotarium_schemas.corpus import AnnotatedDocument
from annotarium_schemas.messages import message

ProjectPath = Annotated[str, Path(description="Name of the project")]
PRODUCTION = "useProduction"
"""Permission without which annotating without storing is rate-limited (P-022)."""
ANNOTATE = Rule(project="read", write=True, effect="annotate", bounds=TEXT, unthrottled_permission=PRODUCTION)
"""Requires no right to write, as nothing is stored."""
ANNOTATED: dict[int | str, dict[str, Any]] = {200: {"model": AnnotatedDocument}}
ANNOTATED_MANY: dict[int | str, dict[str, Any]] = {200: {"model": list[AnnotatedDocument]}}
_BINARY = {"schema": {"type": "string", "format": "binary"}}
FORMATTED: dict[int | str, dict[str, Any]] = {
    200: {"content": dict.fromkeys(("application/json", "application/octet-stream", "application/xml"), _BINARY)}
}
DOCUMENT_PARTS = tuple(field.alias or name for name, field in AnnotatedDocument.model_fields.items())
TEXT_BODY = {"requestBody": {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}}
PLAN = "plan"
StartJob = Callable[[Any], Job]
Shape = TypeVar("Shape", bound=BaseModel)


def file_form_openapi(plan: str | None = None) -> dict[str, Any]:
    """OpenAPI description of a form with a file, and with a plan of the named schema if there is one."""
    properties: dict[str, Any] = {"file": {"type": "string", "format": "binary"}}
    if plan is not None:
        properties[PLAN] = {"$ref": f"#/components/schemas/{plan}"}
    schema = {"type": "object", "properties": properties}
    return {"requestBody": {"content": {"multipart/form-data": {"schema": schema}}}}


async def read_text_body(request: Request) -> str:
    """The request body as text; raises `InvalidInput` if it is empty or not UTF-8."""
    try:
        text = (await request.body()).decode("utf-8")
        if isinstance(request, LimitedRequest):
            request.forget()
    except UnicodeDecodeError as error:
        raise InvalidInput(
            message("wrong.notUtf8", "The text is not UTF-8"), fix="Send it as text/plain; charset=utf-8"
        ) from error
    if not text.strip():
        raise InvalidInput(
            message("none.textToAnnotate", "There is no text to annotate"),
            fix="Send the text as the body of the request",
        )
    return text


async def wait_for_annotated_documents(
    request: Request, rule: Rule, options: AnnotateOptions, start: StartJob
) -> list[dict[str, Any]]:
    """The annotated documents with the requested fields; `text` is always included."""
    result = await wait_for_job_result(request, rule, start)
    wanted = parse_fields(options.output_fields, DOCUMENT_PARTS) | {"text"}
    return [{name: value for name, value in document.items() if name in wanted} for document in result["documents"]]


async def json_response(value: Any) -> Response:
    """A JSON response; a worker thread serialises it because it may be long."""
    return Response(await run_in_threadpool(orjson.dumps, value), media_type="application/json")


async def documents_to_json(body: Sequence[BaseModel]) -> list[dict[str, Any]]:
    """The documents of a request body as JSON objects for the job; converted in a worker thread."""
    return await run_in_threadpool(_documents_to_json, body)


def _documents_to_json(body: Sequence[BaseModel]) -> list[dict[str, Any]]:
    return [document.model_dump(mode="json", by_alias=True, exclude_none=True) for document in body]


async def wait_for_formatted_file(request: Request, rule: Rule, start: StartJob) -> Response:
    """Respond with the file that a formatter wrote, and delete it afterwards."""
    result = await wait_for_job_result(request, rule, start)
    path = result_file_path(result["file"])
    return FileResponse(
        path,
        filename=result["filename"],
        media_type=result["contentType"],
        background=BackgroundTask(path.unlink, missing_ok=True),
    )


class AnnotationUploadForm:
    """The contents of an upload form. An asynchronous context manager that deletes the uploaded file at exit."""

    def __init__(self, request: Request, rule: Rule) -> None:
        self._request, self._rule = request, rule
        self._received: list[ReceivedFile] = []
        self._texts: dict[str, bytes] = {}

    async def __aenter__(self) -> AnnotationUploadForm:
        kind, limit = self._request.headers.get("content-type", ""), get_settings().upload_limit
        self._received, self._texts = await receive_files_and_texts(kind, self._request.stream(), limit, {PLAN})
        return self

    async def __aexit__(self, *_: object) -> None:
        await run_in_threadpool(self._remove)

    def register(self, call: Call) -> str:
        """Register the uploaded file for a job of the caller; returns its upload id.

        Raises:
            InvalidInput: there is not exactly one file.
        """
        if len(self._received) != 1:
            raise InvalidInput(
                message("wrong.oneFile", "Send exactly one file"), fix="Put several files into a zip archive"
            )
        (ref,) = uploads.register(call, self._received)
        call.session.flush()
        return ref.id

    def plan(self, shape: type[Shape]) -> Shape | None:
        """The plan of the form, or None; raises `RequestValidationError` if it does not match the model."""
        text = self._texts.get(PLAN, b"")
        if not text.strip():
            return None
        with suppress(json.JSONDecodeError):  # pydantic reports syntax errors below
            parse_json_body(text, FILES.body_values)  # applies the same limits as to a JSON body
        try:
            return shape.model_validate_json(text)
        except ValidationError as error:
            found = [{**one, "loc": ("body", PLAN, *one["loc"])} for one in error.errors()]
            raise RequestValidationError(found) from error

    def _remove(self) -> None:
        uploads.discard(self._received)
        with open_call(self._request, Rule(effect="annotate")) as call:
            uploads.delete_uploads(call, [one.id for one in self._received])


async def wait_for_job_result(request: Request, rule: Rule, start: StartJob) -> dict[str, Any]:
    """The result of the job that `start` starts; raises `Conflict` if the job was stopped."""
    result = await answer_with_result(request, rule, start)
    if not result:
        raise Conflict(
            message("annotate.stopped", "The annotation was stopped before its end"),
            fix="Send less at once, or try again",
        )
    return result
