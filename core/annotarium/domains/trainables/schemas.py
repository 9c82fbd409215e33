"""Schemas that experiments and suggesters share, as published."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from annotarium_schemas.shape import Damaged, Shape

Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=255)]


class TrainableRead(Shape):
    """Fields of every experiment and suggester. `timestamp` and `duration` are in ms, `quality` is in percent."""

    name: str
    label: str
    engine: str
    parameters: dict[str, Any]
    models: int
    timestamp: int
    duration: int
    uptodate: bool
    running: bool
    job_id: str | None = None
    tags: list[str] = Field(default_factory=list)
    quality: int = 0
    damaged: Damaged = None


class NewTrainable(Shape):
    """Fields to create an experiment or suggester; without a label, one is generated (V-029)."""

    engine: str
    label: Words = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    tags: list[str] = Field(default_factory=list)


class TrainablePatch(Shape):
    """Changes of an experiment or suggester; absent fields stay unchanged (V-030)."""

    label: Words | None = None
    parameters: dict[str, Any] | None = None
    tags: list[str] | None = None


class EngineName(Shape):
    """Name of what was created."""

    name: str


class InputLabel(Shape):
    """A requested label."""

    label: str = ""


class GeneratedLabelHint(Shape):
    """A free label, derived from the requested one."""

    label_hint: str


class DeleteResponse(Shape):
    """The number of deleted items."""

    removed_count: int
