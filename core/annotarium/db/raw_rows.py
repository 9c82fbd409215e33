"""Rows as the driver returns them, for the thousands of rows that one document can have.

No value is converted and no row object is created, which would be half the cost of reading 2,000 annotations. SQLite
returns JSON as text and PostgreSQL as values: `parse_raw_json` accepts both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from annotarium.db.corruption import parse_stored_json


def fetch_raw_rows(session: Session, statement: Select[*tuple[Any, ...]], values: Mapping[str, Any]) -> list[Any]:
    """All rows of a statement as tuples; only for columns of numbers, text and JSON."""
    result = session.connection().execute(statement, values)
    cursor = result.cursor
    assert cursor is not None  # a SELECT has a cursor
    rows = cursor.fetchall()
    result.close()
    return list(rows)


def parse_raw_json(stored: Any) -> Any:
    """A JSON column's value from `fetch_raw_rows` (objects, arrays); None stays None, invalid JSON is empty."""
    return parse_stored_json(stored) if isinstance(stored, str) else stored
