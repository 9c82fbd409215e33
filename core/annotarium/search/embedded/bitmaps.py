"""Facet values as Roaring bitmaps, read through a cache that loads only what changed."""

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
"""Bytes of a stored bitmap with one member; a serialised Roaring bitmap has at least eight."""

MAX_COUNTED_VALUES = 10_000
"""Values of one facet that a search counts; of a larger facet only the most frequent ones."""

CACHED_BYTES = 96 * 1024 * 1024
"""Bytes of bitmaps that one process caches."""


def bitmap_to_array(bitmap: BitMap) -> Numbers:
    """Return the members in ascending order."""
    return np.frombuffer(bitmap.to_array(), dtype=np.uint32) if bitmap else np.empty(0, np.uint32)


def array_to_bitmap(numbers: Numbers) -> BitMap:
    """A bitmap of these members."""
    return BitMap(array("I", np.ascontiguousarray(numbers, dtype=np.uint32).tobytes()))


def serialize_bitmap(bitmap: BitMap) -> bytes:
    """Serialise a bitmap for storage. One member is stored as four bytes, as most identifiers and titles occur once."""
    return int(bitmap.min()).to_bytes(_ONE, "little") if len(bitmap) == 1 else bitmap.serialize()


def deserialize_bitmap(blob: bytes) -> BitMap:
    """Read a bitmap written by `serialize_bitmap`."""
    return BitMap((int.from_bytes(blob, "little"),)) if len(blob) == _ONE else BitMap.deserialize(blob)


@dataclass(frozen=True, slots=True)
class CachedFacetBitmaps:
    """The bitmaps of a facet at one version, by value. Immutable, because threads share it."""

    ver: int
    values: Mapping[str, BitMap]
    complete: bool
    weight: int


class BitmapCache:
    """Facets of all open indexes of this process, limited by size; the least recently used are dropped first."""

    def __init__(self, limit: int = CACHED_BYTES) -> None:
        self._limit = limit
        self._weight = 0
        self._lock = threading.Lock()
        self._states: OrderedDict[tuple[int, int], CachedFacetBitmaps] = OrderedDict()

    def get(self, index: int, field: int) -> CachedFacetBitmaps | None:
        """Return the cached state of a facet, of whatever version."""
        with self._lock:
            state = self._states.get((index, field))
            if state:
                self._states.move_to_end((index, field))
            return state

    def put(self, index: int, field: int, state: CachedFacetBitmaps) -> None:
        """Cache a state unless a newer one is cached."""
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
        """Clear the cache."""
        with self._lock:
            self._states.clear()
            self._weight = 0


class FacetBitmaps:
    """The facet values of one index, in one snapshot."""

    def __init__(self, connection: sqlite3.Connection, cache: BitmapCache) -> None:
        self.connection = connection
        self.index = read_meta(connection, "uid")
        self._cache = cache
        self.fields: dict[tuple[str, str], tuple[int, int, int]] = {
            (name, kind): (number, ver, size)
            for number, name, kind, ver, size in connection.execute("SELECT id, name, kind, ver, size FROM field")
        }

    def everything(self) -> BitMap:
        """Return all items."""
        return self.system("all")

    def system(self, name: str) -> BitMap:
        """Return an internal bitmap; see `SYSTEM`."""
        return self.values(SYSTEM).get(name) or BitMap()

    def values(self, facet: str) -> Mapping[str, BitMap]:
        """Return the items by value of a facet, without empty values; of a very large facet only the most frequent
        values.
        """
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
        """Return the items of one value, also in very large facets; None when the facet has no such value."""
        known = self.fields.get((facet, "f"))
        if not known:
            return None
        if known[2] <= MAX_COUNTED_VALUES:
            return self.values(facet).get(text)
        return self._one("SELECT bitmap FROM value WHERE field = ? AND text = ? AND card > 0", (known[0], text))

    def each(self, facet: str) -> Iterator[tuple[str, BitMap]]:
        """Yield all values with their items, also of very large facets."""
        known = self.fields.get((facet, "f"))
        if known and known[2] > MAX_COUNTED_VALUES:
            query = "SELECT text, bitmap FROM value WHERE field = ? AND card > 0"
            for text, blob in self.connection.execute(query, (known[0],)):
                yield text, deserialize_bitmap(blob)
        elif known:
            yield from self.values(facet).items()

    def matching(self, facet: str, condition: str, parameters: tuple[object, ...]) -> BitMap:
        """Return the items of all values for which an SQL condition on `text` is true."""
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
