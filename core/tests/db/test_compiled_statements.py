"""Compiled statements read and write exactly what SQLAlchemy does, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import bindparam, delete, event, insert, select, update
from sqlalchemy.exc import IntegrityError

from annotarium.db.compiled_statements import CompiledInListStatement, CompiledStatement, insert_statement
from annotarium.db.database import get_database
from annotarium.db.identifiers import new_id
from annotarium.db.models import History, InstanceFact
from annotarium.db.unit_of_work import unit_of_work

HISTORY = History.__table__
STATES = [None, {}, {"start": 3, "text": "é\U0001f600\u202e", "score": 0.25, "pieces": [[1, 2], [3, 4]], "none": None}]


def _row(before: Any, **more: Any) -> dict[str, Any]:
    values = {"id": new_id(), "project_id": 1, "document_id": 2, "entity": "annotation", "entity_id": 3}
    return values | {"action": "created", "actor": "zoë ' \" % :x", "before": before, "after": None} | more


@pytest.mark.parametrize("before", STATES)
def test_an_insert_writes_what_sqlalchemy_writes(client: Any, before: Any) -> None:
    one, other = _row(before, at=5), _row(before, at=5)
    with unit_of_work(actor="tests", write=True) as unit:
        insert_statement(History).run(unit.session, [one])
        unit.session.connection().execute(insert(HISTORY), [other])
        query = select(HISTORY).where(HISTORY.c.id.in_([one["id"], other["id"]])).order_by(HISTORY.c.id)
        first, second = (dict(row) for row in unit.session.connection().execute(query).mappings())
        nothing = select(HISTORY.c.id).where(HISTORY.c.before.is_(None), HISTORY.c.id == bindparam("id"))
        as_null = [bool(unit.session.execute(nothing, {"id": row["id"]}).all()) for row in (one, other)]
    assert first | {"id": 0} == second | {"id": 0}
    assert as_null[0] == as_null[1], "SQL's NULL and JSON's null are not the same"


def test_omitted_columns_take_their_defaults(client: Any) -> None:
    rows = [_row(None), _row({"a": 1})]
    with unit_of_work(actor="tests", write=True) as unit:
        insert_statement(History).run(unit.session, rows)
        found = unit.session.scalars(select(History).where(History.id.in_([row["id"] for row in rows]))).all()
    assert len(found) == 2
    assert all(row.at > 1_600_000_000_000 and row.job_id is None for row in found)


def test_rows_are_read_as_sqlalchemy_reads_them(client: Any) -> None:
    entity = new_id()
    rows = [_row(state, entity_id=entity) for state in STATES]
    statement = select(HISTORY).where(HISTORY.c.entity_id == bindparam("entity"), HISTORY.c.action.in_(["created"]))
    kept = CompiledStatement(statement.order_by(HISTORY.c.id))
    with unit_of_work(actor="tests", write=True) as unit:
        insert_statement(History).run(unit.session, rows)
        theirs = [tuple(row) for row in unit.session.connection().execute(kept._statement, {"entity": entity})]  # type: ignore[call-overload]
        ours = kept.all(unit.session, {"entity": entity})
        assert ours == theirs
        assert len(ours) == len(STATES)
        assert kept.first(unit.session, {"entity": entity}) == theirs[0]
        assert kept.first(unit.session, {"entity": entity + 1}) is None


def test_an_update_and_a_read_outside_the_transaction(client: Any) -> None:
    row = _row({"a": 1})
    change = CompiledStatement(update(HISTORY).where(HISTORY.c.id == bindparam("key")).values(before=bindparam("new")))
    look = CompiledStatement(select(HISTORY.c.before).where(HISTORY.c.id == bindparam("key")))
    database = get_database()
    with unit_of_work(actor="tests", write=True) as unit:
        insert_statement(History).run(unit.session, [row])
    with unit_of_work(actor="tests", write=True) as unit:
        change.run(unit.session, [{"key": row["id"], "new": {"b": [2]}}])
        assert look.first(unit.session, {"key": row["id"]}) == ({"b": [2]},)
        assert look.look_up(database, {"key": row["id"]}) == ({"a": 1},), "not committed yet"
    assert look.look_up(database, {"key": row["id"]}) == ({"b": [2]},)
    assert database.is_idle(), "the connection went back"


def test_errors_are_those_of_sqlalchemy(client: Any) -> None:
    row = _row(None)
    with pytest.raises(IntegrityError), unit_of_work(actor="tests", write=True) as unit:
        insert_statement(History).run(unit.session, [row, row])
    with unit_of_work(actor="tests", write=False) as unit:
        assert unit.session.get(History, row["id"]) is None, "nothing stays of a transaction that failed"


def test_statement_listeners_see_compiled_statements(client: Any) -> None:
    seen: list[str] = []
    engine = get_database().read_engine

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        CompiledStatement(select(InstanceFact.key).where(InstanceFact.key == bindparam("key"))).look_up(
            get_database(), {"key": "x"}
        )
    finally:
        event.remove(engine, "before_cursor_execute", note)
    assert len(seen) == 1


def test_a_statement_without_parameters_runs(client: Any) -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        insert_statement(History).run(unit.session, [_row(None, entity="nothing")])
        CompiledStatement(delete(HISTORY).where(HISTORY.c.entity == "nothing")).run(unit.session, [{}])
        assert unit.session.scalars(select(History.id).where(History.entity == "nothing")).all() == []


def test_in_lists_of_any_length_find_their_rows(client: Any) -> None:
    entity = new_id()
    rows = [_row({"n": number}, entity_id=entity) for number in range(450)]
    there = (HISTORY.c.id.in_(bindparam("ids", expanding=True)), HISTORY.c.entity_id == bindparam("entity"))
    kept = CompiledInListStatement(select(HISTORY.c.id, HISTORY.c.actor).where(*there).order_by(HISTORY.c.id))
    with unit_of_work(actor="tests", write=True) as unit:
        insert_statement(History).run(unit.session, rows)
        for length in (0, 1, 2, 5, 6, 25, 99, 450):
            ids = [row["id"] for row in rows[-length:]] if length else []
            found = kept.plain(unit.session, {"ids": ids, "entity": entity})
            assert found == [(one, rows[0]["actor"]) for one in ids]
        assert kept.plain(unit.session, {"ids": ids, "entity": entity + 1}) == []
