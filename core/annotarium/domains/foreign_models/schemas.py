"""Response models of foreign models (extension of the published API)."""

from __future__ import annotations

from pydantic import Field

from annotarium.registry.model_signatures import ForeignState
from annotarium_schemas.shape import Shape


class ForeignModelRead(Shape):
    """A model that this installation did not train. `id` is a hash of its content: copies in two projects share it."""

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
    """All foreign models: first those waiting for a decision, then those that crashed, then the accepted ones."""

    models: list[ForeignModelRead]
