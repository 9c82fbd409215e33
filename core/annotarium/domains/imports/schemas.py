"""Shapes of uploads."""

from __future__ import annotations

from pydantic import Field

from annotarium_schemas.shape import Shape


class UploadedFile(Shape):
    """A received file: what imports name it by."""

    id: str
    filename: str
    content_type: str | None = None


class UploadedFileInfo(Shape):
    """That an upload is there."""

    id: str


class AnnouncedFile(Shape):
    """A file that will come in pieces (ours)."""

    filename: str = Field(min_length=1, max_length=1_000)
    content_type: str | None = Field(default=None, max_length=255)
    size: int = Field(ge=0)
    """Bytes."""
    mark: str = Field(default="", max_length=255)
    """What the sender tells the file by: the same name, size and mark again go on with what is here."""


class PartialFile(Shape):
    """How far a file that comes in pieces has come (ours)."""

    id: str
    filename: str
    size: int
    offset: int
    """Bytes that are here: where the next piece begins."""
    piece_size: int
    """Bytes that make a good piece."""
    expires_at: int | None = None
    """When it is given up unless another piece comes; milliseconds since the Unix epoch."""
    uploaded: UploadedFile | None = None
    """Once the file is whole: what imports name it by."""
