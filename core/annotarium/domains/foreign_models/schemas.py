"""Shapes of models from elsewhere (ours)."""

from __future__ import annotations

from pydantic import Field

from annotarium.registry.model_signatures import ForeignState
from annotarium_schemas.shape import Shape


class ForeignModelRead(Shape):
    """A model that this installation did not train. `id` tells its content: the same model in two projects has one."""

    id: str
    project_name: str
    project_label: str
    kind: str = Field(description="experiment or suggester")
    name: str
    label: str
    engine: str
    timestamp: int = Field(description="When it was trained, as it says itself: milliseconds since 1970")
    size: int = Field(description="Bytes of its files")
    state: ForeignState
    reason: str = Field("", description="Why it crashed")


class ForeignModels(Shape):
    """All models from elsewhere: those that wait first, then those that crashed, then the accepted ones."""

    models: list[ForeignModelRead]
