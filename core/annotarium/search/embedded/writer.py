"""Writes items. One `Writer` per transaction collects the changes and writes each bitmap once."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pyroaring import BitMap

from annotarium.search.embedded.bitmaps import deserialize_bitmap
from annotarium.search.embedded.facet_value_changes import FacetLayer, FacetValueChanges, facet_layers
from annotarium.search.embedded.field_value_ids import FieldValueIdAllocator, KnownFieldValueIds
from annotarium.search.embedded.index_database import SYSTEM, insert_rows, read_meta, write_meta
from annotarium.search.embedded.number_storage import (
    NewNumbers,
    remove_numbers,
    write_numbers_of_changed_items,
    write_numbers_of_new_items,
)
from annotarium.search.embedded.vectors import vector_file, write_vector_rows
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.facet_values import stored_facet_value
from annotarium.search.index_and_search_types import IndexDoc, IndexPatch, Vector
from annotarium.search.query.limits import replace_lone_surrogates
from annotarium.search.text_analysis import Analyser, Tokens, get_analyser
from annotarium.search.vectors import Floats, unit_vector

_ONE_QUERY = 500
_MAX_LOGGED_CHANGES = 1_000
_LONGEST_WORD = 60
_CACHED_TITLES = 200


@dataclass(slots=True)
class _Item:
    """The row of an indexed item."""

    n: int
    values: list[int]
    numbers: list[int]


class Writer:
    """Changes of one transaction. Call delete, upsert and patch in any order, then `finish`, and `done` after the
    commit.
    """

    def __init__(self, connection: sqlite3.Connection, known: KnownFieldValueIds, vectors: Path, language: str) -> None:
        self._connection = connection
        self._known = known
        self._vectors = vectors
        self._analyser: Analyser = get_analyser(language)
        self._catalogue = FieldValueIdAllocator(connection, known)
        self._ver = read_meta(connection, "ver") + 1
        self._next_n = read_meta(connection, "next_n")
        self._memberships = FacetValueChanges(connection, self._catalogue)
        self._titles: dict[str, str] = {}
        self._fields: dict[tuple[str, str], int] = {}
        self._words: dict[str, str] = {}
        self._cut: Tokens | None = None
        self._changed: set[int] = set()
        self._rows: dict[str, dict[int, Floats]] = {}
        self._dimensions: dict[str, int] = {}
        self._all = self._system("all")

    def delete(self, ids: Iterable[str]) -> None:
        """Remove items from the index; unknown ids are ignored."""
        for item in self._find(list(ids)).values():
            self._forget(item)
            self._memberships.remove(self._all, item.n)
            self._connection.execute("DELETE FROM fts WHERE rowid = ?", (item.n,))
            self._connection.execute("DELETE FROM doc WHERE n = ?", (item.n,))

    def delete_matching(self, selection: FacetSelection) -> None:
        """Remove all items that had a facet value before this transaction."""
        field = self._catalogue.fields.get((selection.facet, "f"))
        row = self._connection.execute(
            "SELECT bitmap FROM value WHERE field = ? AND text = ?", (field, stored_facet_value(selection.value))
        ).fetchone()
        members = list(deserialize_bitmap(row[0])) if row else []
        for start in range(0, len(members), _ONE_QUERY):
            part = members[start : start + _ONE_QUERY]
            marks = ",".join("?" * len(part))
            self.delete([key for (key,) in self._connection.execute(f"SELECT id FROM doc WHERE n IN ({marks})", part)])

    def upsert(self, docs: Sequence[IndexDoc]) -> None:
        """Index items. An item that replaces one of the same id keeps its number, and so its position in the order of
        arrival.
        """
        latest = {replace_lone_surrogates(doc.id): doc for doc in docs}
        known = self._find(list(latest)) if self._next_n > 1 else {}
        for item in known.values():
            self._forget(item)
            self._changed.add(item.n)
            self._connection.execute("DELETE FROM fts WHERE rowid = ?", (item.n,))
        placed = self._assign_numbers(latest, known)
        layers = self._gather(placed)
        rows: list[tuple[int, str, bytes | None, bytes | None]] = []
        texts: list[tuple[int, str, str]] = []
        fresh, changed = NewNumbers(self._field), NewNumbers(self._field)
        blobs: dict[tuple[int, ...], bytes | None] = {}
        for n, key, doc in placed:
            values = b"".join([layers[id(part)].blob for part in facet_layers(doc.facets)])
            if doc.vectors:
                values += _to_blob(self._vector_values(n, doc.vectors)) or b""
            fields = (changed if key in known else fresh).add(n, doc.numbers, doc.dates)
            if fields not in blobs:
                blobs[fields] = _to_blob(fields)
            rows.append((n, key, values or None, blobs[fields]))
            texts.append((n, self._title(doc.title) if doc.title else "", self._text(doc)))
        insert_rows(self._connection, "INSERT OR REPLACE INTO doc", rows)
        # With single-row statements: after a statement with several rows FTS5 writes out its buffer, in many small
        # parts.
        self._connection.executemany("INSERT INTO fts (rowid, title, text) VALUES (?, ?, ?)", texts)
        write_numbers_of_new_items(self._connection, fresh.all())
        write_numbers_of_changed_items(self._connection, changed.all())

    def _assign_numbers(
        self, latest: Mapping[str, IndexDoc], known: Mapping[str, _Item]
    ) -> list[tuple[int, str, IndexDoc]]:
        """Return items with their numbers; new items are numbered in the order they come."""
        everything = self._memberships.added(self._all)
        placed: list[tuple[int, str, IndexDoc]] = []
        for key, doc in latest.items():
            if key in known:
                n = known[key].n
            else:
                n, self._next_n = self._next_n, self._next_n + 1
                everything.add(n)
            placed.append((n, key, doc))
        return placed

    def _gather(self, placed: Iterable[tuple[int, str, IndexDoc]]) -> dict[int, FacetLayer]:
        """Return the layers of all items by `id()`, after adding their values to their items."""
        layers: dict[int, FacetLayer] = {}
        for n, _, doc in placed:
            for part in facet_layers(doc.facets):
                layer = layers.get(id(part))
                if layer is None:
                    layer = layers[id(part)] = FacetLayer(part)
                layer.items.append(n)
        self._memberships.resolve(layers.values())
        self._memberships.add_all(layers.values())
        return layers

    def patch(self, patches: Iterable[IndexPatch]) -> None:
        """Change fields of items; unknown ids are ignored."""
        remaining = iter(patches)
        while batch := list(islice(remaining, _ONE_QUERY)):
            items = self._find([replace_lone_surrogates(patch.id) for patch in batch])
            found = [
                (items[replace_lone_surrogates(patch.id)], patch)
                for patch in batch
                if replace_lone_surrogates(patch.id) in items
            ]
            layers = {id(part): FacetLayer(part) for _, patch in found for part in facet_layers(patch.facets)}
            self._memberships.resolve(layers.values())
            for item, patch in found:
                self._patch(item, patch, layers)

    def finish(self, applied_seq: int | None) -> None:
        """Write what was collected, and raise `applied_seq` unless it is None."""
        for name, rows in self._rows.items():
            _, epoch = self._connection.execute(
                "SELECT dimension, epoch FROM vector WHERE name = ?", (name,)
            ).fetchone()
            write_vector_rows(vector_file(self._vectors, name, epoch), sorted(rows.items()))
        self._memberships.save(self._ver)
        self._save_words()
        self._log_changes()
        self._catalogue.save(self._ver)
        write_meta(self._connection, "next_n", self._next_n)
        write_meta(self._connection, "ver", self._ver)
        if applied_seq is not None and applied_seq > read_meta(self._connection, "applied_seq"):
            write_meta(self._connection, "applied_seq", applied_seq)

    def _save_words(self) -> None:
        """Store the words that stemming changed, so that patterns still match their surface forms."""
        fresh = self._words.keys() - self._known.words
        rows = sorted((self._words[word], self._analyser.term(word)) for word in fresh if len(word) <= _LONGEST_WORD)
        self._connection.executemany("INSERT OR IGNORE INTO word VALUES (?, ?)", rows)

    def _log_changes(self) -> None:
        """Log which existing items have changed, so that readers update their caches; old log entries are deleted."""
        self._connection.executemany("INSERT INTO change VALUES (?, ?)", [(self._ver, n) for n in self._changed])
        if self._changed and self._ver % _MAX_LOGGED_CHANGES == 0:
            self._connection.execute("DELETE FROM change WHERE ver <= ?", (self._ver - _MAX_LOGGED_CHANGES,))
            write_meta(self._connection, "changes_from", self._ver - _MAX_LOGGED_CHANGES)

    def done(self) -> None:
        """Update the process's cache. Call it after the commit."""
        self._catalogue.committed(self._words.keys())

    def _find(self, ids: list[str]) -> dict[str, _Item]:
        found: dict[str, _Item] = {}
        for start in range(0, len(ids), _ONE_QUERY):
            part = [replace_lone_surrogates(key) for key in ids[start : start + _ONE_QUERY]]
            query = f"SELECT id, n, vals, nums FROM doc WHERE id IN ({','.join('?' * len(part))})"
            for key, n, values, numbers in self._connection.execute(query, part):
                found[key] = _Item(n, _from_blob(values), _from_blob(numbers))
        return found

    def _forget(self, item: _Item) -> None:
        for value in item.values:
            self._memberships.remove(value, item.n)
        if item.numbers:
            self._changed.add(item.n)
        for field in item.numbers:
            self._catalogue.touched.add(field)
            remove_numbers(self._connection, field, item.n)

    def _field(self, name: str, kind: str) -> int:
        field = self._fields.get((name, kind))
        if field is None:
            field = self._fields[name, kind] = self._catalogue.field(replace_lone_surrogates(name), kind)
            self._catalogue.touched.add(field)
        return field

    def _title(self, title: str) -> str:
        line = self._titles.get(title)
        if line is None:
            if len(self._titles) >= _CACHED_TITLES:
                self._titles.clear()
            line = self._titles[title] = self._line(title, self._analyser.title_tokens(title))
        return line

    def _text(self, doc: IndexDoc) -> str:
        return self._line(doc.text, doc.tokens) if doc.text or doc.tokens else ""

    def _line(self, text: str, tokens: Tokens | None = None) -> str:
        tokens = tokens or self._analyser.tokens(text)
        whole = tokens.sliced_from or tokens
        if whole is not self._cut:  # parts of one text follow each other
            self._cut = whole
            self._words |= self._analyser.inflected(whole)
        return tokens.line()

    def _system(self, name: str) -> int:
        field = self._catalogue.field(SYSTEM, "f")
        self._catalogue.touched.add(field)
        return self._catalogue.value(field, name)

    def _vector_values(self, n: int, vectors: Mapping[str, Vector | None]) -> list[int]:
        found: list[int] = []
        for name, vector in vectors.items():
            floats = None if vector is None else unit_vector(vector)
            if floats is None:
                continue
            value = self._system(f"vector:{name}")
            self._dimension(name, len(floats), value)
            self._rows.setdefault(name, {})[n] = floats
            self._memberships.added(value).add(n)
            found.append(value)
        return found

    def keep_vectors(self, vectorizers: Collection[str]) -> list[Path]:
        """Remove the vectors of all other vectorizers.

        Returns their files, which the caller deletes after the commit.
        """
        rows = self._connection.execute("SELECT name, epoch FROM vector").fetchall()
        gone = [(name, epoch) for name, epoch in rows if name not in vectorizers]
        for name, _ in gone:
            empty = (BitMap().serialize(), self._ver, self._system(f"vector:{name}"))
            self._connection.execute("UPDATE value SET bitmap = ?, card = 0, ver = ? WHERE id = ?", empty)
            self._connection.execute("DELETE FROM vector WHERE name = ?", (name,))
        self.finish(None)
        return [vector_file(self._vectors, name, epoch) for name, epoch in gone]

    def _dimension(self, name: str, dimension: int, value: int) -> None:
        """Set the length of a vectorizer's vectors.

        When it changes, all earlier vectors of the vectorizer are removed.
        """
        if self._dimensions.get(name) == dimension:
            return
        self._dimensions[name] = dimension
        row = self._connection.execute("SELECT dimension, epoch FROM vector WHERE name = ?", (name,)).fetchone()
        if row and row[0] == dimension:
            return
        epoch = row[1] + 1 if row else 1
        self._connection.execute("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", (name, dimension, epoch))
        if row:
            self._rows.pop(name, None)
            self._memberships.added(value).clear()
            self._connection.execute(
                "UPDATE value SET bitmap = ?, card = 0 WHERE id = ?", (BitMap().serialize(), value)
            )

    def _patch(self, item: _Item, patch: IndexPatch, layers: Mapping[int, FacetLayer]) -> None:
        named = {self._catalogue.fields.get((replace_lone_surrogates(name), "f")) for name in patch.facets}
        system = self._catalogue.fields.get((SYSTEM, "f"))
        gone_vectors = {self._system(f"vector:{name}") for name in patch.vectors}
        given = dict.fromkeys(value for part in facet_layers(patch.facets) for value in layers[id(part)].numbers)
        kept: list[int] = []
        for value in item.values:
            field = self._catalogue.field_of(value)
            replaced = value in gone_vectors if field == system else (patch.complete or field in named)
            if value in given or not replaced:
                kept.append(value)
            else:
                self._memberships.remove(value, item.n)
        for value in given.keys() - item.values:
            self._memberships.added(value).add(item.n)
            kept.append(value)
        kept += self._vector_values(item.n, patch.vectors)
        # The item is updated too, because another patch of it may follow.
        item.values, item.numbers = kept, self._patch_numbers(item, patch)
        row = (_to_blob(item.values), _to_blob(item.numbers), item.n)
        self._connection.execute("UPDATE doc SET vals = ?, nums = ? WHERE n = ?", row)

    def _patch_numbers(self, item: _Item, patch: IndexPatch) -> list[int]:
        if patch.numbers or patch.dates:
            self._changed.add(item.n)
        fields = list(item.numbers)
        for given, kind in ((patch.numbers, "n"), (patch.dates, "d")):
            for name in given:
                field = self._catalogue.fields.get((replace_lone_surrogates(name), kind))
                if field in fields:
                    fields.remove(field)
                    self._catalogue.touched.add(field)
                    remove_numbers(self._connection, field, item.n)
        columns = NewNumbers(self._field)
        fields += columns.add(item.n, patch.numbers, patch.dates)
        write_numbers_of_changed_items(self._connection, columns.all())
        return fields


def _to_blob(numbers: Sequence[int]) -> bytes | None:
    return array("I", numbers).tobytes() if numbers else None


def _from_blob(blob: bytes | None) -> list[int]:
    numbers = array("I")
    numbers.frombytes(blob or b"")
    return numbers.tolist()
