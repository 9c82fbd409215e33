"""Plans: an ordered list of components with parameters, configured once and applied to many documents."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from annotarium_schemas.shape import Command

QUESTION_STEP_KINDS = ("searchParamsBuilder", "ragContextBuilder", "questionAnswerer")
"""Kinds of the steps that answer questions: the only step of a plan of the matching type (C-078)."""
STEP_KINDS = (
    "annotator",
    "processor",
    "languageGuesser",
    "segmenter",
    "converter",
    "vectorizer",
    *QUESTION_STEP_KINDS,
)
"""Kinds of pipeline steps (C-080; a formatter is not one, S-055)."""
Settings = dict[str, Any]
NameOfComponent = Annotated[str, Field(min_length=1, max_length=255)]


class Converter(Command):
    """The component that reads files."""

    name: NameOfComponent
    parameters: Settings = Field(default_factory=dict)


class Segmenter(Command):
    """The component that splits texts into segments."""

    name: NameOfComponent
    parameters: Settings = Field(default_factory=dict)
    project_name: str | None = None


class Formatter(Command):
    """The component that writes documents to files."""

    name: NameOfComponent
    parameters: Settings = Field(default_factory=dict)


class ApplyTo(Command):
    """The part of a document that a step processes: all, its segments or annotations, see
    `content.plans.targets` (C-081).
    """

    path: Annotated[str, Field(min_length=1, max_length=1000)]


class Step(Command):
    """Fields of all steps. Documents that do not fulfil the condition pass unchanged (`content.plans.conditions`)."""

    parameters: Settings = Field(default_factory=dict)
    condition: Settings | None = None
    disabled: bool = False


class PlacedStep(Step):
    """A step that can be limited to parts of a document, or use a component of another project."""

    apply_to: ApplyTo | None = None
    project_name: str | None = None


class WithAnnotator(PlacedStep):
    """A step that annotates with a component or with an annotator of a project."""

    annotator: NameOfComponent


class WithProcessor(Step):
    """A step that changes annotations and categories."""

    processor: NameOfComponent


class WithLanguageGuesser(PlacedStep):
    """A step that determines the language of a document; the following steps use that language."""

    language_guesser: NameOfComponent


class WithSegmenter(PlacedStep):
    """A step that splits a document into segments."""

    segmenter: NameOfComponent


class WithConverter(PlacedStep):
    """A step that reads files."""

    converter: NameOfComponent


class WithVectorizer(PlacedStep):
    """A step that computes vectors of texts."""

    vectorizer: NameOfComponent


class WithSearchParamsBuilder(Step):
    """A step that derives a search from a question."""

    search_params_builder: NameOfComponent


class WithRagContextBuilder(Step):
    """A step that builds the context of an answer from the passages found."""

    rag_context_builder: NameOfComponent


class WithQuestionAnswerer(Step):
    """A step that answers a question from its context."""

    question_answerer: NameOfComponent


def _field_of_kind(kind: str) -> str:
    """Return the field of a step that names a component of the kind: `language_guesser` for `languageGuesser`."""
    return "".join(f"_{one.lower()}" if one.isupper() else one for one in kind)


_KIND_OF_FIELD = {_field_of_kind(kind): kind for kind in STEP_KINDS}


def kind_of_step(value: Any) -> str | None:
    """Return the kind of a step from the single key that names it; None when there is none, or more than one."""
    if isinstance(value, Step):
        name = type(value).__name__.removeprefix("With")
        return name[0].lower() + name[1:]
    if not isinstance(value, dict):
        return None
    named = {_KIND_OF_FIELD.get(key, key) for key in value} & set(STEP_KINDS)
    return named.pop() if len(named) == 1 else None


AnyStep = Annotated[
    Annotated[WithAnnotator, Tag("annotator")]
    | Annotated[WithProcessor, Tag("processor")]
    | Annotated[WithLanguageGuesser, Tag("languageGuesser")]
    | Annotated[WithSegmenter, Tag("segmenter")]
    | Annotated[WithConverter, Tag("converter")]
    | Annotated[WithVectorizer, Tag("vectorizer")]
    | Annotated[WithSearchParamsBuilder, Tag("searchParamsBuilder")]
    | Annotated[WithRagContextBuilder, Tag("ragContextBuilder")]
    | Annotated[WithQuestionAnswerer, Tag("questionAnswerer")],
    Discriminator(
        kind_of_step,
        custom_error_type="kind_of_step",
        custom_error_message=f"A step names exactly one of {', '.join(STEP_KINDS)}",
    ),
]


Pipeline = Annotated[list[AnyStep], Field(max_length=100)]


class AnnotationPlan(Command):
    """An annotation plan: a converter reads the file, the steps of the pipeline process the documents in order, and a
    segmenter splits them.
    """

    converter: Converter | None = None
    formatter: Formatter | None = None
    pipeline: Pipeline
    segmenter: Segmenter | None = None

    def stored(self) -> dict[str, Any]:
        """Return the plan as it is stored and serialised: without absent fields."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class ConvertAnnotationPlan(Command):
    """How a file is read, and the pipeline that runs on its documents."""

    converter: Converter | None = None
    pipeline: Pipeline
    segmenter: Segmenter | None = None


class ConvertFormatAnnotationPlan(ConvertAnnotationPlan):
    """How a file is read, the pipeline that runs on its documents, and the formatter of the result."""

    formatter: Formatter


def component_of(step: Step) -> str:
    """Return the name of the component of a step."""
    name: str = getattr(step, _field_of_kind(kind_of_step(step) or ""))
    return name
