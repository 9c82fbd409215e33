"""Shapes that experiments and suggesters share, as published."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from annotarium_schemas.shape import Damaged, Shape

Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=255)]


class TrainableRead(Shape):
    """What every row with an engine tells. `timestamp` and `duration` are milliseconds, `quality` percent."""

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
    """What every new row names; without a label one is generated (V-029)."""

    engine: str
    label: Words = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    tags: list[str] = Field(default_factory=list)


class TrainablePatch(Shape):
    """Changes of every row; what is absent stays (V-030)."""

    label: Words | None = None
    parameters: dict[str, Any] | None = None
    tags: list[str] | None = None


class EngineName(Shape):
    """Name of what was created."""

    name: str


class InputLabel(Shape):
    """A wished label."""

    label: str = ""


class GeneratedLabelHint(Shape):
    """A free label near the wished one."""

    label_hint: str


class DeleteResponse(Shape):
    """How many were deleted."""

    removed_count: int
