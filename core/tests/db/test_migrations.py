"""Migrations lead from nothing to the tables of the models, on both kinds of record."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import make_url

from annotarium.db.engine import Database
from annotarium.db.migrate import alembic_config, newest_version, upgrade_database
from annotarium.db.models import Base


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A record without tables."""
    if request.param == "sqlite":
        database = Database(f"sqlite:///{tmp_path / 'empty.sqlite'}")
        yield database
        database.dispose()
        return
    server = os.environ.get("ANNOTARIUM_TEST_DATABASE_URL")
    if not server:
        pytest.skip("ANNOTARIUM_TEST_DATABASE_URL names no PostgreSQL server")
    name = f"migrated_{uuid4().hex[:12]}"
    steward = Database(server)
    with steward.write_engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
        database = Database(make_url(server).set(database=name).render_as_string(hide_password=False))
        yield database
        database.dispose()
        connection.exec_driver_sql(f"DROP DATABASE {name}")
    steward.dispose()


def test_migrations_make_the_tables_of_the_models(empty: Database) -> None:
    upgrade_database(empty)
    with empty.write_engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False, "render_as_batch": True})
        assert compare_metadata(context, Base.metadata) == []
        assert connection.dialect.has_table(connection, "annotations")


def test_the_newest_version_is_read_without_alembic(empty: Database) -> None:
    assert newest_version() == ScriptDirectory.from_config(alembic_config(empty)).get_current_head()
