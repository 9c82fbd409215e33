"""Chooses one of several API processes on a data folder for common tasks: the one that holds the `LeaderLock`."""

from __future__ import annotations

import fcntl
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO


class LeaderLock:
    """A lock that one process holds until it ends; then another one acquires it. The file is locked, never written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: IO[bytes] | None = None
        self._lock = threading.Lock()

    def is_leader(self) -> bool:
        """Whether this process holds the lock; acquires it if it is free."""
        with self._lock:
            if self._held is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                handle = self._path.open("ab")
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    handle.close()
                    return False
                self._held = handle
        return True

    def release(self) -> None:
        with self._lock:
            held, self._held = self._held, None
            if held is not None:
                held.close()

    def only_as_leader(self, function: Callable[[], object]) -> Callable[[], object]:
        """Wrap the function so that it does nothing unless this process is the leader."""
        return lambda: function() if self.is_leader() else None
