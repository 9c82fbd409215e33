"""Calls of the published description that look after a server with databases and indices of its own.

Here everything lives in one record: projects run as long as the server does, and nothing foreign lies beside them.
Each call says so in its answer instead of pretending to have done something.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.projects import service
from annotarium.domains.projects.schemas import ProjectStatus
from annotarium.errors import Conflict, NotFound
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack
from annotarium_schemas.messages import message
from annotarium_schemas.shape import Shape

router = DomainRouter(tags=["projects"])
Named = Annotated[str, Query(alias="projectName")]
EVERY_PROJECT = "writeProject:*"


class ExternalDatabases(Shape):
    """Names of databases."""

    databases: list[str] = Field(max_length=1_000)


class ExternalResources(Shape):
    """Indices and databases that are not this server's."""

    indexes: list[str] = Field(max_length=1_000)
    databases: list[str] = Field(max_length=1_000)


@router.get("/projects/{project_name}/properties")
@guarded(project="read")
def read_properties(call: ProjectCall) -> dict[str, Any]:
    """Properties of a project: the names and values it was created with."""
    return dict(call.project.properties)


def _require_readable_project(call: Call, name: str) -> None:
    if name not in {project.name for project in service.readable_projects(call)}:
        raise NotFound(message("none.project", "There is no project {name}", name=name))


@router.post("/projects/_deploy")
@guarded(EVERY_PROJECT, write=False)
def deploy_project(call: Call, name: Named) -> ProjectStatus:
    """That a project runs, as all of them do."""
    _require_readable_project(call, name)
    return ProjectStatus(project_name=name, status="deployed")


@router.post("/projects/_undeploy")
@guarded(EVERY_PROJECT, write=False)
def undeploy_project(call: Call, name: Named) -> Ack:
    """A project cannot be stopped on its own."""
    _require_readable_project(call, name)
    raise Conflict(
        f"{name} runs as long as the server does",
        cause=message("wrong.noProcesses", "Projects have no processes of their own here"),
        fix="End its shares, or export and delete it",
    )


@router.post("/projects/_enroll_databases")
@guarded(EVERY_PROJECT, write=False)
def enroll_databases(call: Call, body: ExternalDatabases, deploy: bool = True) -> ExternalDatabases:
    """Databases that could not be taken over: all of them, because projects come in as archives (`_load`)."""
    return body


@router.get("/_external_resources")
@guarded(EVERY_PROJECT, write=False)
def list_external_resources(
    call: Call,
    ignore_indexes: Annotated[str | None, Query(alias="ignoreIndexes")] = None,
    ignore_databases: Annotated[str | None, Query(alias="ignoreDatabases")] = None,
) -> ExternalResources:
    """Foreign indices and databases: there are none, the server keeps to its data folder."""
    return ExternalResources(indexes=[], databases=[])


@router.delete("/_external_resources")
@guarded(EVERY_PROJECT, write=False)
def delete_external_resources(call: Call, body: ExternalResources) -> ExternalResources:
    """What could not be deleted: everything named, because nothing foreign is within reach."""
    return body


@router.get("/app_state")
@guarded(EVERY_PROJECT, write=False)
def read_app_state(call: Call) -> dict[str, Any]:
    """Facts for who looks after the server."""
    return {"projects": len(service.readable_projects(call))}
