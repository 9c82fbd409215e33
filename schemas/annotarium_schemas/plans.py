"""Plans: components in an order, with their parameters, as people set them up once for many documents."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from annotarium_schemas.shape import Command

STEP_KINDS = ("annotator", "processor", "languageGuesser", "segmenter", "converter", "vectorizer")
"""What a step of a pipeline can be (C-080; a formatter is not one, S-055)."""
Settings = dict[str, Any]
NameOfComponent = Annotated[str, Field(min_length=1, max_length=255)]


class Converter(Command):
    """What reads files."""

    name: NameOfComponent
    parameters: Settings = Field(default_factory=dict)


class Segmenter(Command):
    """What cuts texts."""

    name: NameOfComponent
    parameters: Settings = Field(default_factory=dict)
    project_name: str | None = None


class Formatter(Command):
    """What writes documents into files."""

    name: NameOfComponent
    parameters: Settings = Field(default_factory=dict)


class ApplyTo(Command):
    """Which pieces of a document a step works on, see `content.plans.targets` (C-081)."""

    path: Annotated[str, Field(min_length=1, max_length=1000)]


class Step(Command):
    """What all steps have. Documents that do not fulfil the condition pass unchanged (`content.plans.conditions`)."""

    parameters: Settings = Field(default_factory=dict)
    condition: Settings | None = None
    disabled: bool = False


class PlacedStep(Step):
    """A step that may work on pieces of a document, or come from another project."""

    apply_to: ApplyTo | None = None
    project_name: str | None = None


class WithAnnotator(PlacedStep):
    """Annotates: a component, or an annotator of a project."""

    annotator: NameOfComponent


class WithProcessor(Step):
    """Changes what is on a document."""

    processor: NameOfComponent


class WithLanguageGuesser(PlacedStep):
    """Guesses the language of a document; the steps after it work in that language."""

    language_guesser: NameOfComponent


class WithSegmenter(PlacedStep):
    """Cuts a document."""

    segmenter: NameOfComponent


class WithConverter(PlacedStep):
    """Reads files."""

    converter: NameOfComponent


class WithVectorizer(PlacedStep):
    """Gives texts their vectors."""

    vectorizer: NameOfComponent


def kind_of_step(value: Any) -> str | None:
    """The kind of a step by the one key that names it; None when there is none, or more than one."""
    if isinstance(value, Step):
        name = type(value).__name__.removeprefix("With")
        return name[0].lower() + name[1:]
    if not isinstance(value, dict):
        return None
    aliases = {"language_guesser": "languageGuesser"}
    named = {aliases.get(key, key) for key in value} & set(STEP_KINDS)
    return named.pop() if len(named) == 1 else None


AnyStep = Annotated[
    Annotated[WithAnnotator, Tag("annotator")]
    | Annotated[WithProcessor, Tag("processor")]
    | Annotated[WithLanguageGuesser, Tag("languageGuesser")]
    | Annotated[WithSegmenter, Tag("segmenter")]
    | Annotated[WithConverter, Tag("converter")]
    | Annotated[WithVectorizer, Tag("vectorizer")],
    Discriminator(
        kind_of_step,
        custom_error_type="kind_of_step",
        custom_error_message=f"A step names exactly one of {', '.join(STEP_KINDS)}",
    ),
]


Pipeline = Annotated[list[AnyStep], Field(max_length=100)]


class AnnotationPlan(Command):
    """What a plan does: a converter reads the file, the steps of the pipeline work on the documents in order, a
    segmenter cuts them."""

    converter: Converter | None = None
    formatter: Formatter | None = None
    pipeline: Pipeline
    segmenter: Segmenter | None = None

    def stored(self) -> dict[str, Any]:
        """As it is kept and as it travels: without what is not there."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class ConvertAnnotationPlan(Command):
    """How a file is read and what is run on its documents."""

    converter: Converter | None = None
    pipeline: Pipeline
    segmenter: Segmenter | None = None


class ConvertFormatAnnotationPlan(ConvertAnnotationPlan):
    """How a file is read, what is run on its documents and what writes the answer."""

    formatter: Formatter


def component_of(step: Step) -> str:
    """The name of the component of a step."""
    kind = kind_of_step(step) or ""
    field = "language_guesser" if kind == "languageGuesser" else kind
    name: str = getattr(step, field)
    return name
