"""Storage of numbers and dates of items: new items in blocks with many values per row, changed ones in rows of their
own.

Blocks are written by imports, and columns in memory are read from them. A block is never rewritten: the table
`moved` lists the items whose values in a block are no longer valid.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from annotarium.search.embedded.index_database import insert_rows

BLOCK_FROM = 32
"""Values of one field from which on a block is written; fewer become rows."""

Items = npt.NDArray[np.uint32]
Values = npt.NDArray[np.float64]
Given = Mapping[str, float | Sequence[float]]


class NewNumbers:
    """New values of the items of a batch, by field.

    Args:
        field: returns the number of a field from its name and kind.
    """

    def __init__(self, field: Callable[[str, str], int]) -> None:
        self._field = field
        self._columns: dict[tuple[str, str], NewNumbersOfField] = {}
        self._dated: dict[int, tuple[Given, list[int], tuple[int, ...]]] = {}

    def add(self, n: int, numbers: Given, dates: Given) -> tuple[int, ...]:
        """Add an item's numbers and dates. Returns the numbers of the fields in which it has any."""
        # Many items of a call share one object with their dates. They are collected, and their values are written once.
        known = self._dated.get(id(dates))
        if known is None:
            given = [name for name, value in dates.items() if isinstance(value, (int, float)) or len(value)]
            fields = tuple(self._of(name, "d").number for name in given)
            known = self._dated[id(dates)] = dates, [], fields
        known[1].append(n)
        found = known[2]
        for name, value in numbers.items():
            column = self._of(name, "n")
            if column.add(n, value):
                found = (column.number, *found)
        return found

    def _of(self, name: str, kind: str) -> NewNumbersOfField:
        column = self._columns.get((name, kind))
        if column is None:
            column = self._columns[name, kind] = NewNumbersOfField(self._field(name, kind))
        return column

    def all(self) -> Iterable[NewNumbersOfField]:
        """Return the values of all fields."""
        for dates, items, _ in self._dated.values():
            for name, value in dates.items():
                self._of(name, "d").add_all(items, value)
        self._dated.clear()
        return self._columns.values()


@dataclass(slots=True)
class NewNumbersOfField:
    """New values of one field in two parallel arrays; items ascend, and several values of an item are adjacent."""

    number: int
    items: array[int] = field(default_factory=lambda: array("I"))
    values: array[float] = field(default_factory=lambda: array("d"))

    def add(self, n: int, numbers: float | Sequence[float]) -> bool:
        """Add an item's values. Returns whether it has any."""
        if isinstance(numbers, (int, float)):
            self.items.append(n)
            self.values.append(numbers)
            return True
        for number in numbers:
            self.items.append(n)
            self.values.append(number)
        return bool(numbers)

    def add_all(self, items: Sequence[int], numbers: float | Sequence[float]) -> None:
        """Add the same values for each of the items."""
        if isinstance(numbers, (int, float)):
            self.items.extend(items)
            self.values.extend([numbers] * len(items))
        else:
            for n in items:
                self.add(n, numbers)

    def finite(self) -> tuple[Items, Values]:
        """Return the finite values with their items, sorted by item; others cannot be stored."""
        items, values = np.frombuffer(self.items, np.uint32), np.frombuffer(self.values, np.float64)
        if (items[1:] < items[:-1]).any():
            order = np.argsort(items, kind="stable")
            items, values = items[order], values[order]
        good = np.isfinite(values)
        return (items, values) if good.all() else (items[good], values[good])


def write_numbers_of_new_items(connection: sqlite3.Connection, found: Iterable[NewNumbersOfField]) -> None:
    """Store values of items that were created in this transaction."""
    for one in sorted(found, key=lambda one: one.number):
        items, values = one.finite()
        if len(items) < BLOCK_FROM:
            _write_number_rows(connection, one.number, items, values)
        else:
            row = (one.number, int(items[0]), items.tobytes(), values.tobytes())
            connection.execute("INSERT INTO block VALUES (?, ?, ?, ?)", row)


def write_numbers_of_changed_items(connection: sqlite3.Connection, found: Iterable[NewNumbersOfField]) -> None:
    """Store values of existing items, whose former values were removed (see `remove_numbers`)."""
    for one in sorted(found, key=lambda one: one.number):
        _write_number_rows(connection, one.number, *one.finite())


def _write_number_rows(connection: sqlite3.Connection, number: int, items: Items, values: Values) -> None:
    rows: list[tuple[int, int, int, float]] = []
    place, previous = 0, -1
    for n, value in zip(items.tolist(), values.tolist(), strict=True):
        place = place + 1 if n == previous else 0
        rows.append((number, n, place, value))
        previous = n
    insert_rows(connection, "INSERT OR REPLACE INTO num", rows)


def remove_numbers(connection: sqlite3.Connection, number: int, n: int) -> None:
    """Remove an item's values of a field."""
    connection.execute("DELETE FROM num WHERE field = ? AND n = ?", (number, n))
    connection.execute("INSERT OR IGNORE INTO moved VALUES (?, ?)", (number, n))


def read_numbers(connection: sqlite3.Connection, number: int, start: int) -> tuple[Items, Values]:
    """Read all values of a field, of items with the number `start` and above."""
    rows = connection.execute("SELECT n, value FROM num WHERE field = ? AND n >= ? ORDER BY n, k", (number, start))
    row_items, row_values = _rows_to_columns(rows)
    query = "SELECT items, numbers FROM block WHERE field = ? AND first >= ? ORDER BY first"
    blocks = connection.execute(query, (number, start)).fetchall()
    if not blocks:
        return row_items, row_values
    items = np.frombuffer(b"".join([block for block, _ in blocks]), np.uint32)
    values = np.frombuffer(b"".join([block for _, block in blocks]), np.float64)
    moved = connection.execute("SELECT n FROM moved WHERE field = ? AND n >= ?", (number, start)).fetchall()
    if moved:
        keep = np.isin(items, np.fromiter(chain.from_iterable(moved), np.uint32, len(moved)), invert=True)
        items, values = items[keep], values[keep]
    return np.concatenate([items, row_items]), np.concatenate([values, row_values])


def read_changed_numbers(
    connection: sqlite3.Connection, number: int, changed: Sequence[int]
) -> tuple[Items, Items, Values]:
    """Read the values of changed items: the items whose former values are void, then items and values of the current
    ones.
    """
    query = "SELECT n, value FROM num WHERE field = ? AND n = ? ORDER BY k"
    items, values = _rows_to_columns(row for n in changed for row in connection.execute(query, (number, n)))
    query = "SELECT 1 FROM moved WHERE field = ? AND n = ?"
    gone = [n for n in changed if connection.execute(query, (number, n)).fetchone()]
    return np.concatenate([items, np.array(gone, np.uint32)]), items, values


def _rows_to_columns(rows: Iterable[tuple[int, float]]) -> tuple[Items, Values]:
    """Convert rows to two arrays, without creating all rows as objects."""
    table = np.fromiter(chain.from_iterable(rows), np.float64).reshape(-1, 2)
    return table[:, 0].astype(np.uint32), table[:, 1].copy()
