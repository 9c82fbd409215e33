"""Columns of numbers and dates in memory, updated with what changed."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pyroaring import BitMap

from annotarium.search.embedded import number_storage
from annotarium.search.embedded.bitmaps import Numbers, array_to_bitmap
from annotarium.search.embedded.index_database import read_meta
from annotarium.search.ranges import Ends

CACHED_COLUMNS = 48
RELOAD_ABOVE = 5_000
"""Number of changed items above which a column is read completely instead of being updated."""


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """Items and their values in parallel arrays; an item with several values occurs several times.

    Items with the number `top` or a higher one were created after the column was read.
    """

    ver: int
    top: int
    items: Numbers
    values: npt.NDArray[np.float64]

    def between(self, ends: Ends, *, include_to: bool = False, exclude_from: bool = False) -> BitMap:
        """Return the items with a value in the range (from inclusive, to exclusive, by default)."""
        low, high = ends
        mask = np.ones(len(self.values), dtype=bool)
        if low is not None:
            mask &= self.values > low if exclude_from else self.values >= low
        if high is not None:
            mask &= self.values <= high if include_to else self.values < high
        return array_to_bitmap(self.items[mask])

    def counts(self, items: Numbers, ranges: Iterable[Ends]) -> list[int]:
        """Count the items with a value in each of the ranges (from inclusive, to exclusive)."""
        wanted = np.zeros(max(self.top, int(items.max(initial=0)) + 1), dtype=bool)
        wanted[items] = True
        mine = wanted[self.items]
        holders, values = self.items[mine], self.values[mine]
        wanted[:] = False
        wanted[holders] = True
        if np.count_nonzero(wanted) < len(holders):  # an item with several values in a range counts once
            chosen = array_to_bitmap(items)
            return [chosen.intersection_cardinality(self.between(ends)) for ends in ranges]
        return [int(np.count_nonzero(_is_in_range(values, ends))) for ends in ranges]

    def of(self, items: Numbers, *, highest: bool = False) -> npt.NDArray[np.float64]:
        """Return one value for each of the ascending items (of several the lowest, or the highest), NaN for none."""
        result = np.full(len(items), np.nan)
        if len(items):
            places = np.searchsorted(items, self.items)
            places[places == len(items)] = 0
            mine = items[places] == self.items
            (np.fmax if highest else np.fmin).at(result, places[mine], self.values[mine])
        return result


def _is_in_range(values: npt.NDArray[np.float64], ends: Ends) -> npt.NDArray[np.bool_]:
    low, high = ends
    if low is None:
        return np.ones(len(values), dtype=bool) if high is None else values < high
    return values >= low if high is None else (values >= low) & (values < high)


class ColumnCache:
    """Columns of all open indexes of this process; the oldest are dropped first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._columns: OrderedDict[tuple[int, int], ValueColumn] = OrderedDict()

    def column(self, connection: sqlite3.Connection, index: int, field: int, ver: int) -> ValueColumn:
        """Return the column of a field at its version in the connection's snapshot."""
        with self._lock:
            known = self._columns.get((index, field))
        if known and known.ver == ver:
            return known
        changed = items_changed_since(connection, known.ver) if known and known.ver < ver else None
        if known and changed is not None:
            column = _update_column(connection, field, ver, known, changed)
        else:
            column = _read(connection, field, ver)
        with self._lock:
            kept = self._columns.pop((index, field), None)
            self._columns[index, field] = kept if kept and kept.ver > ver else column
            while len(self._columns) > CACHED_COLUMNS:
                self._columns.popitem(last=False)
        return column

    def forget(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._columns.clear()


def items_changed_since(connection: sqlite3.Connection, ver: int) -> list[int] | None:
    """Return the items whose texts or numbers changed after a version.

    None when they are too many, or when changes since then are no longer logged.
    """
    if ver < read_meta(connection, "changes_from"):
        return None
    query = "SELECT DISTINCT n FROM change WHERE ver > ? LIMIT ?"
    rows = connection.execute(query, (ver, RELOAD_ABOVE)).fetchall()
    return [n for (n,) in rows] if len(rows) < RELOAD_ABOVE else None


def _read(connection: sqlite3.Connection, field: int, ver: int) -> ValueColumn:
    return ValueColumn(ver, read_meta(connection, "next_n"), *number_storage.read_numbers(connection, field, 0))


def _update_column(
    connection: sqlite3.Connection, field: int, ver: int, old: ValueColumn, changed: list[int]
) -> ValueColumn:
    gone, items, values = number_storage.read_changed_numbers(connection, field, [n for n in changed if n < old.top])
    fresh_items, fresh_values = number_storage.read_numbers(connection, field, old.top)
    keep = np.isin(old.items, gone, invert=True) if len(gone) else np.ones(len(old.items), dtype=bool)
    return ValueColumn(
        ver,
        read_meta(connection, "next_n"),
        np.concatenate([old.items[keep], items, fresh_items]),
        np.concatenate([old.values[keep], values, fresh_values]),
    )
