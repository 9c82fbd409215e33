"""Published request and response models of annotators and annotated documents."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from annotarium_schemas.documents import Document
from annotarium_schemas.plans import Formatter, Pipeline
from annotarium_schemas.shape import Command, Shape

MOST_CHARACTERS = 2_000_000
"""Maximum number of characters that one request annotates in total."""
MOST_DOCUMENTS = 10_000


class AnnotatorRead(Shape):
    """Something that can annotate: a trained experiment, a gazetteer, a suggester or a plan."""

    name: str
    label: str
    engine: str
    is_default: bool = False
    favorite: bool = False


class AnnotateOptions(Shape):
    """Options for the contents of annotated documents."""

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
    """Comma-separated document fields to return, `!` before fields to omit; the text is always returned."""


class InputDocument(Document):
    """A document sent to be annotated; it is not stored."""

    text: str = Field(max_length=MOST_CHARACTERS)


class ContextOptions(AnnotateOptions):
    """Options for plans that are sent with the request."""

    project_context: str = ""
    """The project whose language, segmenter, labels and annotators are used; empty = none."""


class FormatOptions(AnnotateOptions):
    """Options for responses that a formatter writes."""

    formatter: str = ""
    """The formatter that writes the response, if the annotator does not name one (extension)."""


Documents = Annotated[list[InputDocument], Field(max_length=MOST_DOCUMENTS)]


class AnnotateTextWithPipeline(Command):
    """A text and the pipeline to run on it."""

    pipeline: Pipeline
    text: str = Field(max_length=MOST_CHARACTERS)


class AnnotateDocumentsWithPipeline(Command):
    """Documents and the pipeline to run on them."""

    documents: Documents
    pipeline: Pipeline


class FormatTextWithMany(AnnotateTextWithPipeline):
    """A text, the pipeline to run on it, and the formatter that writes the response."""

    formatter: Formatter


class FormatDocumentsWithMany(AnnotateDocumentsWithPipeline):
    """Documents, the pipeline to run on them, and the formatter that writes the response."""

    formatter: Formatter


Options = Annotated[AnnotateOptions, Query()]
OptionsOfFile = Annotated[FormatOptions, Query()]
OptionsInContext = Annotated[ContextOptions, Query()]
