"""Types of plans and the meaning of their tags (C-078, C-079).

`project-<type>` marks a favourite, `active-<type>` an active plan of the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from annotarium_schemas.plans import (
    AnnotationPlan,
    Converter,
    Segmenter,
    WithAnnotator,
    WithConverter,
    WithProcessor,
    WithQuestionAnswerer,
    WithRagContextBuilder,
    WithSearchParamsBuilder,
    WithSegmenter,
    WithVectorizer,
    kind_of_step,
)

QuestionStep = WithSearchParamsBuilder | WithRagContextBuilder | WithQuestionAnswerer
"""The step of a plan that is one part of answering questions."""

ANNOTATION, CONVERSION, SEGMENTATION, VECTORIZATION = "annotation", "conversion", "segmentation", "vectorization"
SEARCH_PARAMS, RAG_CONTEXT, ANSWERER = "search-params-builder", "rag-context-builder", "question-answerer"
QUESTION_KINDS = {
    SEARCH_PARAMS: "searchParamsBuilder",
    RAG_CONTEXT: "ragContextBuilder",
    ANSWERER: "questionAnswerer",
}
"""The types of which a plan is one part of answering questions, in the order in which the parts run, with the kind of
their only step.
"""
TYPES = (ANNOTATION, CONVERSION, SEGMENTATION, VECTORIZATION, *QUESTION_KINDS)
"""In the order in which the types are grouped."""
SINGLE_ACTIVE_TYPES = frozenset({CONVERSION, SEGMENTATION, *QUESTION_KINDS})
"""Types of which at most one plan is active."""
ACTIVATABLE_TYPES = SINGLE_ACTIVE_TYPES | {VECTORIZATION}
"""Types that can be active."""
FAVORITE, ACTIVE = "project-", "active-"


def plan_type_of(tags: Iterable[str], plan: AnnotationPlan) -> str:
    """Return the type that a plan's tags name, else the one that follows from its parts (conflicts 30).

    A plan with a converter is a conversion plan unless it annotates: an annotation plan may have a converter for its
    files.
    """
    named = plan_type_named_in_tags(tags)
    if named is not None:
        return named
    if converter_of(plan) is not None:
        annotates = any(isinstance(step, WithAnnotator | WithProcessor) for step in plan.pipeline)
        return ANNOTATION if annotates else CONVERSION
    if any(isinstance(step, WithVectorizer) for step in plan.pipeline):
        return VECTORIZATION
    asking = next((one for one in plan.pipeline if isinstance(one, QuestionStep)), None)
    if asking is not None:
        kind = kind_of_step(asking)
        return next(type_ for type_, own in QUESTION_KINDS.items() if own == kind)
    only_cuts = all(isinstance(step, WithSegmenter) for step in plan.pipeline)
    return SEGMENTATION if only_cuts and segmenter_of(plan) is not None else ANNOTATION


def plan_type_named_in_tags(tags: Iterable[str]) -> str | None:
    """Return the type that the tags name, None when they name none."""
    bare = (tag.removeprefix(FAVORITE).removeprefix(ACTIVE) for tag in tags)
    return next((one for one in bare if one in TYPES), None)


def tags_keeping_plan_type(tags: Sequence[str], type_: str, plan: AnnotationPlan) -> list[str]:
    """Return the tags, with the type added where the tags and the parts of the plan would result in another one."""
    return [*tags] if plan_type_of(tags, plan) == type_ else [*tags, type_]


def has_active_tag(tags: Iterable[str]) -> bool:
    """Return whether the tags mark the plan as active in its project."""
    return any(tag.startswith(ACTIVE) for tag in tags)


def has_favorite_tag(tags: Iterable[str]) -> bool:
    """Return whether the tags mark the plan as a favourite of its project."""
    return any(tag.startswith(FAVORITE) for tag in tags)


def without_state_tags(tags: Iterable[str]) -> list[str]:
    """Return the tags without those for favourite and active."""
    return [tag for tag in tags if not tag.startswith((FAVORITE, ACTIVE))]


def converter_of(plan: AnnotationPlan) -> Converter | None:
    """Return the converter of a plan: its own, else its first enabled step if that is a converter."""
    if plan.converter is not None:
        return plan.converter
    first = next((step for step in plan.pipeline if not step.disabled), None)
    return Converter(name=first.converter, parameters=first.parameters) if isinstance(first, WithConverter) else None


def segmenter_of(plan: AnnotationPlan) -> Segmenter | None:
    """Return the segmenter of a plan: its own, else the last enabled segmenter among its steps."""
    if plan.segmenter is not None:
        return plan.segmenter
    steps = [step for step in plan.pipeline if isinstance(step, WithSegmenter) and not step.disabled]
    return Segmenter(name=steps[-1].segmenter, parameters=steps[-1].parameters) if steps else None


def vectorizers_of(plan: AnnotationPlan) -> Sequence[WithVectorizer]:
    """Return the enabled steps that compute vectors."""
    return [step for step in plan.pipeline if isinstance(step, WithVectorizer) and not step.disabled]


def question_step_of(plan: AnnotationPlan) -> QuestionStep | None:
    """Return the first enabled step of a plan that is one part of answering questions."""
    return next((step for step in plan.pipeline if isinstance(step, QuestionStep) and not step.disabled), None)
