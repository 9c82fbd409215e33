"""Rows as the driver gives them, for parts of which a document has thousands.

No value is converted and no row object is made: half of what reading 2,000 annotations costs otherwise. JSON comes as
text from SQLite and as values from PostgreSQL: `parse_raw_json` makes them equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from annotarium.db.corruption import parse_stored_json


def fetch_raw_rows(session: Session, statement: Select[*tuple[Any, ...]], values: Mapping[str, Any]) -> list[Any]:
    """All rows of a statement over columns, as tuples; only for columns of numbers, text and JSON."""
    result = session.connection().execute(statement, values)
    cursor = result.cursor
    assert cursor is not None  # a SELECT has one
    rows = cursor.fetchall()
    result.close()
    return list(rows)


def parse_raw_json(stored: Any) -> Any:
    """A JSON column's value, objects and arrays, as `fetch_raw_rows` gave it; None stays None, what is no JSON is
    empty.
    """
    return parse_stored_json(stored) if isinstance(stored, str) else stored
