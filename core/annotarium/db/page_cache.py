"""Limits the memory in which SQLite caches pages of files, for work that would fill it without profit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager


@contextmanager
def limited_page_cache(size: int) -> Iterator[None]:
    """Let all connections of this process cache `size` bytes of pages together; beyond it they reuse their own.

    Work that writes or reads everything once gains little from a larger cache, which another process's write empties.
    """
    with closing(sqlite3.connect(":memory:")) as connection:
        (before,) = connection.execute("PRAGMA soft_heap_limit").fetchone()
        connection.execute(f"PRAGMA soft_heap_limit = {size}")
        try:
            yield
        finally:
            connection.execute(f"PRAGMA soft_heap_limit = {before}")
