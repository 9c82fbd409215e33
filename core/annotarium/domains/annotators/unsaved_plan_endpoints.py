"""Endpoints that run plans sent with the request, optionally in the context of a project; nothing is stored."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import FileResponse, Response

from annotarium.access.call import Call
from annotarium.access.guard import Rule, with_access_rule
from annotarium.access.request_limits import DOCUMENTS, FILES, TEXT
from annotarium.db.models import Job
from annotarium.domains.annotators import service
from annotarium.domains.annotators.responses import (
    ANNOTATED,
    ANNOTATED_MANY,
    FORMATTED,
    PRODUCTION,
    AnnotationUploadForm,
    StartJob,
    documents_to_json,
    file_form_openapi,
    json_response,
    wait_for_annotated_documents,
    wait_for_formatted_file,
)
from annotarium.domains.annotators.schemas import (
    AnnotateDocumentsWithPipeline,
    AnnotateTextWithPipeline,
    ContextOptions,
    FormatDocumentsWithMany,
    FormatTextWithMany,
    OptionsInContext,
)
from annotarium.errors import InvalidInput
from annotarium.http.routing import DomainRouter
from annotarium_schemas.messages import message
from annotarium_schemas.plans import AnnotationPlan, ConvertAnnotationPlan, ConvertFormatAnnotationPlan

router = DomainRouter(tags=["annotate"])
RULE = Rule(write=True, effect="annotate", bounds=TEXT, unthrottled_permission=PRODUCTION)
"""The caller must also be allowed to use the plan's components (checked in the service)."""
TO_FILE: dict[str, Any] = {"responses": FORMATTED, "response_class": FileResponse}


def _annotation_job_starter(
    plan: AnnotationPlan,
    options: ContextOptions,
    documents: list[dict[str, Any]],
    form: AnnotationUploadForm | None = None,
) -> StartJob:
    def start(call: Call) -> Job:
        where = service.call_in_readable_project(call, options.project_context) if options.project_context else call
        tool = service.choose_unsaved_plan(where, plan)
        return service.start_annotation(
            where,
            tool,
            options.model_dump(by_alias=True),
            documents=documents,
            upload_id=form.register(where) if form is not None else None,
            formatter=tool.formatter,
        )

    return start


def _plan_of_body(body: AnnotateTextWithPipeline | AnnotateDocumentsWithPipeline) -> AnnotationPlan:
    return AnnotationPlan(pipeline=body.pipeline, formatter=getattr(body, "formatter", None))


async def _documents_of_body(body: AnnotateTextWithPipeline | AnnotateDocumentsWithPipeline) -> list[dict[str, Any]]:
    if isinstance(body, AnnotateDocumentsWithPipeline):
        return await documents_to_json(body.documents)
    if not body.text.strip():
        raise InvalidInput(
            message("none.textToAnnotate", "There is no text to annotate"),
            details=[{"field": "text", "message": message("field.empty", "It is empty")}],
        )
    return [{"text": body.text}]


@router.post("/annotate/_annotate_text", responses=ANNOTATED)
@with_access_rule(RULE)
async def annotate_text_with_plan(
    request: Request, body: AnnotateTextWithPipeline, options: OptionsInContext
) -> Response:
    """Annotate a text with the pipeline of the body."""
    start = _annotation_job_starter(_plan_of_body(body), options, await _documents_of_body(body))
    return await json_response((await wait_for_annotated_documents(request, RULE, options, start))[0])


@router.post("/annotate/_annotate_documents", responses=ANNOTATED_MANY)
@with_access_rule(RULE, DOCUMENTS)
async def annotate_documents_with_plan(
    request: Request, body: AnnotateDocumentsWithPipeline, options: OptionsInContext
) -> Response:
    """Annotate documents with the pipeline of the body."""
    return await json_response(
        await wait_for_annotated_documents(
            request,
            RULE,
            options,
            _annotation_job_starter(_plan_of_body(body), options, await _documents_of_body(body)),
        )
    )


@router.post(
    "/annotate/_annotate_binary",
    responses=ANNOTATED_MANY,
    openapi_extra=file_form_openapi(ConvertAnnotationPlan.__name__),
)
@with_access_rule(RULE, FILES)
async def annotate_file_with_plan(request: Request, options: OptionsInContext) -> Response:
    """Annotate the documents of a file with the plan of the form; without a plan the file is only converted."""
    async with AnnotationUploadForm(request, RULE) as form:
        given = form.plan(ConvertAnnotationPlan) or ConvertAnnotationPlan(pipeline=[])
        plan = AnnotationPlan(converter=given.converter, pipeline=given.pipeline, segmenter=given.segmenter)
        return await json_response(
            await wait_for_annotated_documents(request, RULE, options, _annotation_job_starter(plan, options, [], form))
        )


@router.post("/annotate/_annotate_format_text", **TO_FILE)
@with_access_rule(RULE)
async def annotate_and_format_text_with_plan(
    request: Request, body: FormatTextWithMany, options: OptionsInContext
) -> Response:
    """Annotate a text with the pipeline of the body; its formatter writes the response."""
    return await wait_for_formatted_file(
        request, RULE, _annotation_job_starter(_plan_of_body(body), options, await _documents_of_body(body))
    )


@router.post("/annotate/_annotate_format_documents", **TO_FILE)
@with_access_rule(RULE, DOCUMENTS)
async def annotate_and_format_documents_with_plan(
    request: Request, body: FormatDocumentsWithMany, options: OptionsInContext
) -> Response:
    """Annotate documents with the pipeline of the body; its formatter writes the response."""
    return await wait_for_formatted_file(
        request, RULE, _annotation_job_starter(_plan_of_body(body), options, await _documents_of_body(body))
    )


@router.post(
    "/annotate/_annotate_format_binary",
    openapi_extra=file_form_openapi(ConvertFormatAnnotationPlan.__name__),
    **TO_FILE,
)
@router.post(
    "/annotate/_format_binary",
    openapi_extra=file_form_openapi(ConvertFormatAnnotationPlan.__name__),
    deprecated=True,
    **TO_FILE,
)
@with_access_rule(RULE, FILES)
async def annotate_and_format_file_with_plan(request: Request, options: OptionsInContext) -> Response:
    """Annotate the documents of a file with the plan of the form; its formatter writes the response."""
    async with AnnotationUploadForm(request, RULE) as form:
        given = form.plan(ConvertFormatAnnotationPlan)
        if given is None:
            raise InvalidInput(
                message("wrong.noPlan", "The form contains no plan, which specifies the format of the response"),
                fix="Add a part `plan` of the type application/json with a formatter",
            )
        plan = AnnotationPlan.model_validate(given.model_dump())
        return await wait_for_formatted_file(request, RULE, _annotation_job_starter(plan, options, [], form))
