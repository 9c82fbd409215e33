"""Shapes of annotators and of annotated documents, as published."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from annotarium_schemas.documents import Document
from annotarium_schemas.shape import Shape


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
    error_policy: str = ""
    output_fields: str = ""
    """Comma list of the parts of a document to answer, `!` before those to leave out; the text is always there."""


class InputDocument(Document):
    """A document sent to be annotated; it is not stored."""

    text: str = Field(max_length=2_000_000)


Options = Annotated[AnnotateOptions, Query()]
