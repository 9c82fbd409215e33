"""The write lock of an SQLite database, across processes.

SQLite's own wait for other processes polls with pauses of up to a tenth of a second: of two busy processes, one would
hardly ever get the lock. The kernel's file lock wakes a waiting process immediately.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path


class WriteLock:
    """A lock between processes. In each process only one thread at a time may use it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process = 0
        self._descriptor = -1

    def acquire(self) -> None:
        """Wait for the lock. Released if the process dies. Without it, SQLite's own lock protects the database."""
        with suppress(OSError):  # a file system without such locks
            fcntl.flock(self._open(), fcntl.LOCK_EX)

    def try_acquire(self) -> bool:
        """Acquire the lock if no process holds it; returns whether it was free."""
        try:
            fcntl.flock(self._open(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def _open(self) -> int:
        if self._process != os.getpid():  # a lock inherited by a fork belongs to the parent
            self.close()
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._process = os.getpid()
        return self._descriptor

    def release(self) -> None:
        with suppress(OSError):
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file; it is reopened when needed."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._process, self._descriptor = 0, -1
