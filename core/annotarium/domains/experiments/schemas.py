"""Shapes of experiments, as published, with `jobId` and `annotateService` (conflicts 27)."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from annotarium.domains.engines.schemas import EnginePatch, EngineRead, NewEngine
from annotarium.registry.signatures import ForeignState


class ExperimentRead(EngineRead):
    """A model experiment, with the report of its last training; `history` holds the last ten, newest first."""

    favorite: bool = False
    email_notification: bool = False
    classes: list[str] = Field(default_factory=list)
    report: dict[str, Any] | None = None
    annotate_service: str | None = None
    history: list[dict[str, Any]] = Field(default_factory=list)
    foreign_model: ForeignState | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="Its model was trained elsewhere: whether an administrator accepted it, or it crashed (ours)",
    )


class NewExperiment(NewEngine):
    """A new experiment."""

    email_notification: bool = False


class ExperimentPatch(EnginePatch):
    """Changes of an experiment."""

    favorite: bool | None = None
    email_notification: bool | None = None
