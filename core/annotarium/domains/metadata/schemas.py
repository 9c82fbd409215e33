"""Schemas of metadata, origins and alternative texts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from annotarium_schemas.shape import Shape

Kind = Literal["text", "number", "boolean", "mixed"]


class MetadataDefinitionEntry(Shape):
    """A metadata name with its most frequent values. The kind and the counts are additions to the published API.

    Attributes:
        is_editable: the caller may change it.
        is_multiple: at least one document has a list of values.
        count: number of documents that have it.
        distinct_count: number of distinct values; exact below a thousand.
    """

    metadata_name: str
    distinct_metadata_values: list[str]
    is_editable: bool
    is_multiple: bool
    kind: Kind = "text"
    count: int = 0
    distinct_count: int = 0


class MetadataDefinition(Shape):
    """Metadata of a project's documents."""

    metadata: list[MetadataDefinitionEntry]


class OriginRead(Shape):
    """A group that documents originate from."""

    name: str
    label: str
    identifier: str | None = None
    mapping_discriminator: str | None = None


class AltTextCount(Shape):
    """How many documents have an alternative text of this name."""

    name: str
    count: int


class ItemRef(Shape):
    """A reference by name; other fields are ignored."""

    name: str = Field(min_length=1, max_length=255)
    count: int | None = None


class ItemCount(Shape):
    """A name with a count."""

    name: str
    count: int


class DeleteManyResponse(Shape):
    """Result of a deletion, completed within the request: there is never a `job`. `details` only on request."""

    removed: int
    details: list[ItemCount] | None = None
