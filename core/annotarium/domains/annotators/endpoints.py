"""Endpoints of a project's annotators: list them, annotate a text or the corpus."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.responses import Response

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import guarded, with_access_rule
from annotarium.access.request_limits import DOCUMENTS
from annotarium.db.models import Job
from annotarium.domains.annotators import file_endpoints, service, trial_endpoints, unsaved_plan_endpoints
from annotarium.domains.annotators.responses import (
    ANNOTATE,
    ANNOTATED,
    ANNOTATED_MANY,
    TEXT_BODY,
    ProjectPath,
    documents_to_json,
    json_response,
    read_text_body,
    wait_for_annotated_documents,
)
from annotarium.domains.annotators.schemas import AnnotateOptions, AnnotatorRead, InputDocument, Options
from annotarium.domains.jobs.schemas import Language, SherpaJobBean
from annotarium.domains.jobs.service import mail_language
from annotarium.domains.projects.service import readable_projects
from annotarium.http.routing import DomainRouter
from annotarium.jobs.serializers import job_to_json
from annotarium_schemas.modelling import ProjectsAnnotators

router = DomainRouter(
    tags=["annotators"],
    routes=[
        *unsaved_plan_endpoints.router.routes,
        *file_endpoints.router.routes,
        *trial_endpoints.router.routes,
    ],
)


@router.get("/projects/annotators_by_type", responses={200: {"model": list[ProjectsAnnotators]}})
@guarded(write=False, effect="annotate")
def all_annotators_by_type(call: Call) -> list[dict[str, Any]]:
    """List the annotators of every project that the caller may read."""
    return [
        {
            "projectName": project.name,
            "annotators": service.annotators_by_type(ProjectCall(unit=call.unit, access=call.access, project=project)),
        }
        for project in readable_projects(call)
    ]


@router.get("/projects/{project_name}/annotators_by_type")
@guarded(project="read", effect="annotate")
def annotators_by_type(
    call: ProjectCall,
    use_cache: Annotated[
        bool, Query(alias="useCache", description="Has no effect: the answer is always that of this moment.")
    ] = False,
) -> dict[str, list[AnnotatorRead]]:
    """List the annotators of the project by type: learner, gazetteer, suggester, plan."""
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
    email_notification: Annotated[bool, Query(alias="emailNotification")] = False,
    language: Language = "en",
) -> dict[str, Any]:
    """Annotate the corpus; returns the job."""
    job = service.start_corpus_annotation(
        call,
        annotator_name,
        overwrite=overwrite,
        annotator_project=annotator_project,
        mail_in=mail_language(language, wanted=email_notification),
    )
    return job_to_json(job, call.project)


async def _run_annotator_on_documents(
    request: Request, name: str | None, documents: list[dict[str, Any]], options: AnnotateOptions
) -> list[dict[str, Any]]:
    def start(call: ProjectCall) -> Job:
        tool = service.choose_annotator(call, name)
        return service.start_annotation(call, tool, options.model_dump(by_alias=True), documents=documents)

    return await wait_for_annotated_documents(request, ANNOTATE, options, start)


@router.post(
    "/annotate/projects/{project_name}/annotators/{annotator_name}/_annotate",
    responses=ANNOTATED,
    openapi_extra=TEXT_BODY,
)
@router.post(
    "/projects/{project_name}/annotators/{annotator_name}/_annotate", responses=ANNOTATED, openapi_extra=TEXT_BODY
)
@with_access_rule(ANNOTATE)
async def annotate_text(request: Request, project_name: ProjectPath, annotator_name: str, options: Options) -> Response:
    """Annotate a text that is sent as text/plain; nothing is stored."""
    return await json_response(
        (
            await _run_annotator_on_documents(
                request, annotator_name, [{"text": await read_text_body(request)}], options
            )
        )[0]
    )


@router.post("/annotate/projects/{project_name}/_annotate", responses=ANNOTATED, openapi_extra=TEXT_BODY)
@router.post("/projects/{project_name}/_annotate", responses=ANNOTATED, openapi_extra=TEXT_BODY)
@with_access_rule(ANNOTATE)
async def annotate_text_by_default(request: Request, project_name: ProjectPath, options: Options) -> Response:
    """Annotate a text with the project's default annotator; nothing is stored."""
    return await json_response(
        (await _run_annotator_on_documents(request, None, [{"text": await read_text_body(request)}], options))[0]
    )


@router.post(
    "/annotate/projects/{project_name}/annotators/{annotator_name}/_annotate_documents", responses=ANNOTATED_MANY
)
@router.post("/projects/{project_name}/annotators/{annotator_name}/_annotate_documents", responses=ANNOTATED_MANY)
@with_access_rule(ANNOTATE, DOCUMENTS)
async def annotate_documents(
    request: Request, project_name: ProjectPath, annotator_name: str, body: list[InputDocument], options: Options
) -> Response:
    """Annotate documents; nothing is stored."""
    return await json_response(
        await _run_annotator_on_documents(request, annotator_name, await documents_to_json(body), options)
    )
