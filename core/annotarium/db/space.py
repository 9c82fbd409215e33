"""Gives space that the database no longer needs back to the disk.

SQLite keeps the pages of what was deleted for later. New databases are made so that free pages can be given back a few
at a time; an older one is rewritten once, when most of it is free. PostgreSQL sees to it itself (autovacuum).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from sqlalchemy import Connection

from annotarium.db.engine import Database, get_database
from annotarium.settings import MEBIBYTE

log = structlog.get_logger(__name__)
KEPT_FREE = 32 * MEBIBYTE
"""Bytes of free pages that are left for what is written next."""
_STEP = 4 * MEBIBYTE
"""Bytes given back in one transaction: nobody waits for it longer than for an ordinary write."""
_STEPS = 64
"""Per call."""
_REWRITE_FROM = 256 * MEBIBYTE
"""Free bytes from which an older database is rewritten, if they are more than what is in use: it takes as long as
writing what is in use."""
_INCREMENTAL = 2


def give_back_space(database: Database | None = None) -> int:
    """Shrink the file by pages that are free; bytes given back. Cheap when there is nothing to do."""
    database = database or get_database()
    if not database.is_sqlite:
        return 0
    with database.read_engine.connect() as connection:
        page, free, used, mode = _figures(connection)
    if free * page <= KEPT_FREE:
        return 0
    if mode != _INCREMENTAL:
        return _rewrite(database) if free * page >= _REWRITE_FROM and free > used else 0
    given = 0
    for _ in range(_STEPS):
        more = min(_STEP, (free * page - KEPT_FREE) - given)
        if more < page:
            break
        with _alone(database) as (_, driver):
            # A script is run to its end; of a single statement only the first step, which frees one page.
            driver.executescript(f"PRAGMA incremental_vacuum({more // page})")
        given += more // page * page
    log.info("space_given_back", bytes=given)
    return given


def _figures(connection: Connection) -> tuple[int, int, int, int]:
    """Bytes of a page, free pages, pages in use, and how free pages are given back."""
    page, free, pages, mode = (
        int(connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0)
        for name in ("page_size", "freelist_count", "page_count", "auto_vacuum")
    )
    return page, free, pages - free, mode


@contextmanager
def _alone(database: Database) -> Iterator[tuple[Connection, Any]]:
    """A connection with the turn to write and no transaction open, and the driver's own below it."""
    with database.write_turn(), database.write_engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        try:
            yield connection, connection.connection.driver_connection
        finally:
            connection.exec_driver_sql("BEGIN")


def _rewrite(database: Database) -> int:
    with _alone(database) as (connection, driver):
        page, free, *_ = _figures(connection)
        driver.execute(f"PRAGMA auto_vacuum = {_INCREMENTAL}")
        driver.execute("VACUUM")
    log.info("database_rewritten", bytes=free * page)
    return free * page
