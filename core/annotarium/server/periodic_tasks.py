"""Tasks that run every few seconds or hours, in one thread of the API process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

log = structlog.get_logger(__name__)


@dataclass
class _Task:
    name: str
    seconds: float
    function: Callable[[], object]
    due: float = 0.0
    failing: bool = False


class PeriodicTasks:
    """Runs tasks one after the other, each at its own interval. Failures are logged once; the task is retried."""

    def __init__(self) -> None:
        self._tasks: list[_Task] = []
        self._attached: list[tuple[Callable[[], object], Callable[[], object]]] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def every(self, seconds: float, name: str, function: Callable[[], object]) -> None:
        """Register a task; its first run is after `seconds`."""
        self._tasks.append(_Task(name, seconds, function, time.monotonic() + seconds))

    def attach(self, start: Callable[[], object], stop: Callable[[], object]) -> None:
        """Start and stop a service that has a thread of its own along with the tasks."""
        self._attached.append((start, stop))

    def start(self) -> None:
        """Start attached services and the thread."""
        for start, _ in self._attached:
            start()
        self._thread = threading.Thread(target=self._run, name="housekeeping", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop after the running task, then stop the attached services."""
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
