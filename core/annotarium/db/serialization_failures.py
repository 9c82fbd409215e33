"""Conflicts of concurrent transactions. SQLite has one writer at a time; PostgreSQL aborts one of the transactions."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

_LOCK_TIMEOUT = "55P03"
_STATES = frozenset({"40P01", "40001", _LOCK_TIMEOUT})
"""Deadlock, serialisation failure, lock timeout."""


def is_serialization_failure(error: BaseException) -> bool:
    """Whether the database aborted a transaction only because of another one, so that a repetition may succeed."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _STATES


def is_lock_timeout(error: BaseException) -> bool:
    """Whether the failure is a lock timeout: another transaction holds the lock for long."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == _LOCK_TIMEOUT
