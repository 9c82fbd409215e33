"""Errors while a database server is temporarily unreachable: restarting, moved, out of connections. Not for SQLite."""

from __future__ import annotations

import time

from sqlalchemy.exc import DBAPIError, DisconnectionError, OperationalError

from annotarium.errors import ServiceUnavailable
from annotarium_schemas.messages import message

_STATES = ("57P0", "08", "53300")
"""SQLSTATE prefixes of PostgreSQL for a start or stop, a lost connection, and too many connections."""
_NONE = "none"


class DatabaseUnavailable(ServiceUnavailable):
    """The database does not respond at present; the same request will succeed later."""

    def __init__(self) -> None:
        super().__init__(
            message("server.recordAway", "The database does not respond"),
            cause=message("server.recordAwayCause", "Its server is starting or cannot be reached"),
            fix=message(
                "server.recordAwayFix",
                "Try again in a minute; if this continues, ask an administrator to check the database server",
            ),
        )


def is_disconnected(error: BaseException) -> bool:
    """Whether the database could not be reached, or the connection to it broke."""
    if isinstance(error, (DatabaseUnavailable, DisconnectionError)):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    state = getattr(error.orig, "sqlstate", _NONE)  # SQLite's errors have no sqlstate
    return isinstance(error, OperationalError) and (state is None or state.startswith(_STATES))


class DatabaseRetry:
    """Limits retries while the database is unreachable: at most `times` outages of at most `seconds` each."""

    def __init__(self, *, times: int, seconds: float, pause: float = 1.0) -> None:
        self._left, self._seconds, self._pause = times, seconds, pause
        self._until: float | None = None

    def wait(self) -> bool:
        """Wait before the next attempt; False if an outage lasts too long or there were too many."""
        now = time.monotonic()
        if self._until is None:
            self._left -= 1
            self._until = now + self._seconds
        if self._left < 0 or now > self._until:
            return False
        time.sleep(self._pause)
        return True

    def reset(self) -> None:
        """Note that the database responds again."""
        self._until = None
