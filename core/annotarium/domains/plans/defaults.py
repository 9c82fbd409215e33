"""Default plans of a project, or of a language and a nature."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from annotarium.access.call import Call
from annotarium.access.rights import Access
from annotarium.content.plans import plan_types
from annotarium.content.plans.runner import UNKNOWN_LANGUAGE, project_of
from annotarium.content.segmenter_choice import SegmenterChoice, segmenter_choice
from annotarium.db.models import Project
from annotarium.domains.components.service import may_use_component, usable_component_descriptions
from annotarium.domains.plans.schemas import DefaultPlan, DefaultProcessorContext
from annotarium.registry import get_registry
from annotarium.registry.defaults import component_defaults
from annotarium_schemas.plans import (
    AnnotationPlan,
    Segmenter,
    Step,
    WithLanguageGuesser,
    WithProcessor,
    WithSegmenter,
)

QUESTIONS = "question_answering"


@dataclass(frozen=True)
class DefaultPlanContext:
    """What default plans depend on; `language` and `nature` may be empty."""

    access: Access
    language: str
    nature: str
    segmenter: SegmenterChoice
    project: Project | None = None

    @classmethod
    def of(cls, call: Call, given: DefaultProcessorContext | None = None) -> DefaultPlanContext:
        """The context of the call's project, else of the values in the request."""
        project = project_of(call)
        if project is not None:
            return cls(call.access, project.lang, project.nature, segmenter_choice(project), project)
        given = given or DefaultProcessorContext()
        return cls(call.access, given.language, given.nature, SegmenterChoice())


def default_plans(context: DefaultPlanContext, tags: Collection[str], *, as_pipeline: bool) -> list[DefaultPlan]:
    """Default plans in the order of the groups, each tagged with its type. Types without a suitable component are left
    out.

    annotation: the components with `by_default`: language guessers if the language is unknown, then processors.
    segmentation: the segmenter of the project. For question answering only, the default component of the type:
    vectorization and the parts of answering questions.
    There is no default for conversion: each file is read by the converter of its type.

    Args:
        tags: only plans with all of these; the prefixes of favourites and active plans are ignored.
        as_pipeline: the segmenter is a step of the pipeline; otherwise it is a field next to the pipeline.
    """
    wanted = {tag.removeprefix(plan_types.FAVORITE).removeprefix(plan_types.ACTIVE) for tag in tags}
    found = {
        plan_types.ANNOTATION: _default_annotation_plan(context),
        plan_types.SEGMENTATION: _default_segmentation_plan(context, as_pipeline),
    }
    if context.nature == QUESTIONS:
        defaults = component_defaults()
        found[plan_types.VECTORIZATION] = _default_plan_of_step(context, "vectorizer", defaults.vectorizer.name)
        for type_, kind in plan_types.QUESTION_KINDS.items():
            found[type_] = _default_plan_of_step(context, kind, defaults.question_component(kind))
    return [DefaultPlan(parameters=plan, tags=[type_]) for type_, plan in found.items() if plan and wanted <= {type_}]


def _default_annotation_plan(context: DefaultPlanContext) -> AnnotationPlan | None:
    steps: list[Step] = []
    if context.language in ("", UNKNOWN_LANGUAGE):
        steps += [
            WithLanguageGuesser(language_guesser=name)
            for name in _components_used_by_default(context, "languageGuesser")
        ]
    steps += [WithProcessor(processor=name) for name in _components_used_by_default(context, "processor")]
    return _plan_of_steps(*steps) if steps else None


def _components_used_by_default(context: DefaultPlanContext, kind: str) -> Iterator[str]:
    for found in usable_component_descriptions(context.access, kind, project=context.project, nature=context.nature):
        suits = not found.languages or context.language in ("", UNKNOWN_LANGUAGE) or context.language in found.languages
        if found.by_default and suits:
            yield found.info.name


def _default_segmentation_plan(context: DefaultPlanContext, as_pipeline: bool) -> AnnotationPlan | None:
    name, parameters = context.segmenter.name, context.segmenter.parameters
    if not _is_component_usable(context, "segmenter", name):
        return None
    if as_pipeline:
        return _plan_of_steps(WithSegmenter(segmenter=name, parameters=parameters))
    return AnnotationPlan(segmenter=Segmenter(name=name, parameters=parameters), pipeline=[])


def _default_plan_of_step(context: DefaultPlanContext, kind: str, name: str) -> AnnotationPlan | None:
    if not _is_component_usable(context, kind, name):
        return None
    return AnnotationPlan.model_validate({"pipeline": [{kind: name}]})


def _plan_of_steps(*steps: Step) -> AnnotationPlan:
    return AnnotationPlan.model_validate({"pipeline": list(steps)})


def _is_component_usable(context: DefaultPlanContext, kind: str, name: str) -> bool:
    return name in get_registry().names(kind) and may_use_component(context.access, kind, name)
