"""Rules of plans: permissions, names, tags, at most one active plan of a type, effects of activation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from annotarium.access.call import Call, ProjectCall, require_permission
from annotarium.content.plans import plan_types
from annotarium.content.plans import repository as shared_repository
from annotarium.content.plans.active import plan_of
from annotarium.content.plans.runner import find_model_of_step
from annotarium.content.plans.validation import components_of, validate_plan
from annotarium.content.version_check import check_version
from annotarium.db.corruption import convert_readable_rows, note_corruption
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Plan
from annotarium.db.row_marks import mark_modified, mark_restored
from annotarium.db.timestamps import iso
from annotarium.domains.components.service import require_component
from annotarium.domains.plans import repository
from annotarium.domains.plans.activation_effects import PlanState, plan_change_effects, preview_jobs
from annotarium.domains.plans.schemas import NewPlan, PlanOperationResponse, PlanPatch, PlanRead
from annotarium.domains.trainables.schemas import GeneratedLabelHint
from annotarium.domains.trainables.service import next_free_label, next_free_name
from annotarium.errors import InvalidInput, NotFound
from annotarium_schemas.messages import message, message_of
from annotarium_schemas.plans import AnnotationPlan, WithAnnotator

RIGHT = "changeProjectConfig"
"""Permission to change how the project works, which an active plan does (permissions.md)."""


def list_plans(call: ProjectCall, tags: Sequence[str]) -> list[PlanRead]:
    """Plans in creation order; if tags are given, those that have all of them."""
    rows = shared_repository.list_plans(call.session, call.project.id)
    return convert_readable_rows(
        [row for row in rows if set(tags) <= set(map(str, row.tags))], lambda row: _build_plan_read_model(call, row)
    )


def read_plan(call: ProjectCall, name: str) -> PlanRead:
    return _build_plan_read_model(call, _require(call, name))


def suggest_free_label(call: ProjectCall, label: str) -> GeneratedLabelHint:
    """The label, with a number appended if it is taken."""
    taken = [row.label for row in shared_repository.list_plans(call.session, call.project.id)]
    return GeneratedLabelHint(label_hint=next_free_label(label.strip() or "Plan", taken))


def create_plan(call: ProjectCall, body: NewPlan, *, dry_run: bool) -> PlanOperationResponse:
    """Create a plan. If its tags activate it, the jobs it requires are started.

    Args:
        dry_run: only validate, and return the jobs that would be started.

    Raises:
        InvalidInput: a component does not exist or its parameters are invalid; `details` name component and field.
        AccessDenied: the caller may not use a component, or may not activate plans.
    """
    repository.lock_project(call.session, call.project.id)
    tags = list(dict.fromkeys(body.tags))
    plan = _validate_plan_and_tags(call, body.parameters, tags)
    label = suggest_free_label(call, body.label or plan_types.plan_type_of(tags, plan).capitalize()).label_hint
    name = next_free_name(label, lambda taken: repository.is_plan_name_taken(call.session, call.project.id, taken))
    after = PlanState(name, plan_types.plan_type_of(tags, plan), plan_types.has_active_tag(tags), plan)
    if after.active:
        require_permission(call, RIGHT)
    if dry_run:
        return PlanOperationResponse(name=name, triggered_jobs=preview_jobs(call, None, after))
    row = Plan(id=new_id(), project_id=call.project.id, name=name, label=label, parameters=plan.stored(), tags=tags)
    row.created_by = row.modified_by = call.username
    call.session.add(row)
    return _apply_change(call, row, None, after, "created")


def update_plan(call: ProjectCall, name: str, body: PlanPatch, *, dry_run: bool) -> PlanOperationResponse:
    """Change a plan, activate or deactivate it, or mark it as favourite. Also raises the errors of `create_plan`.

    Raises:
        VersionMismatch: another user changed it in the meantime; `details` has the current state.
    """
    repository.lock_project(call.session, call.project.id)
    row = _require(call, name)
    _check_version(call, row)
    before = _plan_state(row)
    plan = body.parameters if body.parameters is not None else before.plan
    tags = list(row.tags) if body.tags is None else list(dict.fromkeys(body.tags))
    if (
        body.parameters is None and plan_types.plan_type_named_in_tags(tags) is None
    ):  # only its state tags were removed: keep its type
        tags = plan_types.tags_keeping_plan_type(tags, before.type, plan)
    if body.favorite is not None:
        tags = _set_favorite_tag(tags, plan_types.plan_type_of(tags, plan), wanted=body.favorite)
    activated = plan_types.has_active_tag(tags) and not before.active
    if body.parameters is not None or activated:
        plan = _validate_plan_and_tags(call, plan, tags)
    after = PlanState(name, plan_types.plan_type_of(tags, plan), plan_types.has_active_tag(tags), plan)
    if before.active != after.active or (after.active and body.parameters is not None):
        require_permission(call, RIGHT)
    if dry_run:
        return PlanOperationResponse(name=name, triggered_jobs=preview_jobs(call, before, after))
    row.label = body.label or row.label
    row.parameters, row.tags = plan.stored(), tags
    return _apply_change(call, row, before, after, "changed")


def delete_plan(call: ProjectCall, name: str, *, dry_run: bool) -> PlanOperationResponse:
    """Mark a plan as deleted. If it was active, the required jobs are started. Raises `VersionMismatch`."""
    repository.lock_project(call.session, call.project.id)
    row = _require(call, name)
    _check_version(call, row)
    before = _plan_state(row)
    if before.active:
        require_permission(call, RIGHT)
    if dry_run:
        return PlanOperationResponse(name=name, triggered_jobs=preview_jobs(call, before, None))
    row.deleted_at, row.deleted_by = now_ms(), call.username
    return _apply_change(call, row, before, None, "deleted")


def restore_plan(call: ProjectCall, name: str) -> PlanOperationResponse:
    """Restore a deleted plan as it was. If it was active, the jobs it requires are started.

    Raises:
        InvalidInput, AccessDenied: as in `create_plan`; a component may have been removed since.
    """
    repository.lock_project(call.session, call.project.id)
    row = repository.find_deleted_plan(call.session, call.project.id, name)
    if row is None:
        raise NotFound(message("none.deletedPlan", "There is no deleted plan {name} in this project", name=name))
    after = _plan_state(row)
    if after.active:
        require_permission(call, RIGHT)
        _validate_plan_and_tags(call, after.plan, list(map(str, row.tags)))
    row.label = suggest_free_label(call, row.label).label_hint
    mark_restored(row)
    return _apply_change(call, row, None, after, "created")


def _apply_change(
    call: ProjectCall, row: Plan, before: PlanState | None, after: PlanState | None, action: str
) -> PlanOperationResponse:
    """Complete a change made in the row: deactivate other plans of the type, start the required jobs, notify."""
    row.modified_at, row.modified_by = now_ms(), call.username
    if before is not None:
        row.version += 1
    if after is not None and after.active and after.type in plan_types.SINGLE_ACTIVE_TYPES:
        _deactivate_others(call, row, after.type)
    call.session.flush()
    start = plan_change_effects(call, before, after)
    jobs = start() if start is not None else []
    _notify(call, row.name, action)
    return PlanOperationResponse(name=row.name, triggered_jobs=jobs)


def _deactivate_others(call: ProjectCall, row: Plan, type_: str) -> None:
    for other in shared_repository.list_plans(call.session, call.project.id):
        if other.id != row.id and plan_types.ACTIVE + type_ in other.tags:
            # T-030: deactivating removes both state tags
            other.tags = plan_types.tags_keeping_plan_type(
                plan_types.without_state_tags(other.tags), type_, _plan_state(other).plan
            )
            mark_modified(other, call.username)
            _notify(call, other.name, "changed")


def _notify(call: ProjectCall, name: str, action: str) -> None:
    call.unit.emit("plans", {"type": action, "name": name, "by": call.username}, project=call.project.name)


def _require(call: ProjectCall, name: str) -> Plan:
    row = repository.find_plan(call.session, call.project.id, name)
    if row is None:
        raise NotFound(message("none.plan", "There is no plan {name} in this project", name=name))
    return row


def _check_version(call: ProjectCall, row: Plan) -> None:
    def current() -> dict[str, Any]:
        return _build_plan_read_model(call, row).model_dump(mode="json", by_alias=True, exclude_none=True)

    check_version(call, row.version, "The plan was changed by somebody else", current)


def _plan_state(row: Plan) -> PlanState:
    try:
        plan = plan_of(row)
    except ValidationError:  # damaged: it is listed, and can be changed or deleted
        note_corruption(row, "parameters", row.parameters)
        plan = AnnotationPlan(pipeline=[])
    tags = [tag for tag in row.tags if isinstance(tag, str)]
    return PlanState(row.name, plan_types.plan_type_of(tags, plan), plan_types.has_active_tag(tags), plan)


def validate_unsaved_plan(call: Call, plan: AnnotationPlan) -> AnnotationPlan:
    """Validate a plan that is run once without being stored; returns it with all parameters filled in.

    Raises the errors of `create_plan`; the caller must be allowed to use all its components.
    """
    return _validate_plan_components(call, plan, None)


def require_ready_plan(call: ProjectCall, name: str) -> tuple[str, AnnotationPlan]:
    """Label and content of a stored plan that can run now, with all parameters filled in.

    Raises:
        NotFound: there is no plan of that name.
        InvalidInput: it cannot run, for instance because a component is no longer installed.
    """
    row = _require(call, name)
    state = _plan_state(row)
    try:
        return row.label, validate_plan(state.plan, state.type, lambda step: find_model_of_step(call, step) is not None)
    except InvalidInput as error:
        why = error.details[0]["message"] if error.details else error.message
        words = message("plan.notReady", "The plan {label} does not work: {why}", label=row.label, why=why)
        fix = message("fix.repairPlan", "Repair the plan, or ask an administrator to install the component again")
        raise InvalidInput(words, fix=fix, details=error.details) from error


def _validate_plan_and_tags(call: ProjectCall, plan: AnnotationPlan, tags: Sequence[str]) -> AnnotationPlan:
    """Check tags and components; returns the plan with all parameters filled in."""
    type_ = plan_types.plan_type_of(tags, plan)
    _check_state_tags(tags, type_)
    return _validate_plan_components(call, plan, type_)


def _validate_plan_components(call: Call, plan: AnnotationPlan, type_: str | None) -> AnnotationPlan:
    done = validate_plan(plan, type_, lambda step: find_model_of_step(call, step) is not None)
    for part in components_of(done):
        if not (isinstance(part.step, WithAnnotator) and find_model_of_step(call, part.step)):
            _require_usable_component(call, part.kind, part.name, disabled=part.step is not None and part.step.disabled)
    return done


def _require_usable_component(call: Call, kind: str, name: str, *, disabled: bool) -> None:
    try:
        require_component(call.access, kind, name)
    except NotFound:
        if not disabled:
            raise


def _check_state_tags(tags: Sequence[str], type_: str) -> None:
    for tag in tags:
        for prefix in (plan_types.FAVORITE, plan_types.ACTIVE):
            if tag.startswith(prefix) and tag != prefix + type_:
                raise _wrong_tag(
                    message(
                        "plan.wrongTag", "The tag {tag} is not valid for a plan of the type {type}", tag=tag, type=type_
                    ),
                    f"Use {prefix}{type_}",
                )
    if plan_types.has_active_tag(tags) and type_ not in plan_types.ACTIVATABLE_TYPES:
        fix = f"Only plans of these types are active: {', '.join(sorted(plan_types.ACTIVATABLE_TYPES))}"
        raise _wrong_tag(
            message(
                "plan.notActive", "Plans of the type {type} cannot be active: they run when you use them", type=type_
            ),
            fix,
        )


def _wrong_tag(message: str, fix: str) -> InvalidInput:
    return InvalidInput(message, fix=fix, details=[{"field": "tags", "message": message}])


def _set_favorite_tag(tags: Sequence[str], type_: str, *, wanted: bool) -> list[str]:
    rest = [tag for tag in tags if not tag.startswith(plan_types.FAVORITE)]
    return [*rest, plan_types.FAVORITE + type_] if wanted else rest


def _build_plan_read_model(call: ProjectCall, row: Plan) -> PlanRead:
    state = _plan_state(row)
    problem = _plan_problem(call, state)
    return PlanRead(
        name=row.name,
        label=row.label,
        parameters=state.plan,
        tags=row.tags,
        favorite=plan_types.has_favorite_tag(row.tags),
        is_active=state.active,
        type=state.type,
        created_at=iso(row.created_at) or "",
        created_by=row.created_by,
        modified_at=iso(row.modified_at) or "",
        modified_by=row.modified_by,
        version=row.version,
        problem=problem,
        said=message_of(problem=problem),
    )


def _plan_problem(call: ProjectCall, state: PlanState) -> str | None:
    """Why a plan cannot run now (a component was uninstalled, a model deleted), None if it can."""
    try:
        validate_plan(state.plan, state.type, lambda step: find_model_of_step(call, step) is not None)
    except InvalidInput as error:
        found: list[dict[str, Any]] = error.details
        message: str = found[0]["message"] if found else error.message
        return message
    return None
