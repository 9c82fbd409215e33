"""Shapes of labels and label sets, as published."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from annotarium_schemas.shape import Shape

Color = Annotated[str, StringConstraints(pattern=r"^#[0-9A-Fa-f]{6}$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)]


class LabelRead(Shape):
    """A label; `count` only when asked for."""

    name: str
    label: str
    color: str
    label_set_name: str | None = None
    identifier: str | None = None
    guideline: str | None = None
    count: int | None = None
    version: int = 1


class LabelCreate(Shape):
    """A new label: at least a label or a name (V-008)."""

    label: Words | None = None
    name: Words | None = None
    color: Color | None = None
    label_set_name: str | None = None
    identifier: str | None = None
    guideline: str | None = None


class LabelUpdate(Shape):
    """Changes of a label; what is absent stays."""

    label: Words | None = None
    color: Color | None = None
    label_set_name: str | None = None
    identifier: str | None = None
    guideline: str | None = None


class LabelNames(Shape):
    """Names of labels."""

    names: list[str] = Field(default_factory=list)


class LabelSetRead(Shape):
    """A label set; `labels` only when asked for."""

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
    labels: list[LabelRead] | None = None


class LabelSetWrite(Shape):
    """A new label set, or the changes of one."""

    name: Words | None = None
    label: Words | None = None
    nature: str | None = None
    exclusive_classes: bool | None = None
    guideline: str | None = None
    tags: list[str] | None = None


class DeleteResponse(Shape):
    """How many rows went; `removeJob` when a job goes on deleting."""

    removed_count: int
    remove_job: dict[str, Any] | None = None
