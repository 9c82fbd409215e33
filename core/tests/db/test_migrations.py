"""Migrations lead from an empty database to the tables of the models, on both kinds of database."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, MetaData, Table, inspect, make_url, select

from annotarium.content.suggestions.repository import FacetValues
from annotarium.content.suggestions.unanswered import facet_key
from annotarium.db.database import Database
from annotarium.db.migrate import alembic_config, await_upgrade, newest_version, upgrade_database
from annotarium.db.models import Base, Suggestion, SuggestionFacets
from annotarium.errors import Conflict


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database without tables."""
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


def test_migrations_create_the_tables_of_the_models(empty: Database) -> None:
    upgrade_database(empty)
    with empty.write_engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False, "render_as_batch": True})
        assert compare_metadata(context, Base.metadata) == []
        assert connection.dialect.has_table(connection, "annotations")


def test_the_newest_version_is_read_without_alembic(empty: Database) -> None:
    assert newest_version() == ScriptDirectory.from_config(alembic_config(empty)).get_current_head()


_START = "from annotarium.db.migrate import *; upgrade_database(); await_upgrade()"


def test_concurrent_starts_migrate_once(empty: Database, tmp_path: Path) -> None:
    url = empty.url.render_as_string(hide_password=False)
    environment = os.environ | {"ANNOTARIUM_DATABASE_URL": url, "ANNOTARIUM_DATA": str(tmp_path)}
    started = [subprocess.Popen([sys.executable, "-c", _START], env=environment) for _ in range(3)]
    assert [one.wait(60) for one in started] == [0, 0, 0]


def test_tables_of_a_later_version_are_left_alone(empty: Database) -> None:
    upgrade_database(empty)
    with empty.write_engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    for start in (upgrade_database, await_upgrade):
        with pytest.raises(Conflict, match="later version") as refused:
            start(empty)
        assert "9999" in refused.value.one_line()


def test_the_copy_before_a_migration_includes_the_sqlite_log(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    database = Database(f"sqlite:///{path}")
    command.upgrade(alembic_config(database), "0017")
    with (
        database.write_engine.begin() as connection
    ):  # the open connection keeps the log from being checkpointed into the file
        connection.exec_driver_sql("INSERT INTO instance_facts (key, value) VALUES ('kept', '{}')")
    assert path.with_name("record.sqlite-wal").stat().st_size > 0
    upgrade_database(database)
    database.dispose()
    (copy,) = tmp_path.glob("record.sqlite.before-*-*[0-9]")
    with closing(sqlite3.connect(copy)) as old:
        assert old.execute("SELECT count(*) FROM instance_facts WHERE key = 'kept'").fetchone() == (1,)
        assert old.execute("SELECT version_num FROM alembic_version").fetchone() == ("0017",)


_NOW, _ONE_DAY = 1_790_000_000_000, 86_400_000
"""A timestamp and a duration in milliseconds."""
_FIRST_ID = (_NOW - 1_735_689_600_000) << 22


def _rows_of_0023() -> dict[str, list[dict[str, object]]]:
    """Return rows by table: documents from all sources, a deleted one, and an unfinished import in one project."""
    tracked = {"created_at": _NOW, "created_by": "ana", "modified_at": _NOW, "modified_by": "ana", "version": 1}
    place = {"project_id": 1, "label_id": 3, "start": 0, "end": 4, "text": "Rome", "creation_mode": "manual"}

    def project(number: int, name: str, **more: object) -> dict[str, object]:
        return (
            tracked
            | {"id": number, "name": name, "label": name, "description": "", "nature": "x", "lang": "en"}
            | {
                **{"image": "", "properties": "{}", "metafacets": "[]", "collaborative_annotation": True},
                **{"clean_html": False, "markdown_content": False, "replace_carriage_returns": False},
                **{"exclusive_classes": True, "has_split": False, "deleted_at": None, "deleted_by": None},
                **more,
            }
        )

    def document(number: int, name: str, **more: object) -> dict[str, object]:
        own = {"id": _FIRST_ID + number, "project_id": 1, "identifier": name, "title": name, "text": "Rome."}
        return tracked | own | {"length": 5, "metadata": "{}", "reviewed": True, "fingerprint": "f"} | more

    def annotation(number: int, of: int, **more: object) -> dict[str, object]:
        return tracked | place | {"id": number, "document_id": _FIRST_ID + of, "status": None} | more

    entry = {"project_id": 1, "document_id": _FIRST_ID + 1, "entity": "annotation", "actor": "ana", "at": _NOW}
    return {
        "projects": [
            project(1, "live"),
            project(2, "gone", deleted_at=_NOW, deleted_by="ana"),
            project(4, "restored~4", deleted_at=_NOW, deleted_by="ana"),
            project(5, "coming", deleted_at=_NOW, deleted_by="import 0123"),
        ],
        "label_sets": [
            tracked
            | {"id": 2, "project_id": 1, "name": "default", "label": "Default", "exclusive_classes": False}
            | {"guideline": "", "tags": "[]"}
        ],
        "labels": [
            tracked
            | {"id": 3, "project_id": 1, "label_set_id": 2, "name": "city", "label": "City", "color": "#112233"}
            | {"guideline": ""}
        ],
        "documents": [
            document(0, "empty list"),
            document(1, "empty list, then worked on here"),
            document(2, "came with annotations"),
            document(3, "came with one that was deleted here"),
            document(4, "came in an export", created_at=_NOW - _ONE_DAY),
            document(5, "not reviewed", reviewed=False),
            document(6, "deleted", deleted_at=_NOW, deleted_by="ana"),
        ],
        "annotations": [annotation(11, 1), annotation(12, 2), annotation(13, 3, deleted_at=_NOW, deleted_by="ana")],
        "history": [
            entry | {"id": 21, "entity_id": 11, "action": "created"},
            entry | {"id": 22, "entity_id": 13, "action": "deleted", "document_id": _FIRST_ID + 3},
        ],
    }


def _contents(database: Database, tables: Iterable[str]) -> dict[str, list[dict[str, object]]]:
    with database.write_engine.connect() as connection:
        return {
            name: [dict(row._mapping) for row in connection.exec_driver_sql(f"SELECT * FROM {name} ORDER BY id")]
            for name in tables
        }


def test_only_reviewed_flags_set_by_an_empty_list_are_removed(empty: Database) -> None:
    """Documents labelled in the web app, imported with labels, or stated as reviewed by an export keep their flag
    (decision 0109).
    """
    command.upgrade(alembic_config(empty), "0023")
    rows = _rows_of_0023()
    with empty.write_engine.begin() as connection:
        for name, values in rows.items():
            table = Table(name, MetaData(), autoload_with=connection)
            for row in values:
                connection.execute(table.insert().values(row))
    before = _contents(empty, rows)
    upgrade_database(empty)
    after = _contents(empty, rows)
    flags = {str(one["identifier"]): bool(one["reviewed"]) for one in after["documents"]}
    assert flags == {
        "empty list": False,
        "empty list, then worked on here": False,
        "came with annotations": True,
        "came with one that was deleted here": True,
        "came in an export": True,
        "not reviewed": False,
        "deleted": False,
    }
    assert [one["name"] for one in after["projects"]] == ["live", "gone~2", "restored~4", "coming"]
    for name, found in before.items():
        for old, new in zip(found, after[name], strict=True):
            decided = {"reviewed"} if name == "documents" else {"name"} if name == "projects" else set()
            assert {key: new[key] for key in old if key not in decided} == {
                key: value for key, value in old.items() if key not in decided
            }
            assert all(new[key] in (None, "{}", {}) for key in new.keys() - old.keys()), "what is new says nothing yet"


def existing_table(database: Database, name: str) -> Table:
    """Return a table of the models with those of its columns that exist in the database."""
    there = {column["name"] for column in inspect(database.write_engine).get_columns(name)}
    columns = [column for column in Base.metadata.tables[name].columns if column.name in there]
    return Table(name, MetaData(), *(Column(one.name, one.type, default=one.default) for one in columns))


def test_users_who_could_read_all_labelling_still_can(empty: Database) -> None:
    """Roles and accounts of an installation that did not require `readModeAnnot`; others are unchanged."""
    command.upgrade(alembic_config(empty), "0023")
    given = {
        "curator": (["readUserAnnot:*", "seeDocuments"], ["readModeAnnot:all", "readUserAnnot:*", "seeDocuments"]),
        "narrow": (["readModeAnnot:manual", "readUserAnnot:anna"], ["readModeAnnot:manual", "readUserAnnot:anna"]),
        "plain": (["seeDocuments"], ["seeDocuments"]),
    }
    tables = {name: existing_table(empty, name) for name in ("roles", "users")}
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


def test_the_state_of_stored_suggestions_is_computed(empty: Database) -> None:
    """A proposal is open unless it was accepted or rejected, its label was deleted, or its exclusive set is decided."""
    command.upgrade(alembic_config(empty), "0029")
    rows: dict[str, list[dict[str, object]]] = {
        "projects": [{"id": 1, "name": "p", "label": "P", "nature": "sequence_labelling", "exclusive_classes": False}],
        "label_sets": [
            {"id": 2, "project_id": 1, "name": "free", "label": "Free", "exclusive_classes": False},
            {"id": 3, "project_id": 1, "name": "one", "label": "One", "exclusive_classes": True},
        ],
        "labels": [
            {"id": number, "project_id": 1, "label_set_id": label_set, "name": name, "label": name, "color": "#000"}
            | {"deleted_at": gone}
            for number, (name, label_set, gone) in enumerate(
                [("person", 2, None), ("gone", 2, 5), ("good", 3, None), ("bad", 3, None)], 10
            )
        ],
        "documents": [{"id": number, "project_id": 1, "identifier": str(number), "text": "abc"} for number in (20, 21)],
        "annotations": [
            {"id": 30, "project_id": 1, "document_id": 20, "label_id": 10, "start": 0, "end": 1, "text": "a"}
            | {"status": "KO", "creation_mode": "manual"}
        ],
        "categories": [
            {"id": 31, "project_id": 1, "document_id": 21, "label_id": 12, "status": "OK", "creation_mode": "manual"}
        ],
        "suggestions": [
            {"id": 40 + number, "project_id": 1, "document_id": document, "start": 0, "end": 3, "confidence": score}
            | {"annotations": spans, "categories": [{"labelName": name} for name in categories]}
            for number, (document, score, spans, categories) in enumerate(
                [
                    (20, 0.72, [_proposal("person", 0, 1), _proposal("person", 1, 2)], []),
                    (20, 0.1, [_proposal("person", 0, 1), _proposal("gone", 1, 2)], []),
                    (20, 1.0, [], ["good"]),
                    (21, 0.5, [], ["good", "bad"]),
                ]
            )
        ],
    }
    tables = {name: existing_table(empty, name) for name in rows}
    with empty.write_engine.begin() as connection:
        for name, values in rows.items():
            connection.execute(tables[name].insert(), values)
    upgrade_database(empty)
    with empty.write_engine.connect() as connection:
        states = select(Suggestion.id, Suggestion.open, Suggestion.facet_key).order_by(Suggestion.id)
        person, good = FacetValues("", 7, ("person",)), FacetValues("", 9, ("good",))
        assert [tuple(row) for row in connection.execute(states)] == [
            (40, True, facet_key(person)),
            (41, False, 0),
            (42, True, facet_key(good)),
            (43, False, 0),
        ]
        facets = connection.execute(select(SuggestionFacets.__table__).order_by(SuggestionFacets.confidence_band))
        assert [tuple(row) for row in facets] == [
            (1, facet_key(values), *values[:2], list(values.labels)) for values in (person, good)
        ]
        labels = connection.exec_driver_sql(
            "SELECT suggestion_id, label_name, project_id, spans FROM suggestion_labels ORDER BY suggestion_id"
        )
        assert [tuple(row) for row in labels] == [(40, "person", 1, 1), (42, "good", 1, 0)]


def _proposal(label: str, start: int, end: int) -> dict[str, object]:
    return {"labelName": label, "start": start, "end": end, "text": "x", "score": 0.5}
