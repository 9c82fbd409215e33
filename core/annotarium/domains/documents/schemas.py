"""Shapes of documents and their import."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from annotarium_schemas.shape import Shape

Policy = Literal["always_recompute", "compute_if_missing", "no_segmentation", "documents_as_segments"]
CleanText = Literal["true", "false", "default"]


class UploadRef(Shape):
    """An uploaded file that an import names."""

    id: str = Field(min_length=1, max_length=64)
    filename: str | None = None
    content_type: str | None = Field(default=None, description="Accepted and not used: the type is that of the upload.")
    folder: str | None = Field(default=None, max_length=4096)
    """Where the sender had the file, `press/2024`: it is told in the report and may become a category (ours)."""


Plain = Annotated[str | bool | int | float, Field(union_mode="smart")]


class SimpleMetadata(Shape):
    """A metadata value to set; an empty or missing one removes it. Numbers, yes or no, and lists are ours."""

    name: str = Field(min_length=1, max_length=255)
    value: Plain | Annotated[list[Plain], Field(max_length=1000)] | None = None

    @property
    def removes(self) -> bool:
        """Whether there is no value: `0` and `false` are some."""
        return self.value is None or self.value == "" or self.value == []

    @field_validator("value")
    @classmethod
    def _is_finite(cls, value: Any) -> Any:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, float) and not math.isfinite(one):
                raise ValueError("a number must be finite")
        return value
