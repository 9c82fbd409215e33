"""Writing items: one `Writer` per transaction gathers what changes per bitmap and writes each bitmap once."""

from __future__ import annotations

import sqlite3
from array import array
from collections import ChainMap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from pyroaring import BitMap

from annotarium.search.analysis import Analyser, Tokens, analyser
from annotarium.search.embedded.catalogue import Catalogue, Known, facet_value
from annotarium.search.embedded.store import SYSTEM, insert_rows, meta, set_meta
from annotarium.search.embedded.vectors import Floats, unit, vector_file, write_rows
from annotarium.search.query.limits import printable
from annotarium.search.selection import Selection
from annotarium.search.spec import IndexDoc, Patch, Vector

_BITMAP = "SELECT bitmap FROM value WHERE id = ?"
_ONE_QUERY = 500
_KEPT_CHANGES = 1_000
_OPTIMISE_ABOVE = 2_000
_LONGEST_WORD = 60
_KEPT_TITLES = 200

Columns = dict[tuple[str, str], tuple[int, list[tuple[int, int, int, float]]]]
"""By kind and name of a field: its number, and rows of field, item, place among the item's numbers, number."""


@dataclass(slots=True)
class _Layer:
    """A mapping of facets that several items may share: looked up once, its items gathered."""

    facets: Mapping[str, Sequence[str]]  # kept, so that no other mapping gets its id
    numbers: list[int]
    blob: bytes
    members: list[set[int]]
    items: list[int]


@dataclass(slots=True)
class _Item:
    """The row of an indexed item."""

    n: int
    values: list[int]
    numbers: list[int]


class Writer:
    """Changes of one transaction. Use: delete, upsert, patch in any order, then `finish`, then (committed) `done`."""

    def __init__(self, connection: sqlite3.Connection, known: Known, vectors: Path, language: str) -> None:
        self._connection = connection
        self._known = known
        self._vectors = vectors
        self._analyser: Analyser = analyser(language)
        self._catalogue = Catalogue(connection, known)
        self._ver = meta(connection, "ver") + 1
        self._next_n = meta(connection, "next_n")
        self._added: dict[int, set[int]] = {}
        self._removed: dict[int, set[int]] = {}
        self._members: dict[str, dict[str, tuple[int, set[int]]]] = {}
        self._titles: dict[str, str] = {}
        self._fields: dict[tuple[str, str], int] = {}
        self._words: set[str] = set()
        self._cut: Tokens | None = None
        self._changed: set[int] = set()
        self._rows: dict[str, dict[int, Floats]] = {}
        self._dimensions: dict[str, int] = {}
        self._all = self._system("all")

    def delete(self, ids: Iterable[str]) -> None:
        """Forget items; unknown ids are ignored."""
        for item in self._find(list(ids)).values():
            self._forget(item)
            self._remove(self._all, item.n)
            self._connection.execute("DELETE FROM fts WHERE rowid = ?", (item.n,))
            self._connection.execute("DELETE FROM doc WHERE n = ?", (item.n,))

    def delete_matching(self, selection: Selection) -> None:
        """Forget all items with a facet value, as it stood before this transaction."""
        field = self._catalogue.fields.get((selection.facet, "f"))
        row = self._connection.execute(
            "SELECT bitmap FROM value WHERE field = ? AND text = ?", (field, facet_value(selection.value))
        ).fetchone()
        members = list(BitMap.deserialize(row[0])) if row else []
        for start in range(0, len(members), _ONE_QUERY):
            part = members[start : start + _ONE_QUERY]
            marks = ",".join("?" * len(part))
            self.delete([key for (key,) in self._connection.execute(f"SELECT id FROM doc WHERE n IN ({marks})", part)])

    def upsert(self, docs: Sequence[IndexDoc]) -> None:
        """Index items, replacing those of the same ids (which keep their place in the order of arrival)."""
        latest = {printable(doc.id): doc for doc in docs}
        known = self._find(list(latest)) if self._next_n > 1 else {}
        for item in known.values():
            self._forget(item)
            self._changed.add(item.n)
            self._connection.execute("DELETE FROM fts WHERE rowid = ?", (item.n,))
        rows: list[tuple[int, str, bytes | None, bytes | None]] = []
        texts: list[tuple[int, str, str]] = []
        columns: Columns = {}
        layers: dict[int, _Layer] = {}
        everything = self._added.setdefault(self._all, set())
        for key, doc in latest.items():
            if key in known:
                n = known[key].n
            else:
                n, self._next_n = self._next_n, self._next_n + 1
                everything.add(n)
            values = b""
            for layer in self._layers(doc.facets, layers):
                layer.items.append(n)
                values += layer.blob
            if doc.vectors:
                values += _blob(self._vector_values(n, doc.vectors)) or b""
            fields = self._numbers(n, doc.numbers, "n", columns) + self._numbers(n, doc.dates, "d", columns)
            rows.append((n, key, values or None, _blob(fields)))
            texts.append((n, self._title(doc.title) if doc.title else "", self._text(doc)))
        for layer in layers.values():
            for members in layer.members:
                members.update(layer.items)
        insert_rows(self._connection, "INSERT OR REPLACE INTO doc", rows)
        insert_rows(self._connection, "INSERT INTO fts (rowid, title, text)", texts)
        self._write_numbers(columns)

    def patch(self, patches: Iterable[Patch]) -> None:
        """Change fields of items."""
        layers: dict[int, _Layer] = {}
        for patch in patches:
            item = self._find([printable(patch.id)]).get(printable(patch.id))
            if item:
                self._patch(item, patch, layers)

    def finish(self, applied_seq: int | None) -> None:
        """Write what was gathered."""
        for name, rows in self._rows.items():
            _, epoch = self._connection.execute(
                "SELECT dimension, epoch FROM vector WHERE name = ?", (name,)
            ).fetchone()
            write_rows(vector_file(self._vectors, name, epoch), sorted(rows.items()))
        self._save_bitmaps()
        self._save_words()
        self._log_changes()
        self._catalogue.save(self._ver)
        set_meta(self._connection, "next_n", self._next_n)
        set_meta(self._connection, "ver", self._ver)
        if applied_seq is not None and applied_seq > meta(self._connection, "applied_seq"):
            set_meta(self._connection, "applied_seq", applied_seq)

    def _save_words(self) -> None:
        """Keep the words that stemming changed, so that wildcards still find them by the letters they show."""
        fresh = self._analyser.inflected(self._words - self._known.words)
        rows = sorted(
            (folded, self._analyser.term(word)) for word, folded in fresh.items() if len(word) <= _LONGEST_WORD
        )
        self._connection.executemany("INSERT OR IGNORE INTO word VALUES (?, ?)", rows)

    def _log_changes(self) -> None:
        """Tell readers which known items have other numbers now; they forget when too many changes passed."""
        self._connection.executemany("INSERT INTO change VALUES (?, ?)", [(self._ver, n) for n in self._changed])
        if self._changed and self._ver % _KEPT_CHANGES == 0:
            self._connection.execute("DELETE FROM change WHERE ver <= ?", (self._ver - _KEPT_CHANGES,))
            set_meta(self._connection, "changes_from", self._ver - _KEPT_CHANGES)

    def done(self) -> None:
        """The transaction is committed."""
        self._catalogue.committed(self._words)

    def _find(self, ids: list[str]) -> dict[str, _Item]:
        found: dict[str, _Item] = {}
        for start in range(0, len(ids), _ONE_QUERY):
            part = [printable(key) for key in ids[start : start + _ONE_QUERY]]
            query = f"SELECT id, n, vals, nums FROM doc WHERE id IN ({','.join('?' * len(part))})"
            for key, n, values, numbers in self._connection.execute(query, part):
                found[key] = _Item(n, _unblob(values), _unblob(numbers))
        return found

    def _forget(self, item: _Item) -> None:
        for value in item.values:
            self._remove(value, item.n)
        if item.numbers:
            self._changed.add(item.n)
        for field in item.numbers:
            self._catalogue.touched.add(field)
            self._connection.execute("DELETE FROM num WHERE field = ? AND n = ?", (field, item.n))

    def _remove(self, value: int, n: int) -> None:
        self._catalogue.touched.add(self._catalogue.field_of(value))
        if value in self._added:
            self._added[value].discard(n)
        self._removed.setdefault(value, set()).add(n)

    def _layers(self, facets: Mapping[str, Sequence[str]], known: dict[int, _Layer]) -> list[_Layer]:
        """The layers of an item's facets. Items share them: a mapping met before is not looked up again."""
        found = []
        for part in facets.maps if isinstance(facets, ChainMap) else (facets,):
            layer = known.get(id(part))
            if layer is None:
                entries = [entry for name, texts in part.items() for entry in self._entries(name, texts)]
                numbers = [number for number, _ in entries]
                blob = _blob(numbers) or b""
                layer = known[id(part)] = _Layer(part, numbers, blob, [members for _, members in entries], [])
            found.append(layer)
        return found

    def _entries(self, name: str, texts: Sequence[str]) -> list[tuple[int, set[int]]]:
        values = self._members.get(name)
        if values is None:
            values = self._members[name] = {}
        found = []
        for text in texts if len(texts) < 2 else dict.fromkeys(texts):
            entry = values.get(text) or self._entry(name, text, values)
            if entry:
                found.append(entry)
        return found

    def _entry(self, name: str, text: str, values: dict[str, tuple[int, set[int]]]) -> tuple[int, set[int]] | None:
        """The number of a value and the set its new items go into."""
        if not text:
            return None
        number = self._catalogue.value(self._catalogue.field(printable(name), "f"), facet_value(text))
        entry = values[text] = number, self._added.setdefault(number, set())
        return entry

    def _numbers(self, n: int, given: Mapping[str, float | Sequence[float]], kind: str, columns: Columns) -> list[int]:
        """Put an item's numbers into their columns; the fields it has any of."""
        fields: list[int] = []
        for name, numbers in given.items():
            column = columns.get((kind, name))
            if column is None:
                column = columns[kind, name] = self._field(name, kind), []
            field, rows = column
            before = len(rows)
            for number in (numbers,) if isinstance(numbers, (int, float)) else numbers:
                if isfinite(number):
                    rows.append((field, n, len(rows) - before, float(number)))
            if len(rows) > before:
                fields.append(field)
        return fields

    def _write_numbers(self, columns: Columns) -> None:
        """Field by field, which is the order in which they are stored."""
        for _, rows in sorted(columns.values(), key=lambda column: column[0]):
            insert_rows(self._connection, "INSERT OR REPLACE INTO num", rows)

    def _field(self, name: str, kind: str) -> int:
        field = self._fields.get((name, kind))
        if field is None:
            field = self._fields[name, kind] = self._catalogue.field(printable(name), kind)
        return field

    def _title(self, title: str) -> str:
        line = self._titles.get(title)
        if line is None:
            if len(self._titles) >= _KEPT_TITLES:
                self._titles.clear()
            line = self._titles[title] = self._line(title)
        return line

    def _text(self, doc: IndexDoc) -> str:
        return self._line(doc.text, doc.tokens) if doc.text or doc.tokens else ""

    def _line(self, text: str, tokens: Tokens | None = None) -> str:
        tokens = tokens or self._analyser.tokens(text)
        whole = tokens.cut_from or tokens
        if whole is not self._cut:  # parts of one text follow each other
            self._cut = whole
            self._words.update(whole.words)
        return tokens.line()

    def _system(self, name: str) -> int:
        return self._catalogue.value(self._catalogue.field(SYSTEM, "f"), name)

    def _vector_values(self, n: int, vectors: Mapping[str, Vector | None]) -> list[int]:
        found: list[int] = []
        for name, vector in vectors.items():
            floats = None if vector is None else unit(vector)
            if floats is None:
                continue
            value = self._system(f"vector:{name}")
            self._dimension(name, len(floats), value)
            self._rows.setdefault(name, {})[n] = floats
            self._added.setdefault(value, set()).add(n)
            found.append(value)
        return found

    def keep_vectors(self, vectorizers: Collection[str]) -> list[Path]:
        """Forget the vectors of all other vectorizers; their files, to be removed after the commit."""
        rows = self._connection.execute("SELECT name, epoch FROM vector").fetchall()
        gone = [(name, epoch) for name, epoch in rows if name not in vectorizers]
        for name, _ in gone:
            empty = (BitMap().serialize(), self._ver, self._system(f"vector:{name}"))
            self._connection.execute("UPDATE value SET bitmap = ?, card = 0, ver = ? WHERE id = ?", empty)
            self._connection.execute("DELETE FROM vector WHERE name = ?", (name,))
        self.finish(None)
        return [vector_file(self._vectors, name, epoch) for name, epoch in gone]

    def _dimension(self, name: str, dimension: int, value: int) -> None:
        """Vectors of another length than before: all earlier ones of this vectorizer are void."""
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
            self._added.setdefault(value, set()).clear()
            self._connection.execute(
                "UPDATE value SET bitmap = ?, card = 0 WHERE id = ?", (BitMap().serialize(), value)
            )

    def _patch(self, item: _Item, patch: Patch, layers: dict[int, _Layer]) -> None:
        named = {self._catalogue.fields.get((printable(name), "f")) for name in patch.facets}
        system = self._catalogue.fields.get((SYSTEM, "f"))
        gone_vectors = {self._system(f"vector:{name}") for name in patch.vectors}
        kept: list[int] = []
        for value in item.values:
            field = self._catalogue.field_of(value)
            replaced = value in gone_vectors if field == system else (patch.complete or field in named)
            if replaced:
                self._remove(value, item.n)
            else:
                kept.append(value)
        for layer in self._layers(patch.facets, layers):
            kept += layer.numbers
            for members in layer.members:
                members.add(item.n)
        kept += self._vector_values(item.n, patch.vectors)
        fields = self._patch_numbers(item, patch)
        self._connection.execute("UPDATE doc SET vals = ?, nums = ? WHERE n = ?", (_blob(kept), _blob(fields), item.n))

    def _patch_numbers(self, item: _Item, patch: Patch) -> list[int]:
        if patch.numbers or patch.dates:
            self._changed.add(item.n)
        fields = list(item.numbers)
        columns: Columns = {}
        for given, kind in ((patch.numbers, "n"), (patch.dates, "d")):
            for name in given:
                field = self._catalogue.fields.get((printable(name), kind))
                if field in fields:
                    fields.remove(field)
                    self._catalogue.touched.add(field)
                    self._connection.execute("DELETE FROM num WHERE field = ? AND n = ?", (field, item.n))
            fields += self._numbers(item.n, given, kind, columns)
        self._write_numbers(columns)
        return fields

    def _save_bitmaps(self) -> None:
        """Removals, then additions: a removal takes its item out of the additions, so what came last holds."""
        fresh = {number: key for key, number in self._catalogue.new_values.items()}
        inserts: list[tuple[int, int, str, int, int, bytes]] = []
        updates: list[tuple[int, int, bytes, int]] = []
        for value in self._added.keys() | self._removed.keys() | fresh.keys():
            added, removed = self._added.get(value), self._removed.get(value)
            row = value not in fresh and self._connection.execute(_BITMAP, (value,)).fetchone()
            bitmap = BitMap.deserialize(row[0]) if row else BitMap()
            if removed:
                bitmap -= BitMap(array("I", removed))
            if added:
                bitmap |= BitMap(array("I", added))
            if len(bitmap) > _OPTIMISE_ABOVE:
                bitmap.run_optimize()
            if row:
                updates.append((len(bitmap), self._ver, bitmap.serialize(), value))
            else:
                inserts.append((value, *fresh[value], len(bitmap), self._ver, bitmap.serialize()))
        insert_rows(self._connection, "INSERT INTO value", inserts)
        self._connection.executemany("UPDATE value SET card = ?, ver = ?, bitmap = ? WHERE id = ?", updates)


def _blob(numbers: list[int]) -> bytes | None:
    return array("I", numbers).tobytes() if numbers else None


def _unblob(blob: bytes | None) -> list[int]:
    numbers = array("I")
    numbers.frombytes(blob or b"")
    return numbers.tolist()
