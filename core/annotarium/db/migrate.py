"""Runs the migrations: forward only, one set for SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import column, inspect, select, table
from sqlalchemy.exc import OperationalError

from annotarium.db.database import Database, get_database
from annotarium.db.identifiers import now_ms
from annotarium.errors import Conflict, ServiceUnavailable

if TYPE_CHECKING:
    from alembic.config import Config

log = structlog.get_logger(__name__)
_FOLDER = Path(__file__).parent / "migrations"
_VERSION = table("alembic_version", column("version_num"))
WAIT_SECONDS = 60.0
"""How long a start waits for a database that does not respond, or for its tables to be upgraded."""


def alembic_config(database: Database) -> Config:
    """Alembic's configuration for this database."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.attributes["engine"] = database.write_engine
    return config


@cache
def _known_versions() -> frozenset[str]:
    return frozenset(path.name.partition("_")[0] for path in (_FOLDER / "versions").glob("[0-9]*.py"))


def newest_version() -> str:
    """The newest version: migration files begin with their version, and each follows the previous one.

    Alembic could provide it too, but loading it and all migrations takes longer than most starts.
    """
    return max(_known_versions())


def _present_version(database: Database) -> str | None:
    with database.write_engine.connect() as connection:
        if not inspect(connection).has_table(_VERSION.name):
            return None
        found: str | None = connection.scalar(select(_VERSION.c.version_num))
        return found


def _require_known_version(version: str | None) -> None:
    if version is not None and version not in _known_versions():
        raise Conflict(
            "The database was created by a later version of Annotarium",
            cause=f"Its tables have version {version}, this program supports versions up to {newest_version()}",
            fix="Install that version again, or restore an earlier backup",
        )


def upgrade_database(database: Database | None = None) -> None:
    """Upgrade the tables to the current version; an SQLite file is copied to the same folder before.

    Raises:
        Conflict: the tables are of a later version.
        ServiceUnavailable: the database does not respond.
    """
    database = database or get_database()
    head = newest_version()
    if _await_database(database) == head:
        return
    from alembic import command

    with database.write_lock():  # only one process migrates (PostgreSQL: `lock_database_preparation`)
        current = _present_version(database)
        if current == head:
            return
        _require_known_version(current)
        if current is not None and database.is_sqlite and database.url.database:
            _copy_sqlite_file(Path(database.url.database), f"before-{head}-{now_ms()}")
        command.upgrade(alembic_config(database), "head")


def await_upgrade(database: Database | None = None) -> None:
    """Wait until another process has upgraded the tables; workers leave that to the API process.

    Raises:
        Conflict: the tables are of another version.
        ServiceUnavailable: the database does not respond.
    """
    database = database or get_database()
    limit = time.monotonic() + WAIT_SECONDS
    while (current := _await_database(database)) != newest_version():
        _require_known_version(current)
        if time.monotonic() > limit:
            raise Conflict(
                "The database does not have the version of this program",
                cause=f"Its tables have version {current or 'none'}, this program needs {newest_version()}",
                fix="Start annotarium serve of this version first, which upgrades the tables",
            )
        time.sleep(0.5)


def _await_database(database: Database) -> str | None:
    """The version of the tables; retries while a database server is starting."""
    limit = time.monotonic() + WAIT_SECONDS
    logged = False
    while True:
        try:
            return _present_version(database)
        except OperationalError as error:
            if database.is_sqlite:
                raise
            words = str(error.orig).strip().splitlines()[0]
            if time.monotonic() > limit:
                raise ServiceUnavailable(
                    "The database does not answer", cause=words, fix="Check DATABASE_URL and the database server"
                ) from error
        if not logged:
            log.warning("database_awaited", cause=words, seconds=WAIT_SECONDS)
            logged = True
        time.sleep(0.5)


def _copy_sqlite_file(source: Path, ending: str) -> None:
    """Copy including the write-ahead log, which a plain copy of the file would lack after a kill."""
    with closing(sqlite3.connect(source)) as record, closing(sqlite3.connect(f"{source}.{ending}")) as copy:
        record.backup(copy)
