"""Plans of a project."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.access.routing import Operations
from annotarium.domains.engines.schemas import GeneratedLabelHint, InputLabel
from annotarium.domains.plans import service
from annotarium.domains.plans.schemas import NewPlan, PlanOperationResponse, PlanPatch, PlanRead

router = Operations(tags=["plans"])
DryRun = Annotated[bool, Query(alias="dryRun", description="Only check, and answer which jobs would be started")]
Dependencies = Annotated[bool, Query(alias="includeStepDependencies", description="Steps name all they need already")]


@router.get("/projects/{project_name}/plans", response_model_exclude_none=True)
@guarded(project="read")
def list_plans(call: ProjectCall, tags: str = "", include_step_dependencies: Dependencies = False) -> list[PlanRead]:
    """Plans, those with all the comma-separated tags when given."""
    return service.list_plans(call, [tag for tag in tags.split(",") if tag])


@router.post("/projects/{project_name}/plans")
@guarded(project="write", idempotent=True)
def create_plan(call: ProjectCall, body: NewPlan, dry_run: DryRun = False) -> PlanOperationResponse:
    """Create a plan."""
    return service.create_plan(call, body, dry_run=dry_run)


@router.post("/projects/{project_name}/plans/_label_hint")
@guarded(project="read")
def label_hint(call: ProjectCall, body: InputLabel) -> GeneratedLabelHint:
    """A free label near the wished one."""
    return service.label_hint(call, body.label)


@router.get("/projects/{project_name}/plans/{plan_name}", response_model_exclude_none=True)
@guarded(project="read")
def read_plan(call: ProjectCall, plan_name: str, include_step_dependencies: Dependencies = False) -> PlanRead:
    """One plan."""
    return service.read_plan(call, plan_name)


@router.patch("/projects/{project_name}/plans/{plan_name}")
@guarded(project="write")
def update_plan(call: ProjectCall, plan_name: str, body: PlanPatch, dry_run: DryRun = False) -> PlanOperationResponse:
    """Change a plan, or make it active or a favourite."""
    return service.update_plan(call, plan_name, body, dry_run=dry_run)


@router.delete("/projects/{project_name}/plans/{plan_name}")
@guarded(project="write")
def delete_plan(call: ProjectCall, plan_name: str, dry_run: DryRun = False) -> PlanOperationResponse:
    """Delete a plan."""
    return service.delete_plan(call, plan_name, dry_run=dry_run)
