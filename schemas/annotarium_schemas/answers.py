"""Small response models that many operations share."""

from __future__ import annotations

from typing import Any

from annotarium_schemas.shape import Shape


class Error(Shape):
    """An error. `code` is the HTTP status, `error` a stable identifier, `fix` what the user can do."""

    code: int
    message: str
    cause: str | None = None
    fix: str | None = None
    error: str | None = None
    error_id: str | None = None
    details: list[dict[str, Any]] | None = None


class Ack(Shape):
    """The operation succeeded."""

    ok: bool = True


class OperationCount(Shape):
    """Number of items that an operation changed or would change."""

    count: int
    operation: str
    unit: str


class CreatorCount(Shape):
    """Number of existing items that a user or component created."""

    created_by: str
    count: int
