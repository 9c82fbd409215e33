"""The number of words of each item, which bm25 needs. Read from FTS5 into memory, updated with what changed."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotarium.search.embedded.index_database import read_meta
from annotarium.search.embedded.value_columns import items_changed_since

_NEW = "SELECT group_concat(id), group_concat(hex(sz), '') FROM fts_docsize WHERE id >= ?"
_CHANGED = "SELECT group_concat(id), group_concat(hex(sz), '') FROM fts_docsize WHERE id = ?"

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Lengths:
    """Words of each item, title and text together, by item number. Immutable, because threads share it."""

    ver: int
    words: Counts

    @property
    def top(self) -> int:
        """Items with this number or a higher one were created after the lengths were read."""
        return len(self.words)


def read_lengths(connection: sqlite3.Connection, ver: int, known: Lengths | None) -> Lengths:
    """Read the lengths from the connection's snapshot; `known` are those of an earlier version."""
    top = read_meta(connection, "next_n")
    changed = None if known is None else items_changed_since(connection, known.ver)
    if known is None or changed is None:
        known, changed = Lengths(0, np.zeros(0, np.uint32)), []
    if known.top == top and not changed:
        return Lengths(ver, known.words)
    words = np.zeros(top, np.uint32)
    words[: known.top] = known.words
    rows = [connection.execute(_NEW, (known.top,)).fetchone()]
    rows += [connection.execute(_CHANGED, (n,)).fetchone() for n in changed if n < known.top]
    for items, sizes in rows:
        if items:
            words[np.fromstring(items, np.int64, sep=",")] = _sum_title_and_text(sizes)
    return Lengths(ver, words)


def _sum_title_and_text(sizes: str) -> Counts:
    """Return one number per item: FTS5 stores one for the title and one for the text."""
    found = decode_varints(bytes.fromhex(sizes)).astype(np.uint32)
    return found[::2] + found[1::2]


def count_items_and_words(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the number of items and of all their words, as counted by FTS5."""
    row = connection.execute("SELECT block FROM fts_data WHERE id = 1").fetchone()
    found = decode_varints(row[0]).tolist() if row and row[0] else []
    return (found[0], sum(found[1:])) if found else (0, 0)


def decode_varints(stream: bytes) -> npt.NDArray[np.uint64]:
    """Decode SQLite's varints: seven bits per byte, the highest first; the last byte of a number is below 128."""
    packed: Bytes = np.frombuffer(stream, np.uint8)
    ends = np.flatnonzero(packed < 0x80)
    width = np.diff(ends, prepend=-1)
    found = packed[ends].astype(np.uint64)
    for back in range(1, int(width.max(initial=1))):
        wide = width > back
        found[wide] |= (packed[ends[wide] - back].astype(np.uint64) & np.uint64(0x7F)) << np.uint64(7 * back)
    return found
