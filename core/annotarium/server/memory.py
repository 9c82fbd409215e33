"""Memory of a process that answers for weeks: what large answers took goes back to the system.

The C library keeps freed memory in an arena for each of many threads, and SQLite keeps pages for each connection of
each thread: both grow to what the largest answers of every single thread needed, and stay there. Connections of threads
that ended are in circles, which Python's collector would look for in hours (its thresholds are high, see `process`).
"""

from __future__ import annotations

import ctypes
import gc
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import structlog

log = structlog.get_logger(__name__)
MEBIBYTE = 1 << 20

ARENAS = 2
"""Python's own lock lets one thread work at a time: more arenas are not faster, only larger."""
OWN_MAPPING = MEBIBYTE
"""Bytes from which a piece of memory is mapped by itself, and is the system's again as soon as it is freed."""
DATABASE_PAGES = 48 * MEBIBYTE
"""What SQLite keeps of all files together; above, a connection replaces pages of its own instead of taking more."""
MIN_GROWTH_BYTES = 8 * MEBIBYTE
"""Growth since the last time that makes it worth looking for freed memory."""

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # of malloc.h
_STATUS = Path("/proc/self/status")


def limit_memory_caches() -> None:
    """Set the bounds above; to be called before the process has threads. Elsewhere than with glibc only SQLite's."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA soft_heap_limit = {DATABASE_PAGES}")  # of the process, whatever connection says so
    tune = _c_function("mallopt")
    if tune is not None:
        tune(_M_ARENA_MAX, ARENAS)
        tune(_M_MMAP_THRESHOLD, OWN_MAPPING)


def private_bytes() -> int:
    """Memory that is this process's alone, without the files it has mapped; 0 where the system does not tell."""
    try:
        lines = _STATUS.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:")), 0)


class MemoryTrimmer:
    """Gives freed memory back to the system: while the process grows, and once more when it has grown no further.

    Args:
        let_go: frees what can be had again, like pages of files.
    """

    def __init__(self, release: Callable[[], None] = lambda: None) -> None:
        self._release = release
        self._trim = _c_function("malloc_trim")
        self._after = private_bytes()
        self._grew = False

    def __call__(self) -> None:
        """Look once; some milliseconds where there is something to give back, in which other threads go on."""
        before = private_bytes()
        grew, self._grew = self._grew, before >= self._after + MIN_GROWTH_BYTES
        if self._trim is None or not (self._grew or grew):
            self._after = min(self._after, before)
            return
        self._release()
        gc.collect()
        self._trim(0)
        self._after = private_bytes()
        log.debug("memory_returned", before=before, after=self._after)


def _c_function(name: str) -> Callable[..., int] | None:
    if sys.platform != "linux":
        return None
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError):
        return None
    return found
