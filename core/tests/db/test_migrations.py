"""Migrations lead from nothing to the tables of the models, on both kinds of record."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, MetaData, Table, inspect, make_url, select

from annotarium.db.engine import Database
from annotarium.db.migrate import alembic_config, await_tables, newest_version, upgrade_database
from annotarium.db.models import Base
from annotarium.errors import Conflict


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


_START = "from annotarium.db.migrate import *; upgrade_database(); await_tables()"


def test_of_several_that_start_together_one_migrates(empty: Database, tmp_path: Path) -> None:
    url = empty.url.render_as_string(hide_password=False)
    environment = os.environ | {"ANNOTARIUM_DATABASE_URL": url, "ANNOTARIUM_DATA": str(tmp_path)}
    started = [subprocess.Popen([sys.executable, "-c", _START], env=environment) for _ in range(3)]
    assert [one.wait(60) for one in started] == [0, 0, 0]


def test_tables_of_a_later_version_are_left_alone(empty: Database) -> None:
    upgrade_database(empty)
    with empty.write_engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    for start in (upgrade_database, await_tables):
        with pytest.raises(Conflict, match="later version") as refused:
            start(empty)
        assert "9999" in refused.value.told()


def test_the_copy_before_a_migration_holds_what_is_in_the_log_of_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    database = Database(f"sqlite:///{path}")
    command.upgrade(alembic_config(database), "0017")
    with database.write_engine.begin() as connection:  # the connection stays open: nothing is moved into the file
        connection.exec_driver_sql("INSERT INTO instance_facts (key, value) VALUES ('kept', '{}')")
    assert path.with_name("record.sqlite-wal").stat().st_size > 0
    upgrade_database(database)
    database.dispose()
    (copy,) = tmp_path.glob("record.sqlite.before-*-*[0-9]")
    with closing(sqlite3.connect(copy)) as old:
        assert old.execute("SELECT count(*) FROM instance_facts WHERE key = 'kept'").fetchone() == (1,)
        assert old.execute("SELECT version_num FROM alembic_version").fetchone() == ("0017",)


def table_as_it_is(database: Database, name: str) -> Table:
    """A table of the models with those of its columns that the database has by now."""
    there = {column["name"] for column in inspect(database.write_engine).get_columns(name)}
    columns = [column for column in Base.metadata.tables[name].columns if column.name in there]
    return Table(name, MetaData(), *(Column(one.name, one.type, default=one.default) for one in columns))


def test_who_read_all_labelling_of_others_goes_on_reading_it(empty: Database) -> None:
    """Roles and accounts of an installation where nobody needed `readModeAnnot`; others are left as they are."""
    command.upgrade(alembic_config(empty), "0023")
    given = {
        "curator": (["readUserAnnot:*", "seeDocuments"], ["readModeAnnot:all", "readUserAnnot:*", "seeDocuments"]),
        "narrow": (["readModeAnnot:manual", "readUserAnnot:anna"], ["readModeAnnot:manual", "readUserAnnot:anna"]),
        "plain": (["seeDocuments"], ["seeDocuments"]),
    }
    tables = {name: table_as_it_is(empty, name) for name in ("roles", "users")}
    with empty.write_engine.begin() as connection:
        for name, (before, _) in given.items():
            role = {"rolename": name, "label": name, "permissions": before}
            connection.execute(tables["roles"].insert().values(role))
            user = {"username": name, "password_hash": "x", "permissions": before}
            connection.execute(tables["users"].insert().values(user))
    upgrade_database(empty)
    with empty.write_engine.connect() as connection:
        for table, key in (("roles", "rolename"), ("users", "username")):
            columns = tables[table].c
            found = dict(connection.execute(select(columns[key], columns.permissions)).all())
            assert found == {name: after for name, (_, after) in given.items()}
