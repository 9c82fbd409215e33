"""Small answers that many operations share."""

from __future__ import annotations

from typing import Any

from annotarium_schemas.shape import Shape


class Error(Shape):
    """A failure. `code` is the HTTP status, `error` a stable word, `fix` what to do about it."""

    code: int
    message: str
    cause: str | None = None
    fix: str | None = None
    error: str | None = None
    error_id: str | None = None
    details: list[dict[str, Any]] | None = None


class Ack(Shape):
    """It is done."""

    ok: bool = True


class OperationCount(Shape):
    """How many items an operation touched or would touch."""

    count: int
    operation: str
    unit: str


class CreatorCount(Shape):
    """How many live items a creator made."""

    created_by: str
    count: int
