"""Endpoints that annotate a file, or return formatted output, with a project's annotator or plan; nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Path, Request
from fastapi.responses import FileResponse, Response

from annotarium.access.call import ProjectCall
from annotarium.access.guard import with_access_rule
from annotarium.access.request_limits import DOCUMENTS, FILES
from annotarium.db.models import Job
from annotarium.domains.annotators import service
from annotarium.domains.annotators.responses import (
    ANNOTATE,
    ANNOTATED_MANY,
    FORMATTED,
    TEXT_BODY,
    AnnotationUploadForm,
    ProjectPath,
    documents_to_json,
    file_form_openapi,
    json_response,
    read_text_body,
    wait_for_annotated_documents,
    wait_for_formatted_file,
)
from annotarium.domains.annotators.schemas import AnnotateOptions, FormatOptions, InputDocument, Options, OptionsOfFile
from annotarium.domains.annotators.service import AnnotatorChoice
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["annotate"])
IN_PROJECT = "/annotate/projects/{project_name}"
BY_ANNOTATOR = f"{IN_PROJECT}/annotators/{{annotator_name}}"
BY_PLAN = "/projects/{project_name}/plans/{plan_name}"
AnnotatorPath = Annotated[str, Path(description="Name of the annotator")]
PlanPath = Annotated[str, Path(description="Name of the plan")]
ChooseAnnotator = Callable[[ProjectCall], AnnotatorChoice]
FILE_TO_DOCUMENTS: dict[str, Any] = {"responses": ANNOTATED_MANY, "openapi_extra": file_form_openapi()}
FILE_TO_FILE: dict[str, Any] = {
    "responses": FORMATTED,
    "response_class": FileResponse,
    "openapi_extra": file_form_openapi(),
}
TEXT_TO_FILE: dict[str, Any] = {"responses": FORMATTED, "response_class": FileResponse, "openapi_extra": TEXT_BODY}
DOCUMENTS_TO_FILE: dict[str, Any] = {"responses": FORMATTED, "response_class": FileResponse}


def _annotator_chooser(name: str | None) -> ChooseAnnotator:
    return lambda call: service.choose_annotator(call, name)


def _plan_chooser(name: str) -> ChooseAnnotator:
    return lambda call: service.choose_plan(call, name)


async def _annotate_uploaded_file(request: Request, choose: ChooseAnnotator, options: AnnotateOptions) -> Response:
    async with AnnotationUploadForm(request, ANNOTATE) as form:

        def start(call: ProjectCall) -> Job:
            tool = choose(call)
            return service.start_annotation(
                call, tool, options.model_dump(by_alias=True), upload_id=form.register(call)
            )

        return await json_response(await wait_for_annotated_documents(request, ANNOTATE, options, start))


async def _annotate_and_format_uploaded_file(
    request: Request, choose: ChooseAnnotator, options: FormatOptions
) -> Response:
    async with AnnotationUploadForm(request, ANNOTATE) as form:

        def start(call: ProjectCall) -> Job:
            tool = choose(call)
            wire, formatter = options.model_dump(by_alias=True), service.choose_formatter(call, tool, options.formatter)
            return service.start_annotation(call, tool, wire, upload_id=form.register(call), formatter=formatter)

        return await wait_for_formatted_file(request, ANNOTATE, start)


async def _annotate_and_format_sent_documents(
    request: Request, choose: ChooseAnnotator, options: FormatOptions, documents: list[dict[str, Any]]
) -> Response:
    def start(call: ProjectCall) -> Job:
        tool = choose(call)
        wire, formatter = options.model_dump(by_alias=True), service.choose_formatter(call, tool, options.formatter)
        return service.start_annotation(call, tool, wire, documents=documents, formatter=formatter)

    return await wait_for_formatted_file(request, ANNOTATE, start)


@router.post(f"{IN_PROJECT}/_annotate_binary", **FILE_TO_DOCUMENTS)
@with_access_rule(ANNOTATE, FILES)
async def annotate_file_by_default(request: Request, project_name: ProjectPath, options: Options) -> Response:
    """Annotate the documents of a file with the project's default annotator."""
    return await _annotate_uploaded_file(request, _annotator_chooser(None), options)


@router.post(f"{BY_ANNOTATOR}/_annotate_binary", **FILE_TO_DOCUMENTS)
@with_access_rule(ANNOTATE, FILES)
async def annotate_file(
    request: Request, project_name: ProjectPath, annotator_name: AnnotatorPath, options: Options
) -> Response:
    """Annotate the documents of a file."""
    return await _annotate_uploaded_file(request, _annotator_chooser(annotator_name), options)


@router.post(f"{BY_ANNOTATOR}/_annotate_format_binary", **FILE_TO_FILE)
@with_access_rule(ANNOTATE, FILES)
async def annotate_and_format_file(
    request: Request, project_name: ProjectPath, annotator_name: AnnotatorPath, options: OptionsOfFile
) -> Response:
    """Annotate the documents of a file; the response is written by a formatter."""
    return await _annotate_and_format_uploaded_file(request, _annotator_chooser(annotator_name), options)


@router.post(f"{BY_ANNOTATOR}/_annotate_format_documents", **DOCUMENTS_TO_FILE)
@with_access_rule(ANNOTATE, DOCUMENTS)
async def annotate_and_format_documents(
    request: Request,
    project_name: ProjectPath,
    annotator_name: AnnotatorPath,
    body: list[InputDocument],
    options: OptionsOfFile,
) -> Response:
    """Annotate documents; the response is written by a formatter."""
    return await _annotate_and_format_sent_documents(
        request, _annotator_chooser(annotator_name), options, await documents_to_json(body)
    )


@router.post(f"{BY_ANNOTATOR}/_annotate_format_text", **TEXT_TO_FILE)
@with_access_rule(ANNOTATE)
async def annotate_and_format_text(
    request: Request, project_name: ProjectPath, annotator_name: AnnotatorPath, options: OptionsOfFile
) -> Response:
    """Annotate a text; the response is written by a formatter."""
    documents = [{"text": await read_text_body(request)}]
    return await _annotate_and_format_sent_documents(request, _annotator_chooser(annotator_name), options, documents)


@router.post(f"{BY_PLAN}/_annotate_binary", **FILE_TO_DOCUMENTS)
@with_access_rule(ANNOTATE, FILES)
async def annotate_file_by_plan(
    request: Request, project_name: ProjectPath, plan_name: PlanPath, options: Options
) -> Response:
    """Annotate the documents of a file with a plan of the project; the plan's converter, if any, reads the file."""
    return await _annotate_uploaded_file(request, _plan_chooser(plan_name), options)


@router.post(f"{BY_PLAN}/_annotate_format_binary", **FILE_TO_FILE)
@with_access_rule(ANNOTATE, FILES)
async def annotate_and_format_file_by_plan(
    request: Request, project_name: ProjectPath, plan_name: PlanPath, options: OptionsOfFile
) -> Response:
    """Annotate the documents of a file with a plan of the project; the plan's formatter writes the response."""
    return await _annotate_and_format_uploaded_file(request, _plan_chooser(plan_name), options)


@router.post(f"{BY_PLAN}/_annotate_format_documents", **DOCUMENTS_TO_FILE)
@with_access_rule(ANNOTATE, DOCUMENTS)
async def annotate_and_format_documents_by_plan(
    request: Request,
    project_name: ProjectPath,
    plan_name: PlanPath,
    body: list[InputDocument],
    options: OptionsOfFile,
) -> Response:
    """Annotate documents with a plan of the project; the plan's formatter writes the response."""
    return await _annotate_and_format_sent_documents(
        request, _plan_chooser(plan_name), options, await documents_to_json(body)
    )


@router.post(f"{BY_PLAN}/_annotate_format_text", **TEXT_TO_FILE)
@with_access_rule(ANNOTATE)
async def annotate_and_format_text_by_plan(
    request: Request, project_name: ProjectPath, plan_name: PlanPath, options: OptionsOfFile
) -> Response:
    """Annotate a text with a plan of the project; the plan's formatter writes the response."""
    documents = [{"text": await read_text_body(request)}]
    return await _annotate_and_format_sent_documents(request, _plan_chooser(plan_name), options, documents)
