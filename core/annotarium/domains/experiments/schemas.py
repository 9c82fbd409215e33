"""Shapes of experiments, as published, with `jobId` and `annotateService` (conflicts 27)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from annotarium_schemas.shape import Shape

Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=255)]


class ExperimentRead(Shape):
    """A model experiment. `timestamp` and `duration` are milliseconds, `quality` percent."""

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
    favorite: bool = False
    email_notification: bool = False
    tags: list[str] = Field(default_factory=list)
    classes: list[str] = Field(default_factory=list)
    report: dict[str, Any] | None = None
    quality: int = 0
    annotate_service: str | None = None
    history: list[dict[str, Any]] = Field(default_factory=list)


class NewExperiment(Shape):
    """A new experiment; without a label one is generated (V-029)."""

    engine: str
    label: Words = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    email_notification: bool = False
    tags: list[str] = Field(default_factory=list)


class ExperimentPatch(Shape):
    """Changes of an experiment; what is absent stays (V-030)."""

    label: Words | None = None
    parameters: dict[str, Any] | None = None
    favorite: bool | None = None
    email_notification: bool | None = None
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
