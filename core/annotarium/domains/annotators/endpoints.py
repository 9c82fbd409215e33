"""Annotators of a project: list them, annotate a text or the corpus with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Path, Query, Request
from fastapi.responses import JSONResponse, Response

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import Rule, declared, guarded
from annotarium.access.routing import Operations
from annotarium.db.models import Job
from annotarium.domains.annotators import service
from annotarium.domains.annotators.schemas import AnnotateOptions, AnnotatorRead, InputDocument, Options
from annotarium.domains.documents.fields import parse_fields
from annotarium.domains.jobs.schemas import SherpaJobBean
from annotarium.domains.jobs.service import job_bean
from annotarium.domains.projects.service import readable_projects
from annotarium.domains.projects.waiting import answer_of_job
from annotarium.errors import InvalidInput
from annotarium_schemas.corpus import AnnotatedDocument
from annotarium_schemas.modelling import ProjectsAnnotators

router = Operations(tags=["annotators"])
ProjectPath = Annotated[str, Path(description="Name of the project")]
ANNOTATE = Rule(project="read", write=True)
ANNOTATED: dict[int | str, dict[str, Any]] = {200: {"model": AnnotatedDocument}}
DOCUMENT_PARTS = tuple(field.alias or name for name, field in AnnotatedDocument.model_fields.items())
TEXT_BODY = {"requestBody": {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}}


@router.get("/projects/annotators_by_type", responses={200: {"model": list[ProjectsAnnotators]}})
@guarded(write=False)
def all_annotators_by_type(call: Call) -> list[dict[str, Any]]:
    """Annotators of every project the caller reads."""
    return [
        {
            "projectName": project.name,
            "annotators": service.annotators_by_type(ProjectCall(unit=call.unit, access=call.access, project=project)),
        }
        for project in readable_projects(call)
    ]


@router.get("/projects/{project_name}/annotators_by_type")
@guarded(project="read")
def annotators_by_type(call: ProjectCall) -> dict[str, list[AnnotatorRead]]:
    """Annotators by type: learner, gazetteer, suggester, plan."""
    return service.annotators_by_type(call)


@router.post(
    "/projects/{project_name}/annotators/{annotator_name}/_annotate_corpus", responses={200: {"model": SherpaJobBean}}
)
@guarded("annotateCorpus", project="write")
def annotate_corpus(
    call: ProjectCall,
    annotator_name: str,
    overwrite: bool = True,
    annotator_project: Annotated[str, Query(alias="annotatorProject")] = "",
) -> dict[str, Any]:
    """Annotate the corpus; the answer is the job."""
    job = service.start_corpus_annotation(
        call, annotator_name, overwrite=overwrite, annotator_project=annotator_project
    )
    return job_bean(job, call.project)


async def _annotated(request: Request, options: AnnotateOptions, start: Callable[[Any], Job]) -> list[dict[str, Any]]:
    result = await answer_of_job(request, ANNOTATE, start)
    wanted = parse_fields(options.output_fields, DOCUMENT_PARTS) | {"text"}
    documents: list[dict[str, Any]] = result.get("documents", [])
    return [{name: value for name, value in document.items() if name in wanted} for document in documents]


async def _text(request: Request) -> str:
    try:
        text = (await request.body()).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput("The text is not UTF-8", fix="Send it as text/plain; charset=utf-8") from error
    if not text.strip():
        raise InvalidInput("There is no text to annotate", fix="Send the text as the body of the request")
    return text


@router.post(
    "/annotate/projects/{project_name}/annotators/{annotator_name}/_annotate",
    responses=ANNOTATED,
    openapi_extra=TEXT_BODY,
)
@router.post(
    "/projects/{project_name}/annotators/{annotator_name}/_annotate", responses=ANNOTATED, openapi_extra=TEXT_BODY
)
@declared(ANNOTATE)
async def annotate_text(request: Request, project_name: ProjectPath, annotator_name: str, options: Options) -> Response:
    """Annotate a text sent as text/plain; nothing is stored."""
    text = await _text(request)
    wire = options.model_dump(by_alias=True)
    found = await _annotated(
        request, options, lambda call: service.start_annotation(call, annotator_name, [{"text": text}], wire)
    )
    return JSONResponse(found[0])


@router.post("/annotate/projects/{project_name}/_annotate", responses=ANNOTATED, openapi_extra=TEXT_BODY)
@router.post("/projects/{project_name}/_annotate", responses=ANNOTATED, openapi_extra=TEXT_BODY)
@declared(ANNOTATE)
async def annotate_text_by_default(request: Request, project_name: ProjectPath, options: Options) -> Response:
    """Annotate a text with the project's default annotator."""
    text = await _text(request)
    wire = options.model_dump(by_alias=True)
    found = await _annotated(
        request, options, lambda call: service.start_annotation(call, None, [{"text": text}], wire)
    )
    return JSONResponse(found[0])


@router.post(
    "/annotate/projects/{project_name}/annotators/{annotator_name}/_annotate_documents",
    responses={200: {"model": list[AnnotatedDocument]}},
)
@router.post(
    "/projects/{project_name}/annotators/{annotator_name}/_annotate_documents",
    responses={200: {"model": list[AnnotatedDocument]}},
)
@declared(ANNOTATE)
async def annotate_documents(
    request: Request, project_name: ProjectPath, annotator_name: str, body: list[InputDocument], options: Options
) -> Response:
    """Annotate documents; nothing is stored."""
    documents = [document.model_dump(mode="json", by_alias=True, exclude_none=True) for document in body]
    wire = options.model_dump(by_alias=True)
    return JSONResponse(
        await _annotated(request, options, lambda call: service.start_annotation(call, annotator_name, documents, wire))
    )
