"""Small answers that many operations share."""

from __future__ import annotations

from annotarium_schemas.shape import Shape


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
