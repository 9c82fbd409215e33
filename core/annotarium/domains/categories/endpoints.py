"""Endpoints of a project's categories."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.content.labelling import bulk_count_and_delete
from annotarium.db.models import Category
from annotarium.domains.categories import propagation, service
from annotarium.domains.categories.schemas import (
    CategoryChanged,
    CategoryCreate,
    CategoryId,
    CategoryPatch,
    CategoryPropagated,
    CategoryPropagation,
    CategoryRead,
)
from annotarium.http.parameters import CreatorFilter, LabelFilter
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import CreatorCount, OperationCount

router = DomainRouter(tags=["categories"])


def _find_positions(call: ProjectCall, category_id: str, body: CategoryPropagation) -> propagation.FoundSimilar:
    return propagation.find_positions(call, category_id, body)


@router.post("/projects/{project_name}/categories", response_model_exclude_none=True)
@guarded(project="write", idempotent=True, inline=True)
def create_category(call: ProjectCall, body: CategoryCreate) -> CategoryRead:
    """Categorise a document or a sentence."""
    return service.create_category(call, body)


@router.post("/projects/{project_name}/categories/_count")
@guarded(project="read")
def count_categories(call: ProjectCall, labels: LabelFilter = None, created_by: CreatorFilter = None) -> OperationCount:
    """Count categories by label and creator."""
    return bulk_count_and_delete.count_with_labels_and_creators(call, Category, labels or [], created_by or [])


@router.post("/projects/{project_name}/categories/_count_creators")
@guarded(project="read")
def count_creators(call: ProjectCall) -> list[CreatorCount]:
    """Count categories per creator."""
    return bulk_count_and_delete.count_rows_per_creator(call, Category)


@router.patch("/projects/{project_name}/categories/{category_id}", response_model_exclude_none=True)
@guarded(project="write", idempotent=True, inline=True, versioned=True)
def update_category(call: ProjectCall, category_id: str, body: CategoryPatch) -> CategoryChanged:
    """Confirm, reject or reset a category."""
    return service.update_category(call, category_id, body)


@router.delete("/projects/{project_name}/categories/{category_id}")
@guarded(project="write", idempotent=True, inline=True, versioned=True)
def delete_category(call: ProjectCall, category_id: str) -> CategoryId:
    """Delete a category."""
    return service.delete_category(call, category_id)


@router.post("/projects/{project_name}/categories/{category_id}/_propagate", response_model_exclude_none=True)
@guarded(project="write", idempotent=True, versioned=True, dry_run_reads=True, prepare=_find_positions)
def propagate_category(call: ProjectCall, category_id: str, body: CategoryPropagation) -> CategoryPropagated:
    """Assign a category to all equal or similar sentences or documents; in the corpus as a job (extension)."""
    return propagation.propagate(call, category_id, body)
