"""Schemas of labels and label sets, as published."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from annotarium_schemas.answers import CreatorCount, OperationCount
from annotarium_schemas.documents import CreationMode
from annotarium_schemas.shape import Damaged, Shape
from annotarium_schemas.values import Color, Words


class LabelRead(Shape):
    """A label; `count` only on request."""

    name: str
    label: str
    color: str
    label_set_name: str | None = None
    identifier: str | None = None
    guideline: str | None = None
    count: int | None = None
    version: int = 1
    damaged: Damaged = None


class LabelCreate(Shape):
    """A new label: at least a label or a name (V-008)."""

    label: Words | None = None
    name: Words | None = None
    color: Color | None = None
    label_set_name: str | None = None
    identifier: str | None = None
    guideline: str | None = None


MOST_LISTED_LABELS = 300
"""Longest list of labels that one request creates."""


class LabelList(Shape):
    """A list of new labels for one set (extension)."""

    labels: list[LabelCreate] = Field(min_length=1, max_length=MOST_LISTED_LABELS)
    label_set_name: str | None = Field(default=None, description="The set of the labels that name none")


class LabelListCreated(Shape):
    """What became of a list: new labels, and those that the project had under this text already, unchanged."""

    created: list[LabelRead]
    known: list[LabelRead]


class LabelUpdate(Shape):
    """Changes of a label; absent fields stay unchanged."""

    label: Words | None = None
    color: Color | None = None
    label_set_name: str | None = None
    identifier: str | None = None
    guideline: str | None = None


class LabelNames(Shape):
    """Names of labels."""

    names: list[str] = Field(default_factory=list)


class LabelSetRead(Shape):
    """A label set; `labels` only on request."""

    name: str
    label: str
    nature: str | None = None
    exclusive_classes: bool = False
    guideline: str = ""
    tags: list[str] = Field(default_factory=list)
    created_at: str | None = None
    created_by: str | None = None
    modified_at: str | None = None
    modified_by: str | None = None
    version: int = 1
    labels: list[LabelRead] | None = None
    damaged: Damaged = None


IGNORED_FIELD = "Accepted and not used: who made it, and when, is told by the server."


class LabelSetWrite(Shape):
    """A new label set, or the changes of one."""

    name: Words | None = None
    label: Words | None = None
    nature: str | None = None
    exclusive_classes: bool | None = None
    guideline: str | None = None
    tags: list[str] | None = None
    created_at: str | None = Field(default=None, description=IGNORED_FIELD)
    created_by: str | None = Field(default=None, description=IGNORED_FIELD)
    modified_at: str | None = Field(default=None, description=IGNORED_FIELD)


class LabelMove(Shape):
    """Labels to move to another set (extension)."""

    names: list[str] = Field(min_length=1, max_length=1_000)
    label_set_name: str


class LabellingMove(Shape):
    """Which annotations and categories to move to another label; empty = any (extension).

    `text`: part of the annotated text, ignoring case; if given, categories are not moved.
    """

    target: str = Field(description="Name of the label they get")
    created_by: list[str] = Field(default_factory=list)
    creation_modes: list[CreationMode] = Field(default_factory=list)
    statuses: list[Literal["OK", "KO", "undefined"]] = Field(default_factory=list)
    text: str = Field("", max_length=1_000)
    dry_run: bool = Field(False, description="Only count")


class LabellingMoved(OperationCount):
    """How many were moved, or would be; `job` does it or has done it, and can be undone."""

    job: dict[str, Any] | None = None


class LabelUse(Shape):
    """Something that uses a label."""

    kind: str = Field(description="experiment, suggester, suggestions, ...")
    name: str
    label: str
    count: int = 1


class LabelConsequences(Shape):
    """What deleting or merging labels would change, as far as the caller may read it. `hidden`: more would change,
    which the caller may not read.
    """

    labels: int
    annotations: int
    categories: int
    relations: int = Field(0, description="Relations of those annotations: they go with them, merging leads them over")
    documents: int
    creators: list[CreatorCount]
    used_by: list[LabelUse] = Field(description="What goes on naming the labels: nothing of it is changed")
    hidden: bool = False


class DeleteResponse(Shape):
    """How many labels were deleted. `removeJob` does it or has done it; it can be undone."""

    removed_count: int
    remove_job: dict[str, Any] | None = None
