"""Gives space that the database no longer needs back to the disk.

SQLite keeps the pages of what was deleted for later. When most of a file is free, it is written anew without them.
(`auto_vacuum` would give pages back one by one, and costs every annotation a fifth more: decision 0104.) PostgreSQL
sees to it itself (autovacuum).
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
"""Free bytes from which a file is written anew, if they are more than what is in use: writers wait as long as it takes
to write what is in use."""


def shrink_database(database: Database | None = None) -> int:
    """Shrink the file when most of it is free; bytes given back. Cheap when there is nothing to do."""
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
    """A connection with the turn to write and no transaction open, and the driver's own below it."""
    with database.write_lock(), database.write_engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        try:
            yield connection, connection.connection.driver_connection
        finally:
            connection.exec_driver_sql("BEGIN")
