"""When two transactions stand in each other's way. SQLite has one writer at a time; PostgreSQL ends one of the two."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

_STATES = frozenset({"40P01", "40001", "55P03"})
"""A circle of locks, a change that came first, a lock that was not waited for."""


def is_collision(error: BaseException) -> bool:
    """Whether the record refused a transaction only because of another one: the same again may succeed."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _STATES
