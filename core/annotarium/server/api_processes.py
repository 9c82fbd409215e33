"""Several API processes on one socket. The parent prepares and forks them, and forks replacements for those that end.

Its loaded modules are shared by all children, and a new child starts immediately. The parent serves no requests and has
no threads and no open connections. Its children die with it, and it dies with the supervisor.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import NoReturn

import structlog
import uvicorn

from annotarium.db.database import get_database
from annotarium.jobs.queue_client import get_redis
from annotarium.server.api_server import ApiServer, ProcessLoads, SharedSocket, server_config
from annotarium.server.logs import configure_logging
from annotarium.server.process_lifecycle import prepare_installation
from annotarium.system.child_processes import die_with_parent, plan_restart

log = structlog.get_logger(__name__)
_STOP_SECONDS = 5.0
"""Longer than an orderly stop of a process takes, shorter than the supervisor waits."""
_PRELOADED_MODULES = (
    "annotarium.events.hub",
    "annotarium.server.leader",
    "annotarium.server.periodic_tasks",
    "annotarium.jobs.reconciler",
    "annotarium.jobs.run",
    "annotarium.search.embedded.engine",
    "annotarium.search.indexer",
    "annotarium.search.query_vectors",
    "annotarium.search.answer_client",
)


@dataclass
class _Child:
    """One API process; `pid` is 0 while it does not run."""

    number: int
    pid: int = 0
    failures: int = 0
    started_at: float = 0.0
    start_at: float = 0.0


class ApiProcesses:
    """Starts, watches and stops the API processes.

    Args:
        on_ready: called once, when all of them answer requests.
        private: file descriptors of this process that its children must not inherit.
    """

    def __init__(
        self, count: int, listening: socket.socket, on_ready: Callable[[], None], private: Sequence[int] = ()
    ) -> None:
        self._listening = listening
        self._on_ready = on_ready
        self._private = private
        self._loads = ProcessLoads(count)
        self._children = [_Child(number) for number in range(count)]
        self._config = server_config(forks=True)
        self._stopping = False
        self._waiting_for = count
        self._wake, self._wake_end = _pipe()
        self._ready, self._ready_end = _pipe()

    def run(self) -> int:
        """Run until a stop signal arrives; returns the exit status."""
        self._catch_signals()
        _preload(self._config)
        while not self._stopping:
            self._start_due()
            self._sleep()
            ended = self._reap()
            if ended and self._waiting_for:
                self._stop()
                return 1  # it could not start: the log lines above state the reason
        self._stop()
        return 0

    # -- children ---------------------------------------------------------------------------------------------------

    def _start_due(self) -> None:
        for child in self._children:
            if not child.pid and child.start_at <= time.monotonic():
                parent = os.getpid()
                child.started_at = time.monotonic()
                child.pid = os.fork()
                if not child.pid:
                    self._run_child(child.number, parent)

    def _run_child(self, number: int, parent: int) -> NoReturn:
        """Run a child; never returns."""
        status = 1
        try:
            die_with_parent(parent)
            signal.set_wakeup_fd(-1)
            for one in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
                signal.signal(one, signal.SIG_DFL)
            for descriptor in (self._wake, self._wake_end, self._ready, *self._private):
                os.close(descriptor)
            configure_logging(process=f"api-{number + 1}")
            share = SharedSocket(self._listening, self._loads, number)
            ApiServer(self._config, self._notify_ready, share).run()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except Exception:
            log.exception("api_process_failed")
        finally:
            sys.stderr.flush()
            os._exit(status)

    def _notify_ready(self) -> None:
        with suppress(BrokenPipeError, BlockingIOError):
            os.write(self._ready_end, b".")
        os.close(self._ready_end)

    def _reap(self) -> bool:
        """Handle children that have ended; returns whether there were any."""
        found = False
        for child in self._children:
            if not child.pid:
                continue
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if pid:
                found = True
                child.pid = 0
                self._loads.withdraw(child.number)
                child.failures, child.start_at = plan_restart(child.started_at, child.failures)
                if not self._stopping:
                    code = os.waitstatus_to_exitcode(status)
                    log.warning("api_process_ended", number=child.number + 1, status=code)
        return found

    def _stop(self) -> None:
        """Stop all children in order, then kill the remaining ones."""
        self._stopping = True
        self._signal(signal.SIGTERM)
        limit = time.monotonic() + _STOP_SECONDS
        while any(child.pid for child in self._children) and time.monotonic() < limit:
            self._sleep(0.1)
            self._reap()
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        for child in self._children:
            if child.pid:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, number)

    # -- waiting ----------------------------------------------------------------------------------------------------

    def _catch_signals(self) -> None:
        signal.set_wakeup_fd(self._wake_end, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # only to wake the loop

    def _on_stop(self, *_: object) -> None:
        self._stopping = True

    def _sleep(self, longest: float = 60.0) -> None:
        due = [child.start_at - time.monotonic() for child in self._children if not child.pid]
        readers = [self._wake, self._ready] if self._waiting_for else [self._wake]
        found, _, _ = select.select(readers, [], [], max(0.0, min([longest, *due])))
        if self._wake in found:
            with suppress(BlockingIOError):
                os.read(self._wake, 4096)
        if self._ready in found:
            self._waiting_for -= len(os.read(self._ready, 64))
            if self._waiting_for <= 0:
                self._waiting_for = 0
                self._on_ready()
                self._private = ()


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends


def _preload(config: uvicorn.Config) -> None:
    """Load everything the children share, and close everything that must not be open in two processes."""
    from sqlalchemy.orm import configure_mappers

    prepare_installation()
    for name in _PRELOADED_MODULES:
        import_module(name)
    config.load()
    configure_mappers()
    get_database().dispose()
    get_database.cache_clear()
    queue = get_redis()
    if queue is not None:
        queue.close()
        get_redis.cache_clear()
    if threading.active_count() > 1:
        log.warning("forked_with_threads", threads=[one.name for one in threading.enumerate()])
    gc.freeze()
    gc.enable()
