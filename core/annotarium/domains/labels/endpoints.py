"""Endpoints of the labels and label sets of a project."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.labels import label_sets, service
from annotarium.domains.labels.schemas import (
    DeleteResponse,
    LabelConsequences,
    LabelCreate,
    LabellingMove,
    LabellingMoved,
    LabelList,
    LabelListCreated,
    LabelMove,
    LabelNames,
    LabelRead,
    LabelSetRead,
    LabelSetWrite,
    LabelUpdate,
)
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["labels"])

IncludeCount = Annotated[bool, Query(alias="includeCount")]
IncludeLabels = Annotated[bool, Query(alias="includeLabels")]
IncludeLabelsCount = Annotated[bool, Query(alias="includeLabelsCount")]


@router.get("/projects/{project_name}/labels", response_model_exclude_none=True)
@guarded(project="read")
def list_labels(
    call: ProjectCall,
    include_count: IncludeCount = False,
    label_set_name: Annotated[str | None, Query(alias="labelSetName")] = None,
) -> list[LabelRead]:
    """Labels of the project or of one set."""
    return service.list_labels(call, label_set_name=label_set_name, include_count=include_count)


@router.post("/projects/{project_name}/labels", response_model_exclude_none=True)
@guarded("writeLabel", project="write", idempotent=True)
def create_label(call: ProjectCall, body: LabelCreate) -> LabelRead:
    """Create a label."""
    return service.create_label(call, body)


@router.delete("/projects/{project_name}/labels", response_model_exclude_none=True)
@guarded("writeLabel", project="write")
def delete_labels(call: ProjectCall, body: LabelNames) -> DeleteResponse:
    """Delete labels with their annotations and categories."""
    return service.delete_labels(call, body.names)


@router.post("/projects/{project_name}/labels/_list", response_model_exclude_none=True)
@guarded("writeLabel", project="write", idempotent=True)
def create_labels(call: ProjectCall, body: LabelList) -> LabelListCreated:
    """Create a list of labels, all or none; labels that exist are left as they are (extension)."""
    return service.create_labels(call, body)


@router.post("/projects/{project_name}/labels/_merge", response_model_exclude_none=True)
@guarded("writeLabel", project="write")
def merge_labels(call: ProjectCall, body: LabelNames) -> DeleteResponse:
    """Merge labels into the first one named."""
    return service.merge_labels(call, body.names)


@router.post("/projects/{project_name}/labels/_move", response_model_exclude_none=True)
@guarded("writeLabel", project="write")
def move_labels(call: ProjectCall, body: LabelMove) -> DeleteResponse:
    """Move labels to another set (extension)."""
    return service.move_labels(call, body)


@router.post("/projects/{project_name}/labels/_consequences", response_model_exclude_none=True)
@guarded(project="read")
def count_consequences(call: ProjectCall, body: LabelNames) -> LabelConsequences:
    """Count what deleting or merging labels would change, as a preview (extension)."""
    return service.count_consequences(call, body.names)


@router.post("/projects/{project_name}/labels/{label_name:path}/_move", response_model_exclude_none=True)
@guarded("writeLabel", project="write")
def move_labelling(call: ProjectCall, label_name: str, body: LabellingMove) -> LabellingMoved:
    """Move a selection of a label's annotations and categories to another label, or count it. Not part of the published
    API.
    """
    return service.move_labelling(call, label_name, body)


@router.get("/projects/{project_name}/label/{label_name:path}", response_model_exclude_none=True)
@router.get("/projects/{project_name}/labels/{label_name:path}", response_model_exclude_none=True)
@guarded(project="read")
def read_label(call: ProjectCall, label_name: str, include_count: IncludeCount = False) -> LabelRead:
    """One label; both the singular and the plural path are served (conflicts 39)."""
    return service.read_label(call, label_name, include_count=include_count)


@router.patch("/projects/{project_name}/labels/{label_name:path}", response_model_exclude_none=True)
@router.put("/projects/{project_name}/labels/{label_name:path}", response_model_exclude_none=True)
@guarded("writeLabel", project="write", versioned=True)
def update_label(call: ProjectCall, label_name: str, body: LabelUpdate) -> LabelRead:
    """Change a label; its name cannot be changed."""
    return service.update_label(call, label_name, body)


@router.delete("/projects/{project_name}/labels/{label_name:path}", response_model_exclude_none=True)
@guarded("writeLabel", project="write")
def delete_label(call: ProjectCall, label_name: str) -> DeleteResponse:
    """Delete a label with its annotations and categories."""
    return service.delete_labels(call, [label_name])


@router.get("/projects/{project_name}/label_sets", response_model_exclude_none=True)
@guarded(project="read")
def list_label_sets(
    call: ProjectCall, include_labels: IncludeLabels = True, include_labels_count: IncludeLabelsCount = False
) -> list[LabelSetRead]:
    """Label sets, by default with their labels."""
    return label_sets.list_label_sets(call, include_labels=include_labels, include_count=include_labels_count)


@router.post("/projects/{project_name}/label_sets", response_model_exclude_none=True)
@guarded("writeLabel", project="write", idempotent=True)
def create_label_set(call: ProjectCall, body: LabelSetWrite) -> LabelSetRead:
    """Create a label set."""
    return label_sets.create_label_set(call, body)


@router.post("/projects/{project_name}/label_sets/_merge", response_model_exclude_none=True)
@guarded("writeLabel", project="write")
def merge_label_sets(call: ProjectCall, body: LabelNames) -> DeleteResponse:
    """Merge label sets into the first one named (extension)."""
    return label_sets.merge_label_sets(call, body.names)


@router.get("/projects/{project_name}/label_sets/{label_set_name:path}", response_model_exclude_none=True)
@guarded(project="read")
def read_label_set(
    call: ProjectCall,
    label_set_name: str,
    include_labels: IncludeLabels = True,
    include_labels_count: IncludeLabelsCount = False,
) -> LabelSetRead:
    """One label set."""
    return label_sets.read_label_set(
        call, label_set_name, include_labels=include_labels, include_count=include_labels_count
    )


@router.patch("/projects/{project_name}/label_sets/{label_set_name:path}", response_model_exclude_none=True)
@guarded("writeLabel", project="write", versioned=True)
def update_label_set(call: ProjectCall, label_set_name: str, body: LabelSetWrite) -> LabelSetRead:
    """Change a label set; its name cannot be changed."""
    return label_sets.update_label_set(call, label_set_name, body)


@router.delete("/projects/{project_name}/label_sets/{label_set_name:path}", response_model_exclude_none=True)
@guarded("writeLabel", project="write")
def delete_label_set(call: ProjectCall, label_set_name: str) -> DeleteResponse:
    """Delete a label set with its labels."""
    return label_sets.delete_label_set(call, label_set_name)
