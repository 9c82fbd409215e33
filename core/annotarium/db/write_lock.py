"""The turn to write to an SQLite record, across processes.

SQLite's own wait for other processes polls with pauses that grow to a tenth of a second: of two busy processes one
would hardly ever get its turn. The kernel's lock on a file wakes who waits at once.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path


class WriteLock:
    """A lock between processes. In each process only one thread at a time may ask for it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process = 0
        self._descriptor = -1

    def acquire(self) -> None:
        """Wait for it. It ends with the process that holds it; SQLite's lock guards the record all the same."""
        with suppress(OSError):  # a file system without such locks
            fcntl.flock(self._open(), fcntl.LOCK_EX)

    def try_acquire(self) -> bool:
        """Take it if no process has it; whether it was free."""
        try:
            fcntl.flock(self._open(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def _open(self) -> int:
        if self._process != os.getpid():  # a lock that a fork inherits is its parent's
            self.close()
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._process = os.getpid()
        return self._descriptor

    def release(self) -> None:
        """Leave it to others."""
        with suppress(OSError):
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of the file; it is opened again when it is needed."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._process, self._descriptor = 0, -1
