"""Facet values as Roaring bitmaps: reading them through a cache that knows what changed."""

from __future__ import annotations

import sqlite3
import threading
from array import array
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pyroaring import BitMap

from annotarium.search.embedded.index_database import SYSTEM, read_meta

Numbers = npt.NDArray[np.uint32]
_ONE = 4
"""Bytes of a bitmap of one member; Roaring's own has at least eight."""

MAX_COUNTED_VALUES = 10_000
"""Values of one facet that are counted in a search; above, only the most frequent ones are."""

CACHED_BYTES = 96 * 1024 * 1024
"""Bitmaps kept by one process."""


def bitmap_to_array(bitmap: BitMap) -> Numbers:
    """The members, ascending."""
    return np.frombuffer(bitmap.to_array(), dtype=np.uint32) if bitmap else np.empty(0, np.uint32)


def array_to_bitmap(numbers: Numbers) -> BitMap:
    """A bitmap of these members."""
    return BitMap(array("I", np.ascontiguousarray(numbers, dtype=np.uint32).tobytes()))


def serialize_bitmap(bitmap: BitMap) -> bytes:
    """A bitmap as it is stored; one member as its four bytes, since most values of identifiers and titles come once."""
    return int(bitmap.min()).to_bytes(_ONE, "little") if len(bitmap) == 1 else bitmap.serialize()


def deserialize_bitmap(blob: bytes) -> BitMap:
    """A stored bitmap."""
    return BitMap((int.from_bytes(blob, "little"),)) if len(blob) == _ONE else BitMap.deserialize(blob)


@dataclass(frozen=True, slots=True)
class CachedFacetBitmaps:
    """A facet as of one version: value -> bitmap. Never changed once made: threads share it."""

    ver: int
    values: Mapping[str, BitMap]
    complete: bool
    weight: int


class BitmapCache:
    """Facets of all open indexes of this process, the least recently used dropped first."""

    def __init__(self, limit: int = CACHED_BYTES) -> None:
        self._limit = limit
        self._weight = 0
        self._lock = threading.Lock()
        self._states: OrderedDict[tuple[int, int], CachedFacetBitmaps] = OrderedDict()

    def get(self, index: int, field: int) -> CachedFacetBitmaps | None:
        """The kept state of a facet, of whatever version."""
        with self._lock:
            state = self._states.get((index, field))
            if state:
                self._states.move_to_end((index, field))
            return state

    def put(self, index: int, field: int, state: CachedFacetBitmaps) -> None:
        """Keep a state unless a newer one is there."""
        with self._lock:
            known = self._states.pop((index, field), None)
            if known and known.ver > state.ver:
                self._states[index, field] = known
                return
            self._weight += state.weight - (known.weight if known else 0)
            self._states[index, field] = state
            while self._weight > self._limit and len(self._states) > 1:
                self._weight -= self._states.popitem(last=False)[1].weight

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._states.clear()
            self._weight = 0


class FacetBitmaps:
    """The facet values of one snapshot of one index."""

    def __init__(self, connection: sqlite3.Connection, cache: BitmapCache) -> None:
        self.connection = connection
        self.index = read_meta(connection, "uid")
        self._cache = cache
        self.fields: dict[tuple[str, str], tuple[int, int, int]] = {
            (name, kind): (number, ver, size)
            for number, name, kind, ver, size in connection.execute("SELECT id, name, kind, ver, size FROM field")
        }

    def everything(self) -> BitMap:
        """Every item."""
        return self.system("all")

    def system(self, name: str) -> BitMap:
        """One of our own bitmaps."""
        return self.values(SYSTEM).get(name) or BitMap()

    def values(self, facet: str) -> Mapping[str, BitMap]:
        """Value -> items of a facet, without empty ones; of a very large facet only the most frequent values."""
        known = self.fields.get((facet, "f"))
        if not known:
            return {}
        field, ver, size = known
        state = self._cache.get(self.index, field)
        if not state or state.ver != ver:
            base = state if state and state.ver < ver and state.complete and size <= MAX_COUNTED_VALUES else None
            state = self._load(field, ver, size, base)
            self._cache.put(self.index, field, state)
        return state.values

    def value(self, facet: str, text: str) -> BitMap | None:
        """The items of one value, exact however large the facet is; None when the facet never had it."""
        known = self.fields.get((facet, "f"))
        if not known:
            return None
        if known[2] <= MAX_COUNTED_VALUES:
            return self.values(facet).get(text)
        return self._one("SELECT bitmap FROM value WHERE field = ? AND text = ? AND card > 0", (known[0], text))

    def each(self, facet: str) -> Iterator[tuple[str, BitMap]]:
        """All values and their items, however large the facet is."""
        known = self.fields.get((facet, "f"))
        if known and known[2] > MAX_COUNTED_VALUES:
            query = "SELECT text, bitmap FROM value WHERE field = ? AND card > 0"
            for text, blob in self.connection.execute(query, (known[0],)):
                yield text, deserialize_bitmap(blob)
        elif known:
            yield from self.values(facet).items()

    def matching(self, facet: str, condition: str, parameters: tuple[object, ...]) -> BitMap:
        """The items of all values for which an SQL condition on `text` holds."""
        known = self.fields.get((facet, "f"))
        found = BitMap()
        if known:
            query = f"SELECT bitmap FROM value WHERE field = ? AND card > 0 AND {condition}"
            for (blob,) in self.connection.execute(query, (known[0], *parameters)):
                found |= deserialize_bitmap(blob)
        return found

    def _one(self, query: str, parameters: tuple[object, ...]) -> BitMap | None:
        row = self.connection.execute(query, parameters).fetchone()
        return deserialize_bitmap(row[0]) if row else None

    def _load(self, field: int, ver: int, size: int, base: CachedFacetBitmaps | None) -> CachedFacetBitmaps:
        values: dict[str, BitMap] = dict(base.values) if base else {}
        weight = base.weight if base else 0
        complete = size <= MAX_COUNTED_VALUES
        query = "SELECT text, card, bitmap FROM value WHERE field = ? AND ver > ?"
        if not complete:
            query += f" ORDER BY card DESC LIMIT {MAX_COUNTED_VALUES}"
        for text, card, blob in self.connection.execute(query, (field, base.ver if base else -1)):
            weight += len(blob) + 200
            if card:
                values[text] = deserialize_bitmap(blob)
            else:
                values.pop(text, None)
        return CachedFacetBitmaps(ver, values, complete, weight)
