"""Shapes of what documents have in common."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from annotarium_schemas.shape import Shape

Kind = Literal["text", "number", "boolean", "mixed"]


class MetadataDefinitionEntry(Shape):
    """A metadata name. Of its values the most frequent are listed; the counts are ours.

    Attributes:
        is_editable: the caller may change it.
        is_multiple: some document has several values.
        count: documents that have it.
        distinct_count: different values; exact below a thousand.
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
    """A group that documents come from."""

    name: str
    label: str
    identifier: str | None = None
    mapping_discriminator: str | None = None


class AltTextCount(Shape):
    """How many documents have an alternative text of this name."""

    name: str
    count: int


class ItemRef(Shape):
    """Something by its name; what else is said of it is ignored."""

    name: str = Field(min_length=1, max_length=255)
    count: int | None = None


class ItemCount(Shape):
    """How many of a name."""

    name: str
    count: int


class DeleteManyResponse(Shape):
    """What was deleted, at once: there is never a `job`. `details` only when asked for."""

    removed: int
    details: list[ItemCount] | None = None
