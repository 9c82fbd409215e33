"""Reads what an index file contains of items, to verify it against the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from annotarium.search.embedded.bitmaps import FacetBitmaps
from annotarium.search.embedded.value_columns import ColumnCache
from annotarium.search.index_and_search_types import IndexedContent
from annotarium.search.query.limits import replace_lone_surrogates

_ONE_QUERY = 500
_CONTENTS = """
SELECT doc.n, doc.id, fts.title, fts.text FROM doc CROSS JOIN fts ON fts.rowid = doc.n WHERE doc.id IN
"""
_Values = dict[str, npt.NDArray[np.float64]]


def read_contents(bitmaps: FacetBitmaps, columns: ColumnCache, ids: Sequence[str]) -> dict[str, IndexedContent]:
    """See `SearchEngine.contents`."""
    rows = sorted(_read_item_rows(bitmaps, list(map(replace_lone_surrogates, ids))))
    items = np.array([row[0] for row in rows], np.uint32)
    numbers, dates = (_number_columns(bitmaps, columns, kind, items) for kind in ("n", "d"))
    return {
        key: IndexedContent(title, text, _values_of_item(numbers, place), _values_of_item(dates, place))
        for place, (_, key, title, text) in enumerate(rows)
    }


def _read_item_rows(bitmaps: FacetBitmaps, keys: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
    for start in range(0, len(keys), _ONE_QUERY):
        part = keys[start : start + _ONE_QUERY]
        yield from bitmaps.connection.execute(f"{_CONTENTS} ({','.join('?' * len(part))})", part)


def _number_columns(bitmaps: FacetBitmaps, columns: ColumnCache, kind: str, items: npt.NDArray[np.uint32]) -> _Values:
    found = {}
    for (name, made), (field, ver, _) in bitmaps.fields.items():
        if made == kind:
            found[name] = columns.column(bitmaps.connection, bitmaps.index, field, ver).of(items)
    return found


def _values_of_item(values: _Values, place: int) -> dict[str, float]:
    return {name: float(column[place]) for name, column in values.items() if not np.isnan(column[place])}
