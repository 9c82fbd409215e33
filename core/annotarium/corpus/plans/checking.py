"""Whether a plan can work: every component is there, its parameters are right, every step has its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from annotarium.corpus.plans import types
from annotarium.corpus.plans.conditions import WrongCondition, check_condition
from annotarium.corpus.plans.pieces import is_path
from annotarium.errors import AnnotariumError, InvalidInput
from annotarium.registry import get_registry
from annotarium.registry.words import kind_words, no_component
from annotarium_schemas.plans import (
    AnnotationPlan,
    Step,
    WithAnnotator,
    WithConverter,
    WithVectorizer,
    component_of,
    kind_of_step,
)
from annotarium_schemas.said import joined, say

IsAnnotator = Callable[[WithAnnotator], bool]
"""Whether a step names an annotator of a project."""


class Part(NamedTuple):
    """A component of a plan: `place` is where it is in the plan (`pipeline.0`)."""

    place: str
    kind: str
    name: str
    parameters: dict[str, Any]
    step: Step | None = None


def parts_of(plan: AnnotationPlan) -> Iterator[Part]:
    """The components of a plan: converter, steps, segmenter, formatter."""
    if plan.converter is not None:
        yield Part("converter", "converter", plan.converter.name, plan.converter.parameters)
    for number, step in enumerate(plan.pipeline):
        yield Part(f"pipeline.{number}", kind_of_step(step) or "", component_of(step), step.parameters, step)
    if plan.segmenter is not None:
        yield Part("segmenter", "segmenter", plan.segmenter.name, plan.segmenter.parameters)
    if plan.formatter is not None:
        yield Part("formatter", "formatter", plan.formatter.name, plan.formatter.parameters)


def words_of(place: str) -> str:
    """What people call a part: `step 2`, `the converter`."""
    if place.startswith("pipeline."):
        return say("plan.stepAt", "step {number}", number=int(place.partition(".")[2]) + 1)
    return say("plan.part", "the {kind}", kind=kind_words(place))


def completed(plan: AnnotationPlan, type_: str | None, is_annotator: IsAnnotator) -> AnnotationPlan:
    """The plan with all parameters of its components.

    Args:
        type_: None for a plan that is run once and not kept: it needs no part in particular.

    Raises:
        InvalidInput: with all that is wrong; each of `details` names part and field (`pipeline.0.parameters.pattern`).
    """
    details: list[dict[str, Any]] = []
    done = plan.model_copy(deep=True)
    for part in parts_of(done):
        details += _faults(part, is_annotator)
    details += _misplaced(plan, type_)
    if details:
        first = details[0]
        place = ".".join(first["field"].split(".")[: 2 if first["field"].startswith("pipeline.") else 1])
        what = say("plan.cannotRun", "The plan cannot be run")
        if type_ is not None:
            what = say("plan.cannotBeKept", "The plan cannot be kept")
        message = joined([what, words_of(place), first["message"]], ": ") if place else first["message"]
        raise InvalidInput(message, details=details)
    return done


def _faults(part: Part, is_annotator: IsAnnotator) -> list[dict[str, Any]]:
    faults = [] if part.step is None else _faults_of_step(part.place, part.step)
    if isinstance(part.step, WithAnnotator) and is_annotator(part.step):
        return faults
    there = part.name in get_registry().names(part.kind)
    if not there and part.step is not None and part.step.disabled:
        return faults
    if not there:
        return [*faults, {"field": f"{part.place}.name", "message": no_component(part.kind, part.name)}]
    try:
        whole = get_registry().validate(part.kind, part.name, part.parameters).model_dump(mode="json")
    except InvalidInput as error:
        field = f"{part.place}.parameters"
        found = error.details or [{"field": "", "message": error.message}]
        return faults + [{**one, "field": f"{field}.{one['field']}".rstrip(".")} for one in found]
    except AnnotariumError as error:
        return [*faults, {"field": f"{part.place}.name", "message": error.message}]
    part.parameters.clear()
    part.parameters.update(whole)
    return faults


def _faults_of_step(place: str, step: Step) -> list[dict[str, Any]]:
    faults = []
    if step.condition is not None:
        try:
            check_condition(step.condition)
        except WrongCondition as error:
            faults.append({"field": f"{place}.{error.place}", "message": error.message})
    apply_to = getattr(step, "apply_to", None)
    if apply_to is not None:
        if not is_path(apply_to.path):
            words = say("plan.path", "Write document, segments, annotations or annotations[name of a label]")
            faults.append({"field": f"{place}.applyTo.path", "message": words})
        elif not isinstance(step, WithAnnotator) and apply_to.path != "document":
            words = say("plan.pieces", "Only annotators work on pieces of a document")
            faults.append({"field": f"{place}.applyTo.path", "message": words})
    if getattr(step, "project_name", None) and not isinstance(step, WithAnnotator):
        words = say("plan.otherProject", "Only annotators come from another project")
        faults.append({"field": f"{place}.projectName", "message": words})
    return faults


def _misplaced(plan: AnnotationPlan, type_: str | None) -> list[dict[str, Any]]:
    """What a plan of its type lacks, or cannot have."""
    needs = {
        types.CONVERSION: (
            "converter",
            types.converter_of(plan) is not None,
            say("plan.converter", "A conversion plan has a converter"),
        ),
        types.SEGMENTATION: (
            "segmenter",
            types.segmenter_of(plan) is not None,
            say("plan.segmenter", "A segmentation plan has a segmenter"),
        ),
        types.VECTORIZATION: (
            "pipeline",
            bool(types.vectorizers_of(plan)),
            say("plan.vectorizer", "A vectorization plan has a vectorizer"),
        ),
        types.ANNOTATION: (
            "pipeline",
            bool(plan.pipeline),
            say("plan.step", "An annotation plan has at least one step"),
        ),
    }
    if type_ is not None and type_ not in needs:
        return [
            {
                "field": "tags",
                "message": say(
                    "plan.unknownType", "Plans of the type {type} cannot be run by this installation", type=type_
                ),
            }
        ]
    field, there, words = needs[type_] if type_ is not None else ("", True, "")
    faults = [] if there else [{"field": field, "message": words}]
    reads = None if plan.converter is not None else next((one for one in plan.pipeline if not one.disabled), None)
    for number, step in enumerate(plan.pipeline):
        if isinstance(step, WithConverter) and step is not reads and not step.disabled:
            words = say(
                "plan.converterFirst", "A converter can only be the first step, of a plan without another converter"
            )
            faults.append({"field": f"pipeline.{number}.name", "message": words})
        if isinstance(step, WithVectorizer) and type_ != types.VECTORIZATION:
            words = say("plan.vectorizerHere", "A vectorizer belongs to a vectorization plan")
            faults.append({"field": f"pipeline.{number}.name", "message": words})
    return faults
