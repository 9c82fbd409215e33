"""Endpoints of a project's annotations."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.content.labelling import bulk_count_and_delete
from annotarium.db.models import Annotation
from annotarium.domains.annotations import occurrence_labelling, propagation, service
from annotarium.domains.annotations.schemas import (
    AnnotationCreate,
    AnnotationPatch,
    AnnotationRead,
    Changed,
    OccurrenceLabelling,
    OccurrencesLabelled,
    Propagated,
    Propagation,
)
from annotarium.http.parameters import CreatorFilter, LabelFilter
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack, CreatorCount, OperationCount

router = DomainRouter(tags=["annotations"])


def _find_occurrences(call: ProjectCall, annotation_id: str, body: Propagation) -> propagation.FoundOccurrences:
    return propagation.find_occurrences(call, annotation_id, body)


@router.post("/projects/{project_name}/annotations", response_model_exclude_none=True)
@guarded(project="write", idempotent=True, inline=True)
def create_annotation(call: ProjectCall, body: AnnotationCreate) -> AnnotationRead:
    """Create an annotation."""
    return service.create_annotation(call, body)


@router.post("/projects/{project_name}/annotations/_label_occurrences", response_model_exclude_none=True)
@guarded(project="write", idempotent=True, dry_run_reads=True, prepare=occurrence_labelling.find_places)
def label_occurrences(call: ProjectCall, body: OccurrenceLabelling) -> OccurrencesLabelled:
    """Label all occurrences of words in a document, in what a search finds or in the corpus (extension)."""
    return occurrence_labelling.label_occurrences(call, body)


@router.post("/projects/{project_name}/annotations/_count")
@guarded(project="read")
def count_annotations(
    call: ProjectCall, labels: LabelFilter = None, created_by: CreatorFilter = None
) -> OperationCount:
    """Count annotations by label and creator."""
    return bulk_count_and_delete.count_with_labels_and_creators(call, Annotation, labels or [], created_by or [])


@router.post("/projects/{project_name}/annotations/_count_creators")
@guarded(project="read")
def count_creators(call: ProjectCall) -> list[CreatorCount]:
    """Count annotations per creator."""
    return bulk_count_and_delete.count_rows_per_creator(call, Annotation)


@router.patch("/projects/{project_name}/annotations/{annotation_id}", response_model_exclude_none=True)
@guarded(project="write", idempotent=True, inline=True, versioned=True)
def update_annotation(call: ProjectCall, annotation_id: str, body: AnnotationPatch) -> Changed:
    """Change an annotation; `If-Match` protects concurrent changes from being overwritten."""
    return service.update_annotation(call, annotation_id, body)


@router.delete("/projects/{project_name}/annotations/{annotation_id}")
@guarded(project="write", idempotent=True, inline=True, versioned=True)
def delete_annotation(call: ProjectCall, annotation_id: str) -> Ack:
    """Delete an annotation."""
    return service.delete_annotation(call, annotation_id)


@router.post("/projects/{project_name}/annotations/{annotation_id}/_restore", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def restore_annotation(call: ProjectCall, annotation_id: str) -> Changed:
    """Restore a deleted annotation."""
    return service.restore_annotation(call, annotation_id)


@router.post("/projects/{project_name}/annotations/{annotation_id}/_propagate", response_model_exclude_none=True)
@guarded(project="write", idempotent=True, dry_run_reads=True, prepare=_find_occurrences)
def propagate_annotation(call: ProjectCall, annotation_id: str, body: Propagation) -> Propagated:
    """Copy an annotation to all equal occurrences in its document or, as a job, in the corpus (extension)."""
    return propagation.propagate(call, annotation_id, body)
