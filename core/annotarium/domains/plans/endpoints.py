"""Endpoints of the plans of a project."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.plans import service
from annotarium.domains.plans.defaults import DefaultPlanContext, default_plans
from annotarium.domains.plans.schemas import (
    DefaultPlan,
    DefaultProcessorContext,
    NewPlan,
    PlanOperationResponse,
    PlanPatch,
    PlanRead,
)
from annotarium.domains.trainables.schemas import GeneratedLabelHint, InputLabel
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["plans"])
DryRun = Annotated[bool, Query(alias="dryRun", description="Only check, and answer which jobs would be started")]
AsPipeline = Annotated[
    bool, Query(alias="asPipeline", description="Every component is a step, otherwise a segmenter stands beside them")
]
Dependencies = Annotated[bool, Query(alias="includeStepDependencies", description="Steps name all they need already")]


@router.get("/projects/{project_name}/plans", response_model_exclude_none=True)
@guarded(project="read")
def list_plans(call: ProjectCall, tags: str = "", include_step_dependencies: Dependencies = False) -> list[PlanRead]:
    """Plans of the project; if tags are given (comma-separated), those that have all of them."""
    return service.list_plans(call, _split_tags(tags))


def _split_tags(given: str) -> list[str]:
    return [tag.strip() for tag in given.split(",") if tag.strip()]


@router.post("/processors/_default", response_model_exclude_none=True)
@guarded(write=False)
def default_processors(
    call: Call, body: DefaultProcessorContext, as_pipeline: AsPipeline = True, tags: str = ""
) -> list[DefaultPlan]:
    """Default plans for a language and a nature."""
    return default_plans(DefaultPlanContext.of(call, body), _split_tags(tags), as_pipeline=as_pipeline)


@router.post("/projects/{project_name}/processors/_default", response_model_exclude_none=True, tags=["projects"])
@guarded(project="read")
def default_processors_of_project(
    call: ProjectCall, as_pipeline: AsPipeline = True, tags: str = ""
) -> list[DefaultPlan]:
    """Default plans for the project."""
    return default_plans(DefaultPlanContext.of(call), _split_tags(tags), as_pipeline=as_pipeline)


@router.post("/projects/{project_name}/plans")
@guarded(project="write", idempotent=True)
def create_plan(call: ProjectCall, body: NewPlan, dry_run: DryRun = False) -> PlanOperationResponse:
    """Create a plan."""
    return service.create_plan(call, body, dry_run=dry_run)


@router.post("/projects/{project_name}/plans/_label_hint")
@guarded(project="read")
def label_hint(call: ProjectCall, body: InputLabel) -> GeneratedLabelHint:
    """A free label, derived from the requested one."""
    return service.suggest_free_label(call, body.label)


@router.get("/projects/{project_name}/plans/{plan_name}", response_model_exclude_none=True)
@guarded(project="read")
def read_plan(call: ProjectCall, plan_name: str, include_step_dependencies: Dependencies = False) -> PlanRead:
    """One plan."""
    return service.read_plan(call, plan_name)


@router.patch("/projects/{project_name}/plans/{plan_name}")
@guarded(project="write", versioned=True)
def update_plan(call: ProjectCall, plan_name: str, body: PlanPatch, dry_run: DryRun = False) -> PlanOperationResponse:
    """Change a plan, activate or deactivate it, or mark it as favourite."""
    return service.update_plan(call, plan_name, body, dry_run=dry_run)


@router.post("/projects/{project_name}/plans/{plan_name}/_restore")
@guarded(project="write", idempotent=True)
def restore_plan(call: ProjectCall, plan_name: str) -> PlanOperationResponse:
    """Restore a deleted plan (extension)."""
    return service.restore_plan(call, plan_name)


@router.delete("/projects/{project_name}/plans/{plan_name}")
@guarded(project="write", versioned=True)
def delete_plan(call: ProjectCall, plan_name: str, dry_run: DryRun = False) -> PlanOperationResponse:
    """Delete a plan."""
    return service.delete_plan(call, plan_name, dry_run=dry_run)
