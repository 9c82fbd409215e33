"""Returns space that the database no longer needs to the disk.

SQLite keeps the pages of deleted rows for reuse. If most of a file is free, it is rewritten without them.
(`auto_vacuum` would return pages one by one, but makes every annotation a fifth more expensive: decision 0104.)
PostgreSQL does this itself (autovacuum).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from sqlalchemy import Connection

from annotarium.db.database import Database, get_database
from annotarium.settings import MEBIBYTE

log = structlog.get_logger(__name__)
REWRITE_FROM = 64 * MEBIBYTE
"""Minimum of free bytes for rewriting a file, which must also exceed the bytes in use: writers wait while the used part
is rewritten.
"""


def shrink_database(database: Database | None = None) -> int:
    """Rewrite the file if most of it is free; returns the bytes freed. Cheap if there is nothing to do."""
    database = database or get_database()
    if not database.is_sqlite:
        return 0
    with database.read_engine.connect() as connection:
        free, used = _free_and_used_bytes(connection)
    if free < REWRITE_FROM or free <= used:
        return 0
    with _exclusive_connection(database) as (connection, driver):
        free, _ = _free_and_used_bytes(connection)
        driver.execute("VACUUM")
    log.info("database_rewritten", bytes=free)
    return free


def _free_and_used_bytes(connection: Connection) -> tuple[int, int]:
    """Bytes of free pages, and of pages in use."""
    page, free, pages = (
        int(connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0)
        for name in ("page_size", "freelist_count", "page_count")
    )
    return page * free, page * (pages - free)


@contextmanager
def _exclusive_connection(database: Database) -> Iterator[tuple[Connection, Any]]:
    """A connection that holds the write lock without an open transaction, and its driver connection."""
    with database.write_lock(), database.write_engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        try:
            yield connection, connection.connection.driver_connection
        finally:
            connection.exec_driver_sql("BEGIN")
