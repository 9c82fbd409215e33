"""When a database server is away for a moment: restarted, moved, out of connections. SQLite is a file and never is."""

from __future__ import annotations

import time

from sqlalchemy.exc import DBAPIError, DisconnectionError, OperationalError

from annotarium.errors import ServiceUnavailable
from annotarium_schemas.messages import message

_STATES = ("57P0", "08", "53300")
"""What PostgreSQL says when it stops or starts, loses a connection, has none left."""
_NONE = "none"


class DatabaseUnavailable(ServiceUnavailable):
    """The database does not answer now; the same again will succeed."""

    def __init__(self) -> None:
        super().__init__(
            message("server.recordAway", "The database does not answer"),
            cause=message("server.recordAwayCause", "Its server is being started, or it is out of reach"),
            fix=message(
                "server.recordAwayFix",
                "Try again in a minute; when it lasts, have an administrator look after the database server",
            ),
        )


def is_disconnected(error: BaseException) -> bool:
    """Whether the record could not be asked at all, or the connection to it broke."""
    if isinstance(error, (DatabaseUnavailable, DisconnectionError)):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    state = getattr(error.orig, "sqlstate", _NONE)  # errors of SQLite have none
    return isinstance(error, OperationalError) and (state is None or state.startswith(_STATES))


class DatabaseRetry:
    """Waits out a database that is away, a few times and each time with an end."""

    def __init__(self, *, times: int, seconds: float, pause: float = 1.0) -> None:
        self._left, self._seconds, self._pause = times, seconds, pause
        self._until: float | None = None

    def wait(self) -> bool:
        """Wait a moment before the next attempt; False when it has lasted too long."""
        now = time.monotonic()
        if self._until is None:
            self._left -= 1
            self._until = now + self._seconds
        if self._left < 0 or now > self._until:
            return False
        time.sleep(self._pause)
        return True

    def reset(self) -> None:
        """It answers again."""
        self._until = None
