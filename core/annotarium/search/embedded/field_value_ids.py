"""Numbers for fields and facet values of one index, cached by the process once they are committed."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from annotarium.search.embedded.index_database import read_meta, write_meta
from annotarium.search.facet_values import stored_facet_value

_KNOWN_VALUES = 30_000
_KNOWN_VALUES_PER_FIELD = 5_000
"""Fields with more values are not cached: they are mostly identifiers, which occur once and would displace the others.
"""
_ONE_QUERY = 500
_KNOWN_WORDS = 50_000


@dataclass(slots=True)
class KnownFieldValueIds:
    """Cache of what an index file contains; only ever contains committed values."""

    values: dict[tuple[int, str], int] = field(default_factory=dict)
    field_of: dict[int, int] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)


class FieldValueIdAllocator:
    """Assigns field and value numbers within one transaction; `committed` adds the new ones to the process's cache."""

    def __init__(self, connection: sqlite3.Connection, known: KnownFieldValueIds) -> None:
        self._connection = connection
        self._known = known
        self._next_value = read_meta(connection, "next_value")
        self.fields: dict[tuple[str, str], int] = {}
        self.sizes: dict[int, int] = {}
        self._next_field = 1
        for number, name, kind, size in connection.execute("SELECT id, name, kind, size FROM field"):
            self.fields[name, kind] = number
            self.sizes[number] = size
            self._next_field = max(self._next_field, number + 1)
        self._new_fields: set[int] = set()
        self.touched: set[int] = set()
        """Fields changed in this transaction; their version is raised, so that readers reload them."""
        self.new_values: dict[tuple[int, str], int] = {}
        self._found: dict[tuple[int, str], int] = {}
        self._field_of: dict[int, int] = {}

    def field(self, name: str, kind: str) -> int:
        """Return the number of a field; a new field is inserted."""
        number = self.fields.get((name, kind))
        if number is None:
            number = self.fields[name, kind] = self._next_field
            self._next_field += 1
            self.sizes[number] = 0
            self._new_fields.add(number)
            self._connection.execute("INSERT INTO field VALUES (?, ?, ?, 0, 0)", (number, name, kind))
        return number

    def value(self, field: int, text: str) -> int:
        """Return the number of a value of a field."""
        return self.values(field, (text,))[text]

    def values(self, field: int, texts: Iterable[str]) -> dict[str, int]:
        """Return the numbers of values of a field, by their texts as passed."""
        found: dict[str, int] = {}
        unknown: dict[str, str] = {}
        for text in texts:
            kept = stored_facet_value(text)
            key = (field, kept)
            number = self._known.values.get(key) or self._found.get(key) or self.new_values.get(key)
            if number is None:
                unknown[text] = kept
            else:
                found[text] = number
        if unknown:
            stored = self._stored(field, sorted(set(unknown.values())))
            found |= {text: stored[kept] for text, kept in unknown.items()}
        return found

    def _stored(self, field: int, texts: Sequence[str]) -> dict[str, int]:
        """Return the numbers of uncached values. New values are numbered in the order of the texts."""
        stored: dict[str, int] = {}
        for start in range(0, len(texts) if self.sizes[field] else 0, _ONE_QUERY):
            part = texts[start : start + _ONE_QUERY]
            query = f"SELECT text, id FROM value WHERE field = ? AND text IN ({','.join('?' * len(part))})"
            stored |= self._connection.execute(query, (field, *part)).fetchall()
        self._found |= {(field, text): number for text, number in stored.items()}
        for text in texts:
            if text not in stored:
                stored[text] = self.new_values[field, text] = self._next_value
                self._next_value += 1
        self._field_of |= dict.fromkeys(stored.values(), field)
        return stored

    def field_of(self, value: int) -> int:
        """Return the number of the field that a value belongs to."""
        field = self._field_of.get(value) or self._known.field_of.get(value)
        if field is None:
            field = self._connection.execute("SELECT field FROM value WHERE id = ?", (value,)).fetchone()[0]
            self._field_of[value] = field
        return field

    def save(self, ver: int) -> None:
        """Write the next value number, and versions and sizes of the changed fields."""
        for number, _ in self.new_values:
            self.sizes[number] += 1
        self._connection.executemany(
            "UPDATE field SET ver = ?, size = ? WHERE id = ?", [(ver, self.sizes[f], f) for f in self.touched]
        )
        write_meta(self._connection, "next_value", self._next_value)

    def committed(self, words: Collection[str]) -> None:
        """Add the numbers and words of the committed transaction to the cache."""
        known = self._known
        if len(known.values) > _KNOWN_VALUES:
            known.values.clear()
            known.field_of.clear()
        if len(known.words) > _KNOWN_WORDS:
            known.words.clear()
        for values in (self.new_values, self._found):
            for key, number in values.items():
                if self.sizes[key[0]] <= _KNOWN_VALUES_PER_FIELD:
                    known.values[key] = number
                    known.field_of[number] = key[0]
        known.words.update(words)
