"""The terms an index holds, as one text in memory that wildcards are looked for in.

FTS5 can list its terms only by reading all their places, half a second at a million items, which is done once. What
comes later is read from the texts of new and changed items. Terms that are gone stay: nothing is found for them.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from itertools import chain

from annotarium.search.automaton import Automaton
from annotarium.search.embedded.index_database import read_meta
from annotarium.search.embedded.value_columns import items_changed_since

_READ_TOGETHER = 1 << 20
_NEW_OF_ALL = 20
"""More new items than one in so many: the terms are listed anew."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms, one a line; of items numbered below `top`."""

    ver: int
    top: int
    lines: str

    def like(self, pattern: str) -> list[str]:
        """Terms that a pattern of `*` and `?` describes."""
        return re.findall(_wildcard_line_regex(pattern), self.lines, re.MULTILINE)

    def fitting(self, automaton: Automaton) -> list[str]:
        """Terms that an automaton accepts."""
        found: list[str] = []
        at = 0
        while at < len(self.lines):
            end = self.lines.find("\n", at + _READ_TOGETHER)
            end = len(self.lines) if end < 0 else end
            found += automaton.fitting(self.lines[at:end].split("\n"))
            at = end + 1
        return found


def read_vocabulary(connection: sqlite3.Connection, ver: int, known: Vocabulary | None) -> Vocabulary:
    """The terms of the connection's snapshot."""
    top = read_meta(connection, "next_n")
    changed = None if known is None else items_changed_since(connection, known.ver)
    if known is None or changed is None or (top - known.top) * _NEW_OF_ALL > top:
        lines = connection.execute("SELECT group_concat(term, char(10)) FROM df").fetchone()[0]
        return Vocabulary(ver, top, lines or "")
    if known.top == top and not changed:
        return Vocabulary(ver, top, known.lines)
    terms = set(known.lines.split("\n"))
    query = "SELECT title || ' ' || text FROM fts WHERE rowid "
    fresh = connection.execute(f"{query} >= ?", (known.top,))
    mended = (connection.execute(f"{query} = ?", (n,)).fetchone() or ("",) for n in changed if n < known.top)
    for (line,) in chain(fresh, mended):
        terms.update(line.split())
    return Vocabulary(ver, top, "\n".join(filter(None, terms)))


def _wildcard_line_regex(pattern: str) -> str:
    """The regular expression of whole lines. What stands between stars is taken where it comes first and for good, so
    that many stars cost no more than few."""
    first, *others = ["".join("[^\n]" if one == "?" else re.escape(one) for one in part) for part in pattern.split("*")]
    if not others:
        return f"^{first}$"
    between = "".join(f"(?>[^\n]*?{part})" for part in others[:-1] if part)
    return f"^{first}{between}[^\n]*{others[-1]}$"
