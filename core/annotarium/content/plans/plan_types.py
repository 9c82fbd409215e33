"""Types of plans and what their tags say (C-078, C-079).

`project-<type>` marks a favourite, `active-<type>` the plan that works for the project.
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
    WithSegmenter,
    WithVectorizer,
)

ANNOTATION, CONVERSION, SEGMENTATION, VECTORIZATION = "annotation", "conversion", "segmentation", "vectorization"
TYPES = (
    ANNOTATION,
    CONVERSION,
    SEGMENTATION,
    VECTORIZATION,
    "search-params-builder",
    "rag-context-builder",
    "question-answerer",
)
"""In the order of their groups."""
SINGLE_ACTIVE_TYPES = frozenset({CONVERSION, SEGMENTATION})
"""Types of which one plan is active at most."""
ACTIVATABLE_TYPES = SINGLE_ACTIVE_TYPES | {VECTORIZATION}
"""Types that can be active."""
FAVORITE, ACTIVE = "project-", "active-"


def plan_type_of(tags: Iterable[str], plan: AnnotationPlan) -> str:
    """The type a plan's tags name, else the one that its parts make it (conflicts 30).

    A converter alone does not make a conversion plan: an annotation plan may have one too, for the files it is given.
    """
    named = plan_type_named_in_tags(tags)
    if named is not None:
        return named
    if converter_of(plan) is not None:
        annotates = any(isinstance(step, WithAnnotator | WithProcessor) for step in plan.pipeline)
        return ANNOTATION if annotates else CONVERSION
    if any(isinstance(step, WithVectorizer) for step in plan.pipeline):
        return VECTORIZATION
    only_cuts = all(isinstance(step, WithSegmenter) for step in plan.pipeline)
    return SEGMENTATION if only_cuts and segmenter_of(plan) is not None else ANNOTATION


def plan_type_named_in_tags(tags: Iterable[str]) -> str | None:
    """The type that tags name, None when they name none."""
    bare = (tag.removeprefix(FAVORITE).removeprefix(ACTIVE) for tag in tags)
    return next((one for one in bare if one in TYPES), None)


def tags_keeping_plan_type(tags: Sequence[str], type_: str, plan: AnnotationPlan) -> list[str]:
    """The tags, with the type among them where they and the parts of the plan would make it another one."""
    return [*tags] if plan_type_of(tags, plan) == type_ else [*tags, type_]


def has_active_tag(tags: Iterable[str]) -> bool:
    """Whether the plan works for its project."""
    return any(tag.startswith(ACTIVE) for tag in tags)


def has_favorite_tag(tags: Iterable[str]) -> bool:
    """Whether the plan is a favourite of its project."""
    return any(tag.startswith(FAVORITE) for tag in tags)


def without_state_tags(tags: Iterable[str]) -> list[str]:
    """The tags that say neither favourite nor active."""
    return [tag for tag in tags if not tag.startswith((FAVORITE, ACTIVE))]


def converter_of(plan: AnnotationPlan) -> Converter | None:
    """What reads files: the converter, else the first step when it is one that works."""
    if plan.converter is not None:
        return plan.converter
    first = next((step for step in plan.pipeline if not step.disabled), None)
    return Converter(name=first.converter, parameters=first.parameters) if isinstance(first, WithConverter) else None


def segmenter_of(plan: AnnotationPlan) -> Segmenter | None:
    """What cuts texts: the segmenter, else the last step that is one and works."""
    if plan.segmenter is not None:
        return plan.segmenter
    steps = [step for step in plan.pipeline if isinstance(step, WithSegmenter) and not step.disabled]
    return Segmenter(name=steps[-1].segmenter, parameters=steps[-1].parameters) if steps else None


def vectorizers_of(plan: AnnotationPlan) -> Sequence[WithVectorizer]:
    """Steps that make vectors and work."""
    return [step for step in plan.pipeline if isinstance(step, WithVectorizer) and not step.disabled]
