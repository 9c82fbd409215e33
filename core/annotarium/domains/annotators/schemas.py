"""Shapes of annotators and of annotated documents, as published."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from annotarium_schemas.documents import Document
from annotarium_schemas.plans import Formatter, Pipeline
from annotarium_schemas.shape import Command, Shape

MOST_CHARACTERS = 2_000_000
"""Of what one call annotates, in all."""
MOST_DOCUMENTS = 10_000


class AnnotatorRead(Shape):
    """Something that can annotate: a trained experiment, a gazetteer, a suggester or a plan."""

    name: str
    label: str
    engine: str
    is_default: bool = False
    favorite: bool = False


class AnnotateOptions(Shape):
    """What the answer of an annotation holds."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")

    inline_labels: bool = True
    inline_label_ids: bool = True
    inline_text: bool = True
    debug: bool = Field(default=False, description="Not served: true is refused, since the answer would not differ.")
    parallelize: bool = Field(
        default=False, description="Has no effect: the documents of a call are annotated one after the other."
    )
    error_policy: str = ""
    output_fields: str = ""
    """Comma list of the parts of a document to answer, `!` before those to leave out; the text is always there."""


class InputDocument(Document):
    """A document sent to be annotated; it is not stored."""

    text: str = Field(max_length=MOST_CHARACTERS)


class ContextOptions(AnnotateOptions):
    """The same for plans that come with the call."""

    project_context: str = ""
    """The project whose language, segmenter, labels and annotators are used, empty = none."""


class FormatOptions(AnnotateOptions):
    """The same for an answer that a formatter writes."""

    formatter: str = ""
    """Formatter that writes the answer, when the annotator names none (ours)."""


Documents = Annotated[list[InputDocument], Field(max_length=MOST_DOCUMENTS)]


class AnnotateTextWithPipeline(Command):
    """A text and the steps to run on it."""

    pipeline: Pipeline
    text: str = Field(max_length=MOST_CHARACTERS)


class AnnotateDocumentsWithPipeline(Command):
    """Documents and the steps to run on them."""

    documents: Documents
    pipeline: Pipeline


class FormatTextWithMany(AnnotateTextWithPipeline):
    """A text, the steps to run on it and what writes the answer."""

    formatter: Formatter


class FormatDocumentsWithMany(AnnotateDocumentsWithPipeline):
    """Documents, the steps to run on them and what writes the answer."""

    formatter: Formatter


Options = Annotated[AnnotateOptions, Query()]
OptionsOfFile = Annotated[FormatOptions, Query()]
OptionsInContext = Annotated[ContextOptions, Query()]
