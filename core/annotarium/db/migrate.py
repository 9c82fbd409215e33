"""Runs the migrations: forward only, one set for SQLite and PostgreSQL."""

from __future__ import annotations

import shutil
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from annotarium.db.engine import Database, get_database
from annotarium.db.identifiers import now_ms

_FOLDER = Path(__file__).parent / "migrations"


def alembic_config(database: Database) -> Config:
    """Alembic's settings for this database."""
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.attributes["engine"] = database.write_engine
    return config


def upgrade_database(database: Database | None = None) -> None:
    """Bring the tables to the present version; a copy of an SQLite file is kept beside it first."""
    database = database or get_database()
    config = alembic_config(database)
    head = ScriptDirectory.from_config(config).get_current_head()
    with database.write_engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current == head:
        return
    if current is not None and database.is_sqlite and database.url.database:
        source = Path(database.url.database)
        shutil.copy2(source, source.with_name(f"{source.name}.before-{head}-{now_ms()}"))
    command.upgrade(config, "head")
