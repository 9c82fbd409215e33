"""Shapes of uploads."""

from __future__ import annotations

from annotarium_schemas.shape import Shape


class UploadedFile(Shape):
    """A received file: what imports name it by."""

    id: str
    filename: str
    content_type: str | None = None


class UploadedFileInfo(Shape):
    """That an upload is there."""

    id: str
