"""Runs the migrations: forward only, one set for SQLite and PostgreSQL."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, column, inspect, select, table

from annotarium.db.engine import Database, get_database
from annotarium.db.identifiers import now_ms

if TYPE_CHECKING:
    from alembic.config import Config

_FOLDER = Path(__file__).parent / "migrations"
_VERSION = table("alembic_version", column("version_num"))


def alembic_config(database: Database) -> Config:
    """Alembic's settings for this database."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.attributes["engine"] = database.write_engine
    return config


def newest_version() -> str:
    """The version the migrations lead to: their files begin with it, and each follows the one before.

    Alembic knows it too, but to load it and all migrations takes longer than most starts have to.
    """
    return max(path.name.partition("_")[0] for path in (_FOLDER / "versions").glob("[0-9]*.py"))


def _present_version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_VERSION.name):
        return None
    found: str | None = connection.scalar(select(_VERSION.c.version_num))
    return found


def upgrade_database(database: Database | None = None) -> None:
    """Bring the tables to the present version; a copy of an SQLite file is kept beside it first."""
    database = database or get_database()
    head = newest_version()
    with database.write_engine.connect() as connection:
        current = _present_version(connection)
    if current == head:
        return
    from alembic import command

    if current is not None and database.is_sqlite and database.url.database:
        source = Path(database.url.database)
        shutil.copy2(source, source.with_name(f"{source.name}.before-{head}-{now_ms()}"))
    command.upgrade(alembic_config(database), "head")
