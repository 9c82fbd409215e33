"""Memory of a long-running process: returns what large responses used to the system.

The C library keeps freed memory in arenas for many threads, and SQLite caches pages for each connection of each thread.
Both grow to what the largest response of each thread needed, and stay there. Connections of ended threads are in
reference cycles, which Python's garbage collector would only find after hours (see its thresholds in `server.launch`).
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
"""Because of the GIL one thread runs at a time, so more arenas would not be faster, only larger."""
OWN_MAPPING = MEBIBYTE
"""Blocks of at least this many bytes get their own mapping, which is returned to the system as soon as it is freed."""
DATABASE_PAGES = 48 * MEBIBYTE
"""Bytes that SQLite caches for all files together; beyond this, a connection reuses its own pages."""
MIN_GROWTH_BYTES = 8 * MEBIBYTE
"""Growth since the last trim that makes another one worthwhile."""

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # from malloc.h
_STATUS = Path("/proc/self/status")


def limit_memory_caches() -> None:
    """Set the limits above; to be called before threads start. Without glibc, only SQLite's limit is set."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA soft_heap_limit = {DATABASE_PAGES}")  # applies to the whole process
    tune = _c_function("mallopt")
    if tune is not None:
        tune(_M_ARENA_MAX, ARENAS)
        tune(_M_MMAP_THRESHOLD, OWN_MAPPING)


def private_bytes() -> int:
    """Anonymous memory of this process, without mapped files; 0 if the system does not provide the figure."""
    try:
        lines = _STATUS.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:")), 0)


class MemoryTrimmer:
    """Returns freed memory to the system: while the process grows, and once more after it has stopped growing.

    Args:
        release: frees memory that can be filled again, such as cached pages.
    """

    def __init__(self, release: Callable[[], None] = lambda: None) -> None:
        self._release = release
        self._trim = _c_function("malloc_trim")
        self._after = private_bytes()
        self._grew = False

    def __call__(self) -> None:
        """Check once. Takes some milliseconds if there is memory to return; other threads continue meanwhile."""
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
