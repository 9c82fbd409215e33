"""When two transactions stand in each other's way. SQLite has one writer at a time; PostgreSQL ends one of the two."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

_LOCK_TIMEOUT = "55P03"
_STATES = frozenset({"40P01", "40001", _LOCK_TIMEOUT})
"""A circle of locks, a change that came first, a lock that did not come in time."""


def is_serialization_failure(error: BaseException) -> bool:
    """Whether the record refused a transaction only because of another one: the same again may succeed."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _STATES


def is_lock_timeout(error: BaseException) -> bool:
    """Whether the collision is a lock that did not come in time: whoever holds it takes long."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == _LOCK_TIMEOUT
