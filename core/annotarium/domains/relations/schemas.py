"""Shapes of relations and of their names (ours)."""

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
    """Changes of a relation; what is absent stays. Both ends at once turn it round."""

    name: Words | None = None
    source: str | None = None
    target: str | None = None
    properties: dict[str, Any] | None = None


class RelationChanged(DocRelation):
    """Ack with the new state. `version` is what `If-Match` takes; it also grows when an annotation goes or returns.
    `modifiedBy` made it."""

    ok: bool = True
    modified_by: str


class RelationListed(DocRelation):
    """With its ends: where they begin, in code points of the document, and what they cover, cut after 120."""

    source_start: int
    source_text: str
    target_start: int
    target_text: str


class Relations(Shape):
    """What stands on a document between annotations that the caller may read, oldest first."""

    relations: list[RelationListed]


class RelationNameRead(Shape):
    """A name with its colour, and how many relations within the caller's reach have it."""

    name: str
    color: str
    count: int
    damaged: Damaged = None


class RelationNamePatch(Shape):
    """Changes of a name; all relations that have it are called by the new one."""

    color: Color | None = None
    new_name: Words | None = None


class RelationNameCreate(Shape):
    """A new name; without a colour it gets the least used one."""

    name: Words
    color: Color | None = None


class RelationNameConsequences(Shape):
    """What deleting a name would take along, of what the caller may read. `hidden`: there is more, of others; it goes
    too."""

    relations: int
    documents: int
    creators: list[CreatorCount]
    hidden: bool = False


class RelationNameDeleted(Ack):
    """How many relations went with the name. `removeJob` did it or goes on with it; it can be undone."""

    removed_count: int | None = None
    remove_job: dict[str, Any] | None = None
