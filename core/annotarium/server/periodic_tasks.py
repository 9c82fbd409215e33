"""What has to be done every few seconds, in one thread of the API process.

Of several processes on one data folder one does what concerns them all: the one that holds the `LeaderLock`.
"""

from __future__ import annotations

import fcntl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import structlog

log = structlog.get_logger(__name__)


@dataclass
class _Task:
    name: str
    seconds: float
    function: Callable[[], object]
    due: float = 0.0
    failing: bool = False


class LeaderLock:
    """Held by one process as long as it lives; the next to ask takes it over. The file is locked, never written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: IO[bytes] | None = None
        self._lock = threading.Lock()

    def is_leader(self) -> bool:
        """Whether this process holds it now; takes it when it is free."""
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
        """Leave it to others."""
        with self._lock:
            held, self._held = self._held, None
            if held is not None:
                held.close()

    def only_as_leader(self, function: Callable[[], object]) -> Callable[[], object]:
        """The act, done only while this process holds the office."""
        return lambda: function() if self.is_leader() else None


class PeriodicTasks:
    """Runs registered acts in turn, each at its own pace. An act that fails is logged once and tried again."""

    def __init__(self) -> None:
        self._tasks: list[_Task] = []
        self._attached: list[tuple[Callable[[], object], Callable[[], object]]] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def every(self, seconds: float, name: str, function: Callable[[], object]) -> None:
        """Register an act; the first run comes after `seconds`."""
        self._tasks.append(_Task(name, seconds, function, time.monotonic() + seconds))

    def attach(self, start: Callable[[], object], stop: Callable[[], object]) -> None:
        """Have something with a thread of its own started and stopped along."""
        self._attached.append((start, stop))

    def start(self) -> None:
        """Start the thread."""
        for start, _ in self._attached:
            start()
        self._thread = threading.Thread(target=self._run, name="housekeeping", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop after the act in hand."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(10)
            for _, stop in self._attached:
                stop()

    def _run(self) -> None:
        while not self._stop.is_set():
            for task in self._tasks:
                if task.due <= time.monotonic() and not self._stop.is_set():
                    self._do(task)
                    task.due = time.monotonic() + task.seconds
            pause = min((task.due for task in self._tasks), default=time.monotonic() + 60) - time.monotonic()
            self._stop.wait(max(pause, 0.05))

    def _do(self, task: _Task) -> None:
        try:
            task.function()
        except Exception as error:
            if not task.failing:
                log.warning("periodic_task_failed", task=task.name, error=str(error), exc_info=error)
            task.failing = True
            return
        if task.failing:
            log.info("periodic_task_recovered", task=task.name)
        task.failing = False
