"""Schemas of relations and their names (not part of the published API)."""

from __future__ import annotations

from typing import Any

from annotarium_schemas.answers import Ack, CreatorCount
from annotarium_schemas.corpus import DocRelation
from annotarium_schemas.shape import Damaged, Shape
from annotarium_schemas.values import Color, Words


class RelationCreate(Shape):
    """A new relation: `source` and `target` are identifiers of two annotations of the document."""

    document_identifier: str
    name: Words
    source: str
    target: str
    properties: dict[str, Any] | None = None


class RelationPatch(Shape):
    """Changes of a relation; absent fields stay unchanged. Swapping both ends reverses it."""

    name: Words | None = None
    source: str | None = None
    target: str | None = None
    properties: dict[str, Any] | None = None


class RelationChanged(DocRelation):
    """The new state of a relation. `version` is the value for `If-Match`; it also increases when one of its annotations
    is deleted or restored. `modifiedBy` is the user who changed it.
    """

    ok: bool = True
    modified_by: str


class RelationListed(DocRelation):
    """A relation with its ends: their start offsets in code points of the document, and their texts, cut after 120."""

    source_start: int
    source_text: str
    target_start: int
    target_text: str


class Relations(Shape):
    """Live relations of a document between annotations the caller may read, oldest first."""

    relations: list[RelationListed]


class RelationNameRead(Shape):
    """A name with its colour, and the number of its relations that the caller may read."""

    name: str
    color: str
    count: int
    damaged: Damaged = None


class RelationNamePatch(Shape):
    """Changes of a name; they apply to all its relations."""

    color: Color | None = None
    new_name: Words | None = None


class RelationNameCreate(Shape):
    """A new name; without a colour, it gets the least used one."""

    name: Words
    color: Color | None = None


class RelationNameConsequences(Shape):
    """What deleting a name would delete, as far as the caller may read it. `hidden`: more relations, which the caller
    may not read, would be deleted too.
    """

    relations: int
    documents: int
    creators: list[CreatorCount]
    hidden: bool = False


class RelationNameDeleted(Ack):
    """How many relations were deleted with the name. `removeJob` does it or has done it; it can be undone."""

    removed_count: int | None = None
    remove_job: dict[str, Any] | None = None
