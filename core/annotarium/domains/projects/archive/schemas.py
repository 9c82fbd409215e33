"""Shapes of archives."""

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
    """What became of an archive of models; all of it is done at once: there is never a `pendingJob`.

    Attributes:
        configs: labels of the experiments that were created.
        ignored: those that were not: the project has one of this name, or their learner is not installed.
        models: trained models among what was created.
    """

    configs: list[str] = Field(default_factory=list)
    ignored: list[str] = Field(default_factory=list)
    models: int = 0


JobAnswer = dict[str, Any]
