"""Collects which items gain and lose which facet values in one transaction, so that each bitmap is written once."""

from __future__ import annotations

import sqlite3
from array import array
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pyroaring import BitMap

from annotarium.search.embedded.bitmaps import deserialize_bitmap, serialize_bitmap
from annotarium.search.embedded.field_value_ids import FieldValueIdAllocator
from annotarium.search.embedded.index_database import insert_rows
from annotarium.search.query.limits import replace_lone_surrogates

_BITMAP = "SELECT bitmap FROM value WHERE id = ?"
_OPTIMISE_ABOVE = 2_000

Facets = Mapping[str, Sequence[str]]


@dataclass(slots=True)
class FacetLayer:
    """A mapping of facets that several items may share: its values are looked up once, and its items are collected."""

    facets: Facets  # the reference keeps its id() from being reused
    items: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    blob: bytes = b""
    """The value numbers as stored with items."""


def facet_layers(facets: Facets) -> Sequence[Facets]:
    """Return the layers of an item's facets: the maps of a `ChainMap`, else the mapping itself."""
    return facets.maps if isinstance(facets, ChainMap) else (facets,)


class FacetValueChanges:
    """Changes of one transaction. The last addition or removal of a value for an item wins."""

    def __init__(self, connection: sqlite3.Connection, catalogue: FieldValueIdAllocator) -> None:
        self._connection = connection
        self._catalogue = catalogue
        self._added: dict[int, BitMap] = {}
        self._removed: dict[int, BitMap] = {}
        self._numbers: dict[str, dict[str, int]] = {}

    def added(self, value: int) -> BitMap:
        """Return the items that gain a value; callers add to the returned bitmap."""
        found = self._added.get(value)
        if found is None:
            found = self._added[value] = BitMap()
        return found

    def remove(self, value: int, n: int) -> None:
        """Remove a value from an item."""
        if value in self._added:
            self._added[value].discard(n)
        if value not in self._removed:
            self._removed[value] = BitMap()
        self._removed[value].add(n)

    def resolve(self, layers: Iterable[FacetLayer]) -> None:
        """Look up the numbers of the layers' values, and assign numbers to new values."""
        layers = list(layers)
        self._look_up(layers)
        for layer in layers:
            found = [self._numbers[name][text] for name, texts in layer.facets.items() for text in texts if text]
            layer.numbers = found if len(found) < 2 else list(dict.fromkeys(found))
            layer.blob = array("I", layer.numbers).tobytes()

    def _look_up(self, layers: Iterable[FacetLayer]) -> None:
        wanted: dict[str, dict[str, None]] = {}
        for layer in layers:
            for name, texts in layer.facets.items():
                known = self._numbers.setdefault(name, {})
                for text in texts:
                    if text not in known and text:
                        wanted.setdefault(name, {})[text] = None
        for name, unknown in wanted.items():
            field = self._catalogue.field(replace_lone_surrogates(name), "f")
            self._numbers[name] |= self._catalogue.values(field, unknown)

    def add_all(self, layers: Iterable[FacetLayer]) -> None:
        """Add the values of each layer to its items."""
        for layer in layers:
            if len(layer.items) == 1:
                for value in layer.numbers:
                    self.added(value).add(layer.items[0])
            elif layer.items:
                items = BitMap(array("I", layer.items))
                for value in layer.numbers:
                    self._unite(value, items)

    def _unite(self, value: int, items: BitMap) -> None:
        found = self._added.get(value)
        if found is None:
            self._added[value] = items.copy()
        else:
            found |= items

    def save(self, ver: int) -> None:
        """Write the bitmaps.

        Removals are applied before additions; `remove` has already discarded earlier additions.
        """
        self._catalogue.touched.update(number for number, _ in self._catalogue.new_values)
        inserts: list[tuple[int, int, str, int, int, bytes]] = []
        for (facet, text), value in self._catalogue.new_values.items():
            bitmap = self._packed(self._added.pop(value, BitMap()))
            self._removed.pop(value, None)
            inserts.append((value, facet, text, len(bitmap), ver, serialize_bitmap(bitmap)))
        updates: list[tuple[int, int, bytes, int]] = []
        for value in self._added.keys() | self._removed.keys():
            self._catalogue.touched.add(self._catalogue.field_of(value))
            bitmap = self._packed(self._changed(value))
            updates.append((len(bitmap), ver, serialize_bitmap(bitmap), value))
        insert_rows(self._connection, "INSERT INTO value", inserts)
        self._connection.executemany("UPDATE value SET card = ?, ver = ?, bitmap = ? WHERE id = ?", updates)

    def _changed(self, value: int) -> BitMap:
        bitmap = deserialize_bitmap(self._connection.execute(_BITMAP, (value,)).fetchone()[0])
        if value in self._removed:
            bitmap -= self._removed[value]
        if value in self._added:
            bitmap |= self._added[value]
        return bitmap

    @staticmethod
    def _packed(bitmap: BitMap) -> BitMap:
        if len(bitmap) > _OPTIMISE_ABOVE:
            bitmap.run_optimize()
        return bitmap
