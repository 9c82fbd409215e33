"""Endpoint to create a project like another one."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.project_templates import service
from annotarium.domains.project_templates.schemas import ProjectFromTemplate
from annotarium.domains.projects.schemas import ProjectCreate
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["projects"])


@router.post("/projects/{project_name}/_use_as_template", response_model_exclude_none=True)
@guarded("createProject", project="read", write=True, idempotent=True)
def create_from_template(
    call: ProjectCall,
    body: ProjectCreate,
    group_name: Annotated[str | None, Query(alias="groupName")] = None,
    with_terms: Annotated[bool, Query(alias="withTerms", description="Copy the terms of lexicons, as a job")] = False,
) -> ProjectFromTemplate:
    """Create a project with the labels, label sets, relation names, lexicons, settings and plans of this one, without
    its documents (extension). The body says the rest; its nature is that of this project.
    """
    return service.create_from_template(call, body, group_name, with_terms=with_terms)
