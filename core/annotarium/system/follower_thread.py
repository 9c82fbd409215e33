"""A thread of a process that does what others leave for it, until it is told to stop."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod


class FollowerThread(ABC):
    """Base of whatever has such a thread: `_follow` runs in it while `_thread` is set, and waits for `_wake`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    def follow(self) -> None:
        """Start the thread: from now on what comes is left to it."""
        self._thread = threading.Thread(target=self._follow, name=self._name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread once nothing waits, after ten seconds at most; what comes later is done by who brings it."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._wake.set()
            thread.join(10)

    @abstractmethod
    def _follow(self) -> None:
        """What the thread does; ends once `_thread` is None and nothing waits."""
