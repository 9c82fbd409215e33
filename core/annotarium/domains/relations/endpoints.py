"""Endpoints of relations and their names (not part of the published API)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.relations import names, service
from annotarium.domains.relations.schemas import (
    RelationChanged,
    RelationCreate,
    RelationNameConsequences,
    RelationNameCreate,
    RelationNameDeleted,
    RelationNamePatch,
    RelationNameRead,
    RelationPatch,
    Relations,
)
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack
from annotarium_schemas.corpus import DocRelation

router = DomainRouter(tags=["relations"])

DocumentIdentifier = Annotated[str, Query(alias="documentIdentifier")]
WithRelations = Annotated[bool, Query(alias="withRelations")]


@router.get("/projects/{project_name}/relations", response_model_exclude_none=True)
@guarded(project="read")
def list_relations(call: ProjectCall, document_identifier: DocumentIdentifier) -> Relations:
    """Relations of a document between annotations that the caller may read."""
    return service.list_relations(call, document_identifier)


@router.post("/projects/{project_name}/relations", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def create_relation(call: ProjectCall, body: RelationCreate) -> DocRelation:
    """Link two annotations of a document."""
    return service.create_relation(call, body)


@router.patch("/projects/{project_name}/relations/{relation_id}", response_model_exclude_none=True)
@guarded(project="write", idempotent=True, versioned=True)
def update_relation(call: ProjectCall, relation_id: str, body: RelationPatch) -> RelationChanged:
    """Change a relation; `If-Match` detects concurrent changes."""
    return service.update_relation(call, relation_id, body)


@router.delete("/projects/{project_name}/relations/{relation_id}")
@guarded(project="write", idempotent=True, versioned=True)
def delete_relation(call: ProjectCall, relation_id: str) -> Ack:
    """Delete a relation; it can be restored."""
    return service.delete_relation(call, relation_id)


@router.post("/projects/{project_name}/relations/{relation_id}/_restore", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def restore_relation(call: ProjectCall, relation_id: str) -> RelationChanged:
    """Restore a deleted relation."""
    return service.restore_relation(call, relation_id)


@router.get("/projects/{project_name}/relation_names")
@guarded(project="read")
def list_relation_names(call: ProjectCall) -> list[RelationNameRead]:
    """Names for relations in the project, with colours and counts."""
    return names.list_names(call)


@router.post("/projects/{project_name}/relation_names")
@guarded("writeLabel", project="write", idempotent=True)
def create_relation_name(call: ProjectCall, body: RelationNameCreate) -> RelationNameRead:
    """Add a name for relations."""
    return names.create_name(call, body)


@router.get("/projects/{project_name}/relation_names/_consequences")
@guarded("writeLabel", project="read")
def count_relation_name_consequences(call: ProjectCall, name: str) -> RelationNameConsequences:
    """Count what deleting a name would delete, as a preview."""
    return names.count_consequences(call, name)


@router.put("/projects/{project_name}/relation_names/{relation_name:path}")
@guarded("writeLabel", project="write")
def update_relation_name(call: ProjectCall, relation_name: str, body: RelationNamePatch) -> RelationNameRead:
    """Rename a name with all its relations, or change its colour."""
    return names.update_name(call, relation_name, body)


@router.delete("/projects/{project_name}/relation_names/{relation_name:path}", response_model_exclude_none=True)
@guarded("writeLabel", project="write")
def delete_relation_name(
    call: ProjectCall, relation_name: str, with_relations: WithRelations = False
) -> RelationNameDeleted:
    """Delete a name. Names in use are only deleted `withRelations`, together with their relations."""
    return names.delete_name(call, relation_name, with_relations=with_relations)
