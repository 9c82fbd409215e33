"""Columns of facet values in sort order, by which items are sorted. Updated with what changed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from annotarium.search.embedded.bitmaps import FacetBitmaps, Numbers, bitmap_to_array, deserialize_bitmap
from annotarium.search.embedded.index_database import read_meta
from annotarium.search.embedded.value_columns import ValueColumn
from annotarium.search.facet_values import facet_sort_key
from annotarium.search.index_and_search_types import TITLE_ORDER

CACHED_ORDERS = 12


@dataclass(frozen=True, slots=True)
class _FacetSortOrder:
    """Sort key and items by value. The column contains each item with the rank of each of its values."""

    ver: int
    values: dict[str, tuple[str, Numbers]]
    column: ValueColumn


class SortOrderCache:
    """Sort orders of all open indexes of this process; the least recently used is dropped first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._orders: OrderedDict[tuple[int, int], _FacetSortOrder] = OrderedDict()

    def column(self, bitmaps: FacetBitmaps, facet: str) -> ValueColumn | None:
        """Return the ranks of the snapshot's items by the values of a facet, None when there is no such facet."""
        known = bitmaps.fields.get((facet, "f"))
        if known is None:
            return None
        field, ver, _ = known
        with self._lock:
            kept = self._orders.get((bitmaps.index, field))
        if kept is None or kept.ver != ver:
            kept = _read_sort_order(bitmaps, facet, kept if kept is not None and kept.ver < ver else None)
            self._store((bitmaps.index, field), kept)
        return kept.column

    def _store(self, place: tuple[int, int], order: _FacetSortOrder) -> None:
        with self._lock:
            known = self._orders.pop(place, None)
            self._orders[place] = known if known is not None and known.ver > order.ver else order
            while len(self._orders) > CACHED_ORDERS:
                self._orders.popitem(last=False)

    def forget(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._orders.clear()


def _read_sort_order(bitmaps: FacetBitmaps, facet: str, base: _FacetSortOrder | None) -> _FacetSortOrder:
    field, ver, _ = bitmaps.fields[(facet, "f")]
    values = dict(base.values) if base else {}
    query = "SELECT text, card, bitmap FROM value WHERE field = ? AND ver > ?"
    for text, card, blob in bitmaps.connection.execute(query, (field, base.ver if base else -1)):
        if card:
            key = values[text][0] if text in values else facet_sort_key(text, words_only=facet == TITLE_ORDER)
            values[text] = key, bitmap_to_array(deserialize_bitmap(blob))
        else:
            values.pop(text, None)
    return _FacetSortOrder(ver, values, _rank_column(values, ver, read_meta(bitmaps.connection, "next_n")))


def _rank_column(values: dict[str, tuple[str, Numbers]], ver: int, top: int) -> ValueColumn:
    entries = sorted(values.values(), key=lambda entry: entry[0])
    items = np.concatenate([numbers for _, numbers in entries]) if entries else np.empty(0, np.uint32)
    ranks = np.zeros(len(entries))
    for place in range(1, len(entries)):
        ranks[place] = ranks[place - 1] + (entries[place][0] != entries[place - 1][0])
    return ValueColumn(ver, top, items, np.repeat(ranks, [len(numbers) for _, numbers in entries]))
