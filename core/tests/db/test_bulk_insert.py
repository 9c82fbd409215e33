"""Rows of a batch are stored unchanged, whichever of their values they share."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from annotarium.db.bulk_insert import insert_rows
from annotarium.db.models import Segment

_COLUMNS = ("document_id", "start", "end", "ordinal", "project_id", "metadata")
_METADATA = st.none() | st.dictionaries(st.text(max_size=3), st.integers(0, 2) | st.booleans() | st.none(), max_size=2)
_ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1), _METADATA), min_size=1, max_size=120
)


@given(rows=_ROWS)
def test_inserted_rows_are_read_back_unchanged(rows: list[tuple[int, int, int, Any]]) -> None:
    """Values shared by all rows, NULL, and JSON values that differ only in type (1, true) are stored unchanged, in
    batches larger and smaller than one statement.
    """
    given_rows = [(1, place, *row[:2], row[2], row[3]) for place, row in enumerate(rows)]
    engine = create_engine("sqlite://")
    Segment.__table__.create(engine)  # type: ignore[attr-defined]
    with Session(engine) as session:
        insert_rows(session, Segment, _COLUMNS, given_rows)
        columns = [Segment.__table__.c[name] for name in _COLUMNS]
        found = session.execute(select(*columns).order_by(columns[1])).all()
    assert [tuple(row) for row in found] == given_rows
    assert [[type(value) for value in (row[5] or {}).values()] for row in found] == [
        [type(value) for value in (row[5] or {}).values()] for row in given_rows
    ]
    engine.dispose()
