"""Request models of documents."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import Field, field_validator

from annotarium_schemas.shape import Shape

Plain = Annotated[str | bool | int | float, Field(union_mode="smart")]


class SimpleMetadata(Shape):
    """A metadata value to set; an empty or missing value removes it. Numbers, booleans and lists are an extension."""

    name: str = Field(min_length=1, max_length=255)
    value: Plain | Annotated[list[Plain], Field(max_length=1000)] | None = None

    @property
    def removes(self) -> bool:
        """Whether the value is empty, so that it is removed; `0` and `false` are values."""
        return self.value is None or self.value == "" or self.value == []

    @field_validator("value")
    @classmethod
    def _is_finite(cls, value: Any) -> Any:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, float) and not math.isfinite(one):
                raise ValueError("a number must be finite")
        return value


class Review(Shape):
    """Whether everything there is to annotate in a document is annotated."""

    reviewed: bool = True


class ReviewState(Shape):
    """A document after its validation was changed. `version` is the value for `If-Match`."""

    ok: bool = True
    document_identifier: str
    reviewed: bool
    version: int


class UnfinishedDocument(Shape):
    """The next document to work on; without `documentIdentifier` none is left.

    `reviewed` of the `documents` that the caller may read are validated.
    """

    document_identifier: str | None = None
    title: str | None = None
    reviewed: int
    documents: int


class SpellingSuggestion(Shape):
    """What was perhaps meant, and how many documents it finds; without `query` nothing is close."""

    query: str | None = None
    documents: int = 0
