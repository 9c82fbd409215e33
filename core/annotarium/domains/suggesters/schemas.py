"""Shapes of suggesters, as published."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from annotarium_schemas.shape import Shape

Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=255)]


class SuggesterRead(Shape):
    """A suggester. `running` = it retrains as answers come in; `jobId` while it trains."""

    name: str
    label: str
    engine: str
    parameters: dict[str, Any]
    models: int
    timestamp: int
    duration: int
    uptodate: bool
    running: bool
    training: bool = False
    job_id: str | None = None
    tags: list[str] = Field(default_factory=list)
    quality: int = 0
    answers: int = 0


class NewSuggester(Shape):
    """A new suggester; without a label one is generated (V-029)."""

    engine: str
    label: Words = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    tags: list[str] = Field(default_factory=list)


class SuggesterPatch(Shape):
    """Changes of a suggester; what is absent stays (V-030)."""

    label: Words | None = None
    parameters: dict[str, Any] | None = None
    tags: list[str] | None = None
