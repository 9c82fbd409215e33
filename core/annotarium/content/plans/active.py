"""The active plans of a project: how its files are read and its texts are segmented."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.content.plans import plan_types, repository
from annotarium.content.plans.runner import find_model_of_step
from annotarium.content.plans.validation import validate_plan
from annotarium.content.segmenter_choice import SegmenterChoice, segmenter_choice
from annotarium.db.models import Plan, Project
from annotarium.errors import InvalidInput
from annotarium_schemas.messages import message
from annotarium_schemas.plans import AnnotationPlan, WithAnnotator

REPAIR_FIX = message("fix.plan", "Repair or deactivate the plan, or specify a converter for this import")


class ActivePlan(BaseModel):
    """A plan as it was when an import was requested. Later changes of the plan do not affect the import."""

    name: str
    label: str
    plan: AnnotationPlan

    def arguments(self) -> dict[str, Any]:
        """Return the plan as JSON for the parameters of a job."""
        return {"name": self.name, "label": self.label, "plan": self.plan.stored()}


def plan_of(row: Plan) -> AnnotationPlan:
    """Return the content of a stored plan."""
    return AnnotationPlan.model_validate(row.parameters)


def find_active(session: Session, project_id: int, type_: str) -> Plan | None:
    """Return the active plan of a type, the newest if there are several, None if there is none."""
    wanted = plan_types.ACTIVE + type_
    rows = [row for row in repository.list_plans(session, project_id) if wanted in row.tags]
    return rows[-1] if rows else None


def active_conversion_plan(call: ProjectCall) -> ActivePlan | None:
    """Return the active conversion plan, None if there is none.

    Raises:
        InvalidInput: the plan cannot run, e.g. because a component is not installed any more.
    """
    row = find_active(call.session, call.project.id, plan_types.CONVERSION)
    if row is None:
        return None
    plan = plan_of(row)

    def known(step: WithAnnotator) -> bool:
        return step.disabled or find_model_of_step(call, step) is not None

    try:
        return ActivePlan(name=row.name, label=row.label, plan=validate_plan(plan, plan_types.CONVERSION, known))
    except InvalidInput as error:
        first = error.details[0]["message"] if error.details else error.message
        text = "The active conversion plan {label} cannot be used: {why}"
        problem = message("plan.unusable", text, label=row.label, why=first)
        raise InvalidInput(problem, fix=REPAIR_FIX, details=error.details) from error


def active_segmenter(session: Session, project: Project, conversion: AnnotationPlan | None = None) -> SegmenterChoice:
    """Return the segmenter of a project: that of its active segmentation plan, else that of its settings.

    Args:
        conversion: the plan that an import uses; its segmenter takes precedence.
    """
    segmenter = conversion.segmenter if conversion is not None else None
    if segmenter is None:
        row = find_active(session, project.id, plan_types.SEGMENTATION)
        segmenter = plan_types.segmenter_of(plan_of(row)) if row is not None else None
    own = segmenter_choice(project)
    if segmenter is None:
        return own
    return own.model_copy(update={"name": segmenter.name, "parameters": segmenter.parameters})
