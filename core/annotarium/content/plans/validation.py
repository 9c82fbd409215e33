"""Checks whether a plan can run: components are installed, parameters are valid, steps are in permitted positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from annotarium.content.plans import plan_types
from annotarium.content.plans.conditions import InvalidCondition, check_condition
from annotarium.content.plans.targets import is_target_path
from annotarium.errors import AnnotariumError, InvalidInput
from annotarium.registry import get_registry
from annotarium.registry.messages import component_not_installed, kind_name
from annotarium_schemas.messages import join_messages, message
from annotarium_schemas.plans import (
    AnnotationPlan,
    Step,
    WithAnnotator,
    WithConverter,
    WithVectorizer,
    component_of,
    kind_of_step,
)

IsAnnotator = Callable[[WithAnnotator], bool]
"""Returns whether a step names an annotator of a project."""


class PlanComponent(NamedTuple):
    """A component of a plan; `place` is its path in the plan (`pipeline.0`)."""

    place: str
    kind: str
    name: str
    parameters: dict[str, Any]
    step: Step | None = None


def components_of(plan: AnnotationPlan) -> Iterator[PlanComponent]:
    """Yield the components of a plan: converter, steps, segmenter, formatter."""
    if plan.converter is not None:
        yield PlanComponent("converter", "converter", plan.converter.name, plan.converter.parameters)
    for number, step in enumerate(plan.pipeline):
        yield PlanComponent(f"pipeline.{number}", kind_of_step(step) or "", component_of(step), step.parameters, step)
    if plan.segmenter is not None:
        yield PlanComponent("segmenter", "segmenter", plan.segmenter.name, plan.segmenter.parameters)
    if plan.formatter is not None:
        yield PlanComponent("formatter", "formatter", plan.formatter.name, plan.formatter.parameters)


def component_label(place: str) -> str:
    """Return the displayed name of a part: `step 2`, `the converter`."""
    if place.startswith("pipeline."):
        return message("plan.stepAt", "step {number:,}", number=int(place.partition(".")[2]) + 1)
    return message("plan.part", "the {kind}", kind=kind_name(place))


def validate_plan(plan: AnnotationPlan, type_: str | None, is_annotator: IsAnnotator) -> AnnotationPlan:
    """Return the plan with all parameters of its components, defaults included.

    Args:
        type_: None for a plan that is run once and not stored: no part is required.

    Raises:
        InvalidInput: with all errors; each of `details` names part and field (`pipeline.0.parameters.pattern`).
    """
    details: list[dict[str, Any]] = []
    done = plan.model_copy(deep=True)
    for part in components_of(done):
        details += _component_errors(part, is_annotator)
    details += _structure_errors(plan, type_)
    if details:
        first = details[0]
        place = ".".join(first["field"].split(".")[: 2 if first["field"].startswith("pipeline.") else 1])
        what = message("plan.cannotRun", "The plan cannot be run")
        if type_ is not None:
            what = message("plan.cannotBeKept", "The plan cannot be saved")
        text = join_messages([what, component_label(place), first["message"]], ": ") if place else first["message"]
        raise InvalidInput(text, details=details)
    return done


def _component_errors(part: PlanComponent, is_annotator: IsAnnotator) -> list[dict[str, Any]]:
    errors = [] if part.step is None else _step_errors(part.place, part.step)
    if isinstance(part.step, WithAnnotator) and is_annotator(part.step):
        return errors
    registry = get_registry()
    there = part.name in registry.names(part.kind) and not registry.missing_setting(part.kind, part.name)
    if not there and part.step is not None and part.step.disabled:
        return errors
    if not there:
        return [*errors, {"field": f"{part.place}.name", "message": _why_absent(part)}]
    try:
        whole = registry.validate(part.kind, part.name, part.parameters).model_dump(mode="json")
    except InvalidInput as error:
        field = f"{part.place}.parameters"
        found = error.details or [{"field": "", "message": error.message}]
        return errors + [{**one, "field": f"{field}.{one['field']}".rstrip(".")} for one in found]
    except AnnotariumError as error:
        return [*errors, {"field": f"{part.place}.name", "message": error.message}]
    part.parameters.clear()
    part.parameters.update(whole)
    return errors


def _why_absent(part: PlanComponent) -> str:
    if get_registry().missing_setting(part.kind, part.name):
        return message("component.notSetUpHere", "This server is not set up for {name}", name=part.name)
    return component_not_installed(part.kind, part.name)


def _step_errors(place: str, step: Step) -> list[dict[str, Any]]:
    errors = []
    if step.condition is not None:
        try:
            check_condition(step.condition)
        except InvalidCondition as error:
            errors.append({"field": f"{place}.{error.place}", "message": error.message})
    apply_to = getattr(step, "apply_to", None)
    if apply_to is not None:
        if not is_target_path(apply_to.path):
            problem = message("plan.path", "Enter document, segments, annotations or annotations[name of a label]")
            errors.append({"field": f"{place}.applyTo.path", "message": problem})
        elif not isinstance(step, WithAnnotator) and apply_to.path != "document":
            problem = message("plan.pieces", "Only annotators can be applied to parts of a document")
            errors.append({"field": f"{place}.applyTo.path", "message": problem})
    if getattr(step, "project_name", None) and not isinstance(step, WithAnnotator):
        problem = message("plan.otherProject", "Only annotators can come from another project")
        errors.append({"field": f"{place}.projectName", "message": problem})
    return errors


def _structure_errors(plan: AnnotationPlan, type_: str | None) -> list[dict[str, Any]]:
    """Return errors about parts that a plan of this type lacks or must not have."""
    needs = {
        plan_types.CONVERSION: (
            "converter",
            plan_types.converter_of(plan) is not None,
            message("plan.converter", "A conversion plan needs a converter"),
        ),
        plan_types.SEGMENTATION: (
            "segmenter",
            plan_types.segmenter_of(plan) is not None,
            message("plan.segmenter", "A segmentation plan needs a segmenter"),
        ),
        plan_types.VECTORIZATION: (
            "pipeline",
            bool(plan_types.vectorizers_of(plan)),
            message("plan.vectorizer", "A vectorization plan needs a vectorizer"),
        ),
        plan_types.ANNOTATION: (
            "pipeline",
            bool(plan.pipeline),
            message("plan.step", "An annotation plan needs at least one step"),
        ),
    }
    if type_ in plan_types.QUESTION_KINDS:
        return _question_plan_errors(plan, plan_types.QUESTION_KINDS[type_])
    field, there, problem = needs[type_] if type_ is not None else ("", True, "")
    errors = [] if there else [{"field": field, "message": problem}]
    reads = None if plan.converter is not None else next((one for one in plan.pipeline if not one.disabled), None)
    for number, step in enumerate(plan.pipeline):
        if isinstance(step, WithConverter) and step is not reads and not step.disabled:
            problem = message(
                "plan.converterFirst", "A converter can only be the first step, of a plan without another converter"
            )
            errors.append({"field": f"pipeline.{number}.name", "message": problem})
        if isinstance(step, WithVectorizer) and type_ != plan_types.VECTORIZATION:
            problem = message("plan.vectorizerHere", "A vectorizer belongs to a vectorization plan")
            errors.append({"field": f"pipeline.{number}.name", "message": problem})
        if isinstance(step, plan_types.QuestionStep):
            problem = message(
                "plan.questionStepHere",
                "A {kind} is the only step of a plan of its own type",
                kind=kind_name(kind_of_step(step) or ""),
            )
            errors.append({"field": f"pipeline.{number}.name", "message": problem})
    return errors


def _question_plan_errors(plan: AnnotationPlan, kind: str) -> list[dict[str, Any]]:
    """Return errors of a plan that is one part of answering questions: it is a single step of its kind."""
    named = kind_name(kind)
    others = [part for part in components_of(plan) if part.kind != kind]
    errors = [
        {
            "field": f"{part.place}.name",
            "message": message(
                "plan.questionPart",
                "Remove the {other}: the only step of this plan is a {kind}",
                other=kind_name(part.kind),
                kind=named,
            ),
        }
        for part in others
    ]
    enabled = [step for step in plan.pipeline if kind_of_step(step) == kind and not step.disabled]
    if len(enabled) != 1 and not others:
        problem = message("plan.questionSteps", "This plan needs exactly one enabled step, a {kind}", kind=named)
        errors.append({"field": "pipeline", "message": problem})
    errors += [
        {
            "field": f"pipeline.{number}.condition",
            "message": message("plan.questionCondition", "A step that answers questions cannot have a condition"),
        }
        for number, step in enumerate(plan.pipeline)
        if step.condition is not None
    ]
    return errors
