"""The terms of an index, as one text in memory that patterns are matched against.

FTS5 can list its terms only by reading all their occurrences (half a second at a million items), so that is done once.
Later terms are read from the texts of new and changed items. Terms that no longer occur stay in the list; a search for
them finds nothing.
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
"""With more new items than one in so many, the terms are listed again."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms of the items with numbers below `top`, one per line."""

    ver: int
    top: int
    lines: str

    def like(self, pattern: str) -> list[str]:
        """Return the terms that match a pattern of `*` and `?`."""
        return re.findall(_wildcard_line_regex(pattern), self.lines, re.MULTILINE)

    def fitting(self, automaton: Automaton) -> list[str]:
        """Return the terms that an automaton accepts."""
        found: list[str] = []
        at = 0
        while at < len(self.lines):
            end = self.lines.find("\n", at + _READ_TOGETHER)
            end = len(self.lines) if end < 0 else end
            found += automaton.fitting(self.lines[at:end].split("\n"))
            at = end + 1
        return found


def read_vocabulary(connection: sqlite3.Connection, ver: int, known: Vocabulary | None) -> Vocabulary:
    """Read the terms from the connection's snapshot; `known` are those of an earlier version."""
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
    """Return a regular expression that matches whole lines.

    Text between two stars is matched at its first occurrence, without backtracking, so that many stars are as fast as
    few.
    """
    first, *others = ["".join("[^\n]" if one == "?" else re.escape(one) for one in part) for part in pattern.split("*")]
    if not others:
        return f"^{first}$"
    between = "".join(f"(?>[^\n]*?{part})" for part in others[:-1] if part)
    return f"^{first}{between}[^\n]*{others[-1]}$"
