"""Endpoints of the published API that administer databases, indices and processes of projects.

Here all projects are in one database and have no processes of their own. The endpoints exist for compatibility; each
states in its response what (little) it does.
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
    """Indices and databases that do not belong to this server."""

    indexes: list[str] = Field(max_length=1_000)
    databases: list[str] = Field(max_length=1_000)


@router.get("/projects/{project_name}/properties")
@guarded(project="read")
def read_properties(call: ProjectCall) -> dict[str, Any]:
    """Properties of the project, as set on creation."""
    return dict(call.project.properties)


def _require_readable_project(call: Call, name: str) -> None:
    if name not in {project.name for project in service.readable_projects(call)}:
        raise NotFound(message("none.project", "There is no project {name}", name=name))


@router.post("/projects/_deploy")
@guarded(EVERY_PROJECT, write=False)
def deploy_project(call: Call, name: Named) -> ProjectStatus:
    """Report that a project is running; all projects are."""
    _require_readable_project(call, name)
    return ProjectStatus(project_name=name, status="deployed")


@router.post("/projects/_undeploy")
@guarded(EVERY_PROJECT, write=False)
def undeploy_project(call: Call, name: Named) -> Ack:
    """Always refused: a project cannot be stopped on its own."""
    _require_readable_project(call, name)
    raise Conflict(
        f"{name} runs as long as the server does",
        cause=message("wrong.noProcesses", "Projects do not have processes of their own here"),
        fix="End its shares, or export and delete it",
    )


@router.post("/projects/_enroll_databases")
@guarded(EVERY_PROJECT, write=False)
def enroll_databases(call: Call, body: ExternalDatabases, deploy: bool = True) -> ExternalDatabases:
    """Return the given databases as not enrolled; projects are imported from archives instead (`_load`)."""
    return body


@router.get("/_external_resources")
@guarded(EVERY_PROJECT, write=False)
def list_external_resources(
    call: Call,
    ignore_indexes: Annotated[str | None, Query(alias="ignoreIndexes")] = None,
    ignore_databases: Annotated[str | None, Query(alias="ignoreDatabases")] = None,
) -> ExternalResources:
    """Indices and databases of others: always none, as the server uses only its own data folder."""
    return ExternalResources(indexes=[], databases=[])


@router.delete("/_external_resources")
@guarded(EVERY_PROJECT, write=False)
def delete_external_resources(call: Call, body: ExternalResources) -> ExternalResources:
    """Return the given resources as not deleted, as the server does not manage any."""
    return body


@router.get("/app_state")
@guarded(EVERY_PROJECT, write=False)
def read_app_state(call: Call) -> dict[str, Any]:
    """Facts about the server for administrators."""
    return {"projects": len(service.readable_projects(call))}
