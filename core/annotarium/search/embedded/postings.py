"""Reads the occurrences of words from FTS5: sets of items, and items with scores.

Passing a row from SQLite to Python costs more than finding it, and FTS5's own `bm25` computes one row at a time. So all
occurrences of a word are read as one text, and numpy computes the same scores in a tenth of the time.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt
from pyroaring import BitMap

from annotarium.search.embedded.bitmaps import Numbers, array_to_bitmap
from annotarium.search.embedded.caches import VersionedCache
from annotarium.search.embedded.expansion import ExpandedTerms, TermSequence
from annotarium.search.embedded.lengths import Lengths, count_items_and_words
from annotarium.search.wildcards_and_title_weight import TITLE_WEIGHT

_K1, _B, _MIN_WEIGHT = 1.2, 0.75, 1e-6
"""The constants of FTS5's bm25. A word in half of the items or more has the minimal weight."""
_BATCH = 16
"""Alternatives per FTS5 statement: it checks each of them for every row."""
_SPARSE = 16

_WEIGHED = "SELECT rowid, -bm25(fts, ?, 1.0) FROM fts WHERE fts MATCH ?"
_SET = "SELECT group_concat(rowid) FROM fts WHERE fts MATCH ?"
_POSITIONS = "SELECT group_concat(iif(col = 'title', -doc, doc)) FROM inst WHERE term "
_LAST = "\U0010ffff"

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoredMatches:
    """Matching items, ascending, and their scores."""

    items: Numbers
    scores: Scores


NO_MATCH = ScoredMatches(np.empty(0, np.uint32), np.empty(0))


class Postings:
    """The occurrences of words in one index, in a snapshot; all items have numbers below `top`."""

    def __init__(self, connection: sqlite3.Connection, lengths: VersionedCache[Lengths], index: int, top: int) -> None:
        self._connection = connection
        self._lengths = lengths
        self._index = index
        self._top = top

    def items(self, expression: str) -> BitMap:
        """Return the items that match an FTS5 expression, which must be built from terms, never from user input."""
        found = _parse_number_list(self._connection.execute(_SET, (expression,)).fetchone()[0])
        return array_to_bitmap(found.astype(np.uint32))

    def containing(self, expansion: ExpandedTerms) -> BitMap:
        """Return the items that contain one of the parts."""
        starts = range(0, len(expansion.parts), _BATCH)
        some = [ExpandedTerms(expansion.parts[at : at + _BATCH], expansion.column) for at in starts]
        return BitMap.union(BitMap(), *(self.items(each.expression) for each in some))

    def weighed(self, expansion: ExpandedTerms) -> ScoredMatches:
        """Return the items that contain one of the parts, with their scores."""
        return self.union([self._part(part, expansion.column) for part in expansion.parts])

    def by_fts(self, expression: str) -> ScoredMatches:
        """Return the items that match an expression, scored by FTS5, which takes over a microsecond per item."""
        rows = self._connection.execute(_WEIGHED, (TITLE_WEIGHT, expression)).fetchall()
        table = np.fromiter(chain.from_iterable(rows), np.float64, 2 * len(rows)).reshape(-1, 2)
        return ScoredMatches(table[:, 0].astype(np.uint32), table[:, 1].copy())

    def union(self, matches: Iterable[ScoredMatches]) -> ScoredMatches:
        """Return the items of all matches, with the sums of their scores."""
        found = [match for match in matches if len(match.items)]
        if len(found) < 2:
            return found[0] if found else NO_MATCH
        if sum(len(match.items) for match in found) * _SPARSE < self._top:
            items, positions = np.unique(np.concatenate([match.items for match in found]), return_inverse=True)
            scores = np.concatenate([match.scores for match in found])
            sums = np.bincount(positions, weights=scores, minlength=len(items)).astype(np.float64)
            return ScoredMatches(items, sums)
        sums, seen = np.zeros(self._top), np.zeros(self._top, bool)
        for match in found:
            sums[match.items] += match.scores
            seen[match.items] = True
        items = np.flatnonzero(seen).astype(np.uint32)
        return ScoredMatches(items, sums[items])

    def _part(self, part: TermSequence, column: str) -> ScoredMatches:
        if len(part.terms) > 1:
            return self.by_fts(ExpandedTerms((part,), column).expression)
        term = part.terms[0]
        if part.is_prefix:
            row = self._connection.execute(f"{_POSITIONS} >= ? AND term < ?", (term, term + _LAST))
        else:
            row = self._connection.execute(f"{_POSITIONS} = ?", (term,))
        items, counts = self._counted(_parse_number_list(row.fetchone()[0]), column, several=part.is_prefix)
        return ScoredMatches(items, self._weights(items, counts)) if len(items) else NO_MATCH

    def _counted(self, positions: npt.NDArray[np.int64], column: str, *, several: bool) -> tuple[Numbers, Scores]:
        """Return items, ascending, and weighted counts from the occurrences of a word.

        Args:
            positions: an item number per occurrence, negative in titles. They are sorted by item for one word, and
                for each
                word in turn for several.
            column: `title`, `text` or empty for both.
            several: the occurrences are of several words.
        """
        if column:
            positions = positions[positions < 0] if column == "title" else positions[positions > 0]
        weights = np.where(positions < 0, TITLE_WEIGHT, 1.0)
        items = np.abs(positions)
        if several and len(items) * _SPARSE > self._top:
            sums = np.bincount(items, weights).astype(np.float64)
            found = np.flatnonzero(sums)
            return found.astype(np.uint32), sums[found]
        if several:
            order = np.argsort(items, kind="stable")
            items, weights = items[order], weights[order]
        first = np.flatnonzero(np.diff(items, prepend=-1))
        counts = np.add.reduceat(weights, first) if len(first) else weights
        return items[first].astype(np.uint32), counts

    def _weights(self, items: Numbers, counts: Scores) -> Scores:
        """Return bm25 scores, numerically equal to those of FTS5."""
        rows, words = self._totals
        rarity = max(math.log((rows - len(items) + 0.5) / (len(items) + 0.5)), _MIN_WEIGHT)
        lengths = self._lengths.of(self._connection, self._index).words[items]
        return rarity * counts * (_K1 + 1) / (counts + _K1 * (1 - _B + _B * rows / words * lengths))

    @cached_property
    def _totals(self) -> tuple[int, int]:
        return count_items_and_words(self._connection)


def _parse_number_list(text: str | None) -> npt.NDArray[np.int64]:
    return np.fromstring(text, np.int64, sep=",") if text else np.empty(0, np.int64)
