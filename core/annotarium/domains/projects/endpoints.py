"""Endpoints of projects: list, creation, settings, split, re-indexing."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Request

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import Rule, guarded, with_access_rule
from annotarium.access.request_limits import WAITS
from annotarium.domains.jobs.job_responses import Wait, answer_with_job
from annotarium.domains.jobs.schemas import SherpaJobBean
from annotarium.domains.projects import compatibility_endpoints, service
from annotarium.domains.projects.archive import endpoints as archives
from annotarium.domains.projects.archive import gazetteer_endpoints
from annotarium.domains.projects.schemas import (
    ProjectConfigPatch,
    ProjectCreate,
    ProjectRead,
    ProjectStatus,
)
from annotarium.domains.splits import service as splits
from annotarium.domains.splits.schemas import SplitRead, SplitSearch
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack

router = DomainRouter(
    tags=["projects"],
    routes=[*archives.router.routes, *gazetteer_endpoints.router.routes, *compatibility_endpoints.router.routes],
)

Metrics = Annotated[bool, Query(alias="computeMetrics", description="Add the counts")]
Estimated = Annotated[bool, Query(alias="estimatedCounts", description="Add the counts; they need not be exact")]
EnginesAsked = Annotated[bool, Query(alias="computeEngines")]
GroupName = Annotated[str | None, Query(alias="groupName")]
ProjectPath = Annotated[str, Path(description="Name of the project")]

REINDEX_ALL = Rule(("writeProject:*",))
REINDEX = Rule(project="write")


@router.get("/projects", response_model_exclude_none=True)
@guarded(write=False)
def list_projects(
    call: Call,
    metrics: Metrics = False,
    owners: Annotated[bool, Query(alias="computeOwners")] = False,
    engines: EnginesAsked = False,
    estimated: Estimated = False,
    group_name: GroupName = None,
    username: str | None = None,
) -> list[ProjectRead]:
    """Projects the caller may read."""
    return service.list_projects(
        call,
        metrics=metrics or estimated,
        owners=owners,
        engines=engines,
        group_name=group_name,
        username=username,
    )


@router.post("/projects")
@guarded("createProject", idempotent=True)
def create_project(call: Call, body: ProjectCreate, group_name: GroupName = None) -> ProjectStatus:
    """Create a project."""
    return service.create_project(call, body, group_name)


@router.post("/projects/_reindex", responses={200: {"model": SherpaJobBean}})
@with_access_rule(REINDEX_ALL, WAITS)
async def reindex_projects(request: Request, wait: Wait = False) -> dict[str, Any]:
    """Rebuild the search indices of all projects."""
    return await answer_with_job(request, REINDEX_ALL, service.start_reindex_all, wait=wait)


@router.delete("/projects/{project_name}")
@guarded(project="read", write=True)
def delete_project(call: ProjectCall) -> Ack:
    """Delete a project. Allowed for its owner, and for users who may write it and have `deleteProject`."""
    return service.delete_project(call)


@router.get("/projects/{project_name}/_info", response_model_exclude_none=True)
@guarded(project="read")
def read_info(
    call: ProjectCall,
    metrics: Metrics = False,
    owner: Annotated[bool, Query(alias="computeOwner")] = True,
    engines: EnginesAsked = True,
    estimated: Estimated = False,
) -> ProjectRead:
    """One project."""
    return service.read_project(call, metrics=metrics or estimated, owners=owner, engines=engines)


@router.get("/projects/{project_name}/config", response_model_exclude_none=True)
@guarded(project="read")
def read_config(call: ProjectCall) -> ProjectRead:
    """One project with its settings."""
    return service.read_project(call, metrics=False, owners=True, engines=True)


@router.patch("/projects/{project_name}/config", status_code=204)
@guarded(project="write")
def update_config(call: ProjectCall, body: ProjectConfigPatch) -> None:
    """Change settings. Allowed for the owner, and for users who may write it and have `changeProjectConfig`."""
    service.update_config(call, body)


@router.post("/projects/{project_name}/_reindex", responses={200: {"model": SherpaJobBean}})
@with_access_rule(REINDEX, WAITS)
async def reindex_project(request: Request, project_name: ProjectPath, wait: Wait = False) -> dict[str, Any]:
    """Rebuild the search index of a project."""
    return await answer_with_job(request, REINDEX, service.start_reindex, wait=wait)


@router.get("/projects/{project_name}/_split_corpus")
@guarded(project="read")
def read_split(call: ProjectCall) -> SplitRead:
    """The sizes of the training and test parts, and how the split was made."""
    return splits.read_split(call)


@router.post("/projects/{project_name}/_split_corpus", status_code=204)
@guarded(project="write")
def split_corpus(call: ProjectCall, asked: Annotated[SplitSearch, Query()]) -> None:
    """Split the documents into training and test parts: at random, by metadata, or by a search."""
    if asked.by == "metadata":
        splits.split_by_metadata(call, asked.metadata_field, asked.test_values)
    elif asked.by == "search":
        splits.split_by_search(call, asked.selection())
    else:
        splits.split_documents(
            call, test_size=asked.test_size, incremental=asked.incremental, group_field=asked.group_field
        )
    service.notify_project_changed(call)
