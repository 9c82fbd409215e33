"""Shapes of documents and their import."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from annotarium_schemas.shape import Shape

Policy = Literal["always_recompute", "compute_if_missing", "no_segmentation", "documents_as_segments"]
CleanText = Literal["true", "false", "default"]


class UploadRef(Shape):
    """An uploaded file that an import names."""

    id: str = Field(min_length=1, max_length=64)
    filename: str | None = None
    folder: str | None = Field(default=None, max_length=4096)
    """Where the sender had the file, `press/2024`: it is told in the report and may become a category (ours)."""


class SimpleMetadata(Shape):
    """A metadata value to set; an empty or missing value removes it."""

    name: str = Field(min_length=1, max_length=255)
    value: str | None = None


class Ack(Shape):
    """Answer to a deletion."""

    ok: bool = True
