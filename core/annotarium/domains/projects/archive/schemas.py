"""Schemas of archive endpoints."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from annotarium_schemas.shape import Shape


class ArchiveRef(Shape):
    """An uploaded archive."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    filename: str | None = None
    content_type: str | None = None


class EngineConfigImportSummary(Shape):
    """Result of importing a model archive. It is completed within the request, so there is never a `pendingJob`.

    Attributes:
        configs: labels of the created experiments.
        ignored: labels of those left out, since the name exists in the project or the learner is not usable here.
        models: number of imported trained models.
    """

    configs: list[str] = Field(default_factory=list)
    ignored: list[str] = Field(default_factory=list)
    models: int = 0


JobAnswer = dict[str, Any]
