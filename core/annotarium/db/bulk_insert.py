"""Bulk inserts into one table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import orjson
from sqlalchemy import JSON, Connection, Table
from sqlalchemy.orm import Session

from annotarium.db.models import (
    Base,
)
from annotarium.db.postgresql_copy import insert_rows_with_copy, supports_copy

_ROWS_PER_STATEMENT = 50


def insert_rows(session: Session, table: type[Base], columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows, with values in the order of `columns`. Other columns get their constant defaults.

    SQLite gets the tuples unchanged, many per statement; PostgreSQL uses COPY. Both are several times faster than
    compiling an INSERT with SQLAlchemy.
    """
    if not rows:
        return
    connection = session.connection()
    target = table.__table__
    assert isinstance(target, Table)
    missing = {column.name: column.default for column in target.c if column.name not in columns}
    plain = {name: default.arg for name, default in missing.items() if default is not None and default.is_scalar}
    if supports_copy(connection):
        constants = tuple(plain.values())
        insert_rows_with_copy(
            connection, target, (*columns, *plain), (row + constants for row in rows) if constants else rows
        )
        return
    cells = [
        _json_column_as_text(column) if isinstance(target.c[name].type, JSON) else column
        for name, column in zip(columns, zip(*rows, strict=True), strict=True)
    ]
    cells += [(value,) * len(rows) for value in plain.values()]
    prepare = connection.dialect.identifier_preparer.quote
    listed = ", ".join(map(prepare, (*columns, *plain)))
    _execute_multi_row_inserts(connection, f"INSERT INTO {prepare(target.name)} ({listed}) VALUES ", cells)


def _json_column_as_text(column: Sequence[Any]) -> Sequence[Any]:
    """JSON values as text; None stays NULL."""
    return [None if value is None else orjson.dumps(value).decode() for value in column]


def _execute_multi_row_inserts(connection: Connection, into: str, columns: Sequence[Sequence[Any]]) -> None:
    """Insert rows given column by column.

    A value that all rows share is bound once per statement and NULL never, because binding takes as long as storing.
    """
    count = len(columns[0])
    same = [count > 1 and column[0] == column[-1] and column.count(column[0]) == count for column in columns]
    if all(same):  # no table allows it, but no row may be lost
        same[0] = False
    shared = tuple(column[0] for column, one in zip(columns, same, strict=True) if one and column[0] is not None)
    rows = list(zip(*(column for column, one in zip(columns, same, strict=True) if not one), strict=True))

    def statement(together: int) -> str:
        known, fresh = iter(range(1, len(shared) + 1)), iter(range(len(shared) + 1, 1 << 30))
        marks = [
            f"?{next(known)}" if one and column[0] is not None else "NULL" if one else ""
            for column, one in zip(columns, same, strict=True)
        ]
        return into + ", ".join(
            [f"({', '.join([mark or f'?{next(fresh)}' for mark in marks])})" for _ in range(together)]
        )

    whole = len(rows) // _ROWS_PER_STATEMENT * _ROWS_PER_STATEMENT
    if whole:
        parts = [
            shared + tuple(chain.from_iterable(rows[at : at + _ROWS_PER_STATEMENT]))
            for at in range(0, whole, _ROWS_PER_STATEMENT)
        ]
        connection.exec_driver_sql(statement(_ROWS_PER_STATEMENT), parts)
    if whole < len(rows):
        connection.exec_driver_sql(statement(1), [shared + row for row in rows[whole:]])
