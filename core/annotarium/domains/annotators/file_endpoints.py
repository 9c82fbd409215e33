"""Annotators and plans of a project on a file, and with an answer that a formatter writes; nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Path, Request
from fastapi.responses import FileResponse, Response

from annotarium.access.bounds import DOCUMENTS, FILES
from annotarium.access.call import ProjectCall
from annotarium.access.guard import declared
from annotarium.db.models import Job
from annotarium.domains.annotators import service
from annotarium.domains.annotators.responses import (
    ANNOTATE,
    ANNOTATED_MANY,
    FORMATTED,
    TEXT_BODY,
    AnnotationForm,
    ProjectPath,
    annotated_documents,
    documents_to_json,
    file_body,
    formatted_file,
    json_response,
    read_text,
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
Choose = Callable[[ProjectCall], AnnotatorChoice]
FILE_TO_DOCUMENTS: dict[str, Any] = {"responses": ANNOTATED_MANY, "openapi_extra": file_body()}
FILE_TO_FILE: dict[str, Any] = {
    "responses": FORMATTED,
    "response_class": FileResponse,
    "openapi_extra": file_body(),
}
TEXT_TO_FILE: dict[str, Any] = {"responses": FORMATTED, "response_class": FileResponse, "openapi_extra": TEXT_BODY}
DOCUMENTS_TO_FILE: dict[str, Any] = {"responses": FORMATTED, "response_class": FileResponse}


def _annotator(name: str | None) -> Choose:
    return lambda call: service.choose_annotator(call, name)


def _plan(name: str) -> Choose:
    return lambda call: service.choose_plan(call, name)


async def _file(request: Request, choose: Choose, options: AnnotateOptions) -> Response:
    async with AnnotationForm(request, ANNOTATE) as form:

        def start(call: ProjectCall) -> Job:
            tool = choose(call)
            return service.start_annotation(
                call, tool, options.model_dump(by_alias=True), upload_id=form.register(call)
            )

        return await json_response(await annotated_documents(request, ANNOTATE, options, start))


async def _formatted_file(request: Request, choose: Choose, options: FormatOptions) -> Response:
    async with AnnotationForm(request, ANNOTATE) as form:

        def start(call: ProjectCall) -> Job:
            tool = choose(call)
            wire, formatter = options.model_dump(by_alias=True), service.formatter_for(call, tool, options.formatter)
            return service.start_annotation(call, tool, wire, upload_id=form.register(call), formatter=formatter)

        return await formatted_file(request, ANNOTATE, start)


async def _formatted(
    request: Request, choose: Choose, options: FormatOptions, documents: list[dict[str, Any]]
) -> Response:
    def start(call: ProjectCall) -> Job:
        tool = choose(call)
        wire, formatter = options.model_dump(by_alias=True), service.formatter_for(call, tool, options.formatter)
        return service.start_annotation(call, tool, wire, documents=documents, formatter=formatter)

    return await formatted_file(request, ANNOTATE, start)


@router.post(f"{IN_PROJECT}/_annotate_binary", **FILE_TO_DOCUMENTS)
@declared(ANNOTATE, FILES)
async def annotate_file_by_default(request: Request, project_name: ProjectPath, options: Options) -> Response:
    """Annotate the documents of a file with the project's default annotator."""
    return await _file(request, _annotator(None), options)


@router.post(f"{BY_ANNOTATOR}/_annotate_binary", **FILE_TO_DOCUMENTS)
@declared(ANNOTATE, FILES)
async def annotate_file(
    request: Request, project_name: ProjectPath, annotator_name: AnnotatorPath, options: Options
) -> Response:
    """Annotate the documents of a file."""
    return await _file(request, _annotator(annotator_name), options)


@router.post(f"{BY_ANNOTATOR}/_annotate_format_binary", **FILE_TO_FILE)
@declared(ANNOTATE, FILES)
async def annotate_and_format_file(
    request: Request, project_name: ProjectPath, annotator_name: AnnotatorPath, options: OptionsOfFile
) -> Response:
    """Annotate the documents of a file; a formatter writes the answer."""
    return await _formatted_file(request, _annotator(annotator_name), options)


@router.post(f"{BY_ANNOTATOR}/_annotate_format_documents", **DOCUMENTS_TO_FILE)
@declared(ANNOTATE, DOCUMENTS)
async def annotate_and_format_documents(
    request: Request,
    project_name: ProjectPath,
    annotator_name: AnnotatorPath,
    body: list[InputDocument],
    options: OptionsOfFile,
) -> Response:
    """Annotate documents; a formatter writes the answer."""
    return await _formatted(request, _annotator(annotator_name), options, await documents_to_json(body))


@router.post(f"{BY_ANNOTATOR}/_annotate_format_text", **TEXT_TO_FILE)
@declared(ANNOTATE)
async def annotate_and_format_text(
    request: Request, project_name: ProjectPath, annotator_name: AnnotatorPath, options: OptionsOfFile
) -> Response:
    """Annotate a text; a formatter writes the answer."""
    documents = [{"text": await read_text(request)}]
    return await _formatted(request, _annotator(annotator_name), options, documents)


@router.post(f"{BY_PLAN}/_annotate_binary", **FILE_TO_DOCUMENTS)
@declared(ANNOTATE, FILES)
async def annotate_file_by_plan(
    request: Request, project_name: ProjectPath, plan_name: PlanPath, options: Options
) -> Response:
    """Annotate the documents of a file with a plan of the project, which reads it when it has a converter."""
    return await _file(request, _plan(plan_name), options)


@router.post(f"{BY_PLAN}/_annotate_format_binary", **FILE_TO_FILE)
@declared(ANNOTATE, FILES)
async def annotate_and_format_file_by_plan(
    request: Request, project_name: ProjectPath, plan_name: PlanPath, options: OptionsOfFile
) -> Response:
    """The same; the plan's formatter writes the answer."""
    return await _formatted_file(request, _plan(plan_name), options)


@router.post(f"{BY_PLAN}/_annotate_format_documents", **DOCUMENTS_TO_FILE)
@declared(ANNOTATE, DOCUMENTS)
async def annotate_and_format_documents_by_plan(
    request: Request,
    project_name: ProjectPath,
    plan_name: PlanPath,
    body: list[InputDocument],
    options: OptionsOfFile,
) -> Response:
    """Annotate documents with a plan of the project; its formatter writes the answer."""
    return await _formatted(request, _plan(plan_name), options, await documents_to_json(body))


@router.post(f"{BY_PLAN}/_annotate_format_text", **TEXT_TO_FILE)
@declared(ANNOTATE)
async def annotate_and_format_text_by_plan(
    request: Request, project_name: ProjectPath, plan_name: PlanPath, options: OptionsOfFile
) -> Response:
    """Annotate a text with a plan of the project; its formatter writes the answer."""
    documents = [{"text": await read_text(request)}]
    return await _formatted(request, _plan(plan_name), options, documents)
