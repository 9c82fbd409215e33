"""spaCy: named entities of a pipeline that was trained or written elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field, field_validator

from annotarium_engines.annotators.label_mapping import LabelMapping, label_mappings_field, other_label_field
from annotarium_engines.annotators.spacy_pipelines import FOLDER, load_pipeline, pipelines
from annotarium_engines.annotators.text_windows import text_windows
from annotarium_plugins.base.annotator import Annotator
from annotarium_plugins.base.component import ComponentError, ExtraMissing, Nature
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Annotation, Document
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    from spacy.language import Language

_TITLE = "spaCy entities"
_DESCRIPTION = "Names of people, places and organisations, recognised by an installed spaCy pipeline."

if find_spec("spacy") is None:
    raise ExtraMissing(
        "spaCy is not installed",
        title=_TITLE,
        description=_DESCRIPTION,
        command="pip install annotarium[spacy]",
    )
if not pipelines():
    raise ExtraMissing(
        f"There is no spaCy pipeline: install the package of one, or name their folder in {FOLDER}",
        title=_TITLE,
        description=_DESCRIPTION,
    )

_MAX_WINDOW = 100_000
"""Maximum code points passed to the pipeline in one call: its memory grows with the text."""
_USUAL = {
    "person": ("PERSON", "PER"),
    "location": ("GPE", "LOC", "FAC"),
    "organisation": ("ORG",),
}
"""Names that the pipelines published by spaCy use for the predefined labels."""


def _add_pipeline_choices(schema: dict[str, Any]) -> None:
    schema["enum"] = list(pipelines())


class SpacyNerParameters(Parameters):
    """Settings of spaCy entities."""

    pipeline: str = Field(
        default_factory=lambda: next(iter(pipelines()), ""),
        title="Pipeline",
        description="A pipeline installed on this server, for the language of the texts.",
        json_schema_extra=_add_pipeline_choices,
    )
    labels: list[LabelMapping] = label_mappings_field(
        _USUAL, "Labels of the pipeline, and the labels they become here."
    )
    other: str = other_label_field()

    @field_validator("pipeline")
    @classmethod
    def _is_there(cls, name: str) -> str:
        known = pipelines()
        if name not in known:
            raise ValueError(
                message(
                    "fault.pipeline",
                    "This server does not have the pipeline. Use one of: {names}",
                    names=", ".join(known),
                )
            )
        return name


class SpacyNerAnnotator(Annotator[SpacyNerParameters]):
    """Annotates the entities of a spaCy pipeline with the project's labels. spaCy reports no confidence, so there are
    no scores.
    """

    title: ClassVar[str] = _TITLE
    description: ClassVar[str] = _DESCRIPTION
    parameters_model: ClassVar[type[Parameters]] = SpacyNerParameters
    natures: ClassVar[tuple[Nature, ...]] = ("sequence_labelling", "question_answering")
    version: ClassVar[str] = "1"

    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield the same documents with the entities added; see `Annotator.annotate`.

        Raises:
            ComponentError: the pipeline was removed, cannot be loaded, or fails on a text.
        """
        names = {one.found.casefold(): one.label for one in self.parameters.labels}
        pipeline: Language | None = None
        for document in documents:
            if not document.text.strip():
                yield document
                continue
            pipeline = pipeline or load_pipeline(self.parameters.pipeline)
            found = list(self._entities(pipeline, document.text, names))
            yield document.model_copy(update={"annotations": [*document.annotations, *found]})

    def _entities(self, pipeline: Language, text: str, names: dict[str, str]) -> Iterator[Annotation]:
        for start, end in text_windows(text, _MAX_WINDOW):
            for entity in _run_pipeline(pipeline, text[start:end]).ents:
                first, last = _trimmed_range(text, start + entity.start_char, start + entity.end_char)
                label = names.get(entity.label_.casefold(), self.parameters.other)
                if label and first < last:
                    words = text[first:last]
                    yield Annotation(start=first, end=last, text=words, label_name=label, creation_mode="automatic")


def _run_pipeline(pipeline: Language, text: str) -> Any:
    """Run the pipeline on a text. It must not change the text, because offsets refer to it."""
    try:
        read = pipeline(text)
    except Exception as error:  # a third-party pipeline may raise anything
        cause = f"{type(error).__name__}: {error}"
        raise ComponentError(
            "The spaCy pipeline failed on a text.", cause=cause, fix="Use another pipeline."
        ) from error
    if read.text != text:
        raise ComponentError("The spaCy pipeline changes the text.", fix="Use another pipeline.")
    return read


def _trimmed_range(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range without white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
