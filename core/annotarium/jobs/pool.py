"""The slots of a worker: processes forked from one parent, so that they share its loaded modules, and restarted by it.

The parent runs no job and has no threads and no open connections. Its slots die with it, and it dies with the
supervisor.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

import structlog

from annotarium.db.database import get_database
from annotarium.jobs.queue_client import get_redis
from annotarium.jobs.run import load_job_functions, preload_shared_modules
from annotarium.jobs.worker import run_worker
from annotarium.system.child_processes import die_with_parent, plan_restart
from annotarium.system.lanes import Slot

log = structlog.get_logger(__name__)
_REFUSED = 78
"""Exit status of a slot that cannot work, so that restarting it would not help (`EX_CONFIG`)."""
_STOPS = (signal.SIGINT, signal.SIGTERM)


@dataclass
class _SlotProcess:
    """The process of a slot; `pid` is 0 while it does not run."""

    slot: Slot
    pid: int = 0
    failures: int = 0
    started_at: float = 0.0
    start_at: float = 0.0


class WorkerPool:
    """Starts, watches and stops the slots of a worker.

    Args:
        name: the stable name assigned by a supervisor; None for a worker started by hand.
        begin: called in each slot's process with the slot's name, before it works.
    """

    def __init__(self, slots: Sequence[Slot], name: str | None, begin: Callable[[str], None]) -> None:
        self._name = name
        self._begin = begin
        self._children = [_SlotProcess(slot) for slot in slots]
        self._stops: list[int] = []
        self._stopping = False
        self._status = 0
        self._wake, self._wake_end = os.pipe()
        for end in (self._wake, self._wake_end):
            os.set_blocking(end, False)

    def run(self) -> int:
        """Run until a stop signal arrives, or until a slot exits with a message (`sys.exit("...")`): then none can
        work.

        Signals are forwarded to all slots; returns the exit status when all of them have ended.
        """
        self._catch_signals()
        _preload_before_fork()
        while True:
            self._reap()
            self._forward_stop_signals()
            if self._stopping and not any(child.pid for child in self._children):
                return self._status
            self._start_due()
            self._sleep()

    def _start_due(self) -> None:
        for child in self._children:
            if not child.pid and not self._stopping and child.start_at <= time.monotonic():
                parent = os.getpid()
                child.started_at = time.monotonic()
                child.pid = os.fork()
                if not child.pid:
                    self._live(child.slot, parent)

    def _live(self, slot: Slot, parent: int) -> NoReturn:
        """Run a slot; never returns."""
        status = 1
        try:
            die_with_parent(parent)
            signal.set_wakeup_fd(-1)
            for number in (*_STOPS, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            os.close(self._wake)
            os.close(self._wake_end)
            name = f"{self._name or 'worker'}.{slot.name}"
            self._begin(name)
            run_worker(name if self._name else None, lanes=slot.lanes)
            status = 0
        except SystemExit as end:
            status = _exit_status_of(end.code)
        except Exception:
            log.exception("worker_slot_failed")
        finally:
            sys.stderr.flush()
            os._exit(status)

    def _reap(self) -> None:
        for child in self._children:
            if not child.pid:
                continue
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if pid:
                child.pid = 0
                child.failures, child.start_at = plan_restart(child.started_at, child.failures)
                if os.waitstatus_to_exitcode(status) == _REFUSED and not self._stopping:
                    self._status = 1
                    self._on_stop(signal.SIGTERM, None)
                if not self._stopping:
                    log.warning("worker_slot_ended", slot=child.slot.name, status=os.waitstatus_to_exitcode(status))

    def _forward_stop_signals(self) -> None:
        while self._stops:
            number = self._stops.pop(0)
            for child in self._children:
                if child.pid:
                    with suppress(ProcessLookupError):
                        os.kill(child.pid, number)

    # -- waiting ----------------------------------------------------------------------------------------------------

    def _catch_signals(self) -> None:
        signal.set_wakeup_fd(self._wake_end, warn_on_full_buffer=False)
        for number in _STOPS:
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # only to wake the loop

    def _on_stop(self, number: int, _: object) -> None:
        self._stops.append(number)
        self._stopping = True

    def _sleep(self) -> None:
        due = [child.start_at - time.monotonic() for child in self._children if not child.pid and not self._stopping]
        select.select([self._wake], [], [], max(0.0, min([60.0, *due])))
        with suppress(BlockingIOError):
            os.read(self._wake, 4096)


def _exit_status_of(code: object) -> int:
    if isinstance(code, int) or code is None:
        return code or 0
    sys.stderr.write(f"{code}\n")
    return _REFUSED


def _preload_before_fork() -> None:
    """Load everything the slots share, and close everything that must not be open in two processes."""
    from sqlalchemy.orm import configure_mappers

    load_job_functions()
    preload_shared_modules()
    configure_mappers()
    get_database().dispose()
    get_database.cache_clear()
    queue = get_redis()
    if queue is not None:
        queue.close()
        get_redis.cache_clear()
    gc.freeze()  # with garbage: freed gaps would be reused in each slot, copying their pages
