"""What an index file holds of its items, to be compared with the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from annotarium.search.embedded.bitmaps import Bitmaps
from annotarium.search.embedded.columns import ColumnCache
from annotarium.search.query.limits import printable
from annotarium.search.spec import Content

_ONE_QUERY = 500
_CONTENTS = """
SELECT doc.n, doc.id, fts.title, fts.text FROM doc CROSS JOIN fts ON fts.rowid = doc.n WHERE doc.id IN
"""
_Values = dict[str, npt.NDArray[np.float64]]


def read_contents(bitmaps: Bitmaps, columns: ColumnCache, ids: Sequence[str]) -> dict[str, Content]:
    """See `SearchEngine.contents`."""
    rows = sorted(_rows(bitmaps, list(map(printable, ids))))
    items = np.array([row[0] for row in rows], np.uint32)
    numbers, dates = (_values(bitmaps, columns, kind, items) for kind in ("n", "d"))
    return {
        key: Content(title, text, _values_at(numbers, place), _values_at(dates, place))
        for place, (_, key, title, text) in enumerate(rows)
    }


def _rows(bitmaps: Bitmaps, keys: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
    for start in range(0, len(keys), _ONE_QUERY):
        part = keys[start : start + _ONE_QUERY]
        yield from bitmaps.connection.execute(f"{_CONTENTS} ({','.join('?' * len(part))})", part)


def _values(bitmaps: Bitmaps, columns: ColumnCache, kind: str, items: npt.NDArray[np.uint32]) -> _Values:
    found = {}
    for (name, made), (field, ver, _) in bitmaps.fields.items():
        if made == kind:
            found[name] = columns.column(bitmaps.connection, bitmaps.index, field, ver).of(items)
    return found


def _values_at(values: _Values, place: int) -> dict[str, float]:
    return {name: float(column[place]) for name, column in values.items() if not np.isnan(column[place])}
