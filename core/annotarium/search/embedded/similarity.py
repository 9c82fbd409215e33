""" "More like this": the most significant words of an item or a text, as a query."""

from __future__ import annotations

import sqlite3
from collections import Counter, OrderedDict
from collections.abc import Sequence

from annotarium.search.significant_terms import MAX_CANDIDATES, rank_significant_terms
from annotarium.search.text_analysis import Analyser

_GROWTH_LIMIT = 1.1
_CACHED_INDEXES, _CACHED_WORDS = 8, 20_000


class _DocumentFrequencies:
    """Cache of the number of items that contain a word.

    Counting reads all occurrences of the word. The counts only weigh words, so they are used until the size of the
    index has changed by a tenth.
    """

    def __init__(self) -> None:
        self._cached: OrderedDict[int, tuple[int, dict[str, int]]] = OrderedDict()

    def of(self, connection: sqlite3.Connection, index: int, total: int, words: Sequence[str]) -> dict[str, int]:
        """Return the count per word, 0 for unknown ones."""
        counted, known = self._cached.pop(index, (total, {}))
        if not counted / _GROWTH_LIMIT <= total <= counted * _GROWTH_LIMIT or len(known) > _CACHED_WORDS:
            counted, known = total, {}
        for word in words:
            if word not in known:
                row = connection.execute("SELECT doc FROM df WHERE term = ?", (word,)).fetchone()
                known[word] = row[0] if row else 0
        self._cached[index] = counted, known
        while len(self._cached) > _CACHED_INDEXES:
            self._cached.popitem(last=False)
        return {word: known[word] for word in words}


_frequencies = _DocumentFrequencies()


def significant_terms(
    connection: sqlite3.Connection,
    analyser: Analyser,
    like: str,
    text: str | None,
    fields: Sequence[str],
    *,
    index: int,
    total: int,
) -> list[str]:
    """Return the words that are frequent in an item or text and rare elsewhere.

    Args:
        like: id of the item, used when `text` is None.
        fields: fields the words are taken from: `title`, `text` or both.
        index: identifies the index file.
        total: number of items in the index.
    """
    chosen = [field for field in ("title", "text") if field in fields] or ["text"]
    if text is None:
        row = connection.execute(
            f"SELECT {' || char(32) || '.join(f'fts.{field}' for field in chosen)}"
            " FROM doc, fts WHERE doc.id = ? AND fts.rowid = doc.n",
            (like,),
        )
        counts = Counter((row.fetchone() or ("",))[0].split())
    else:
        counts = Counter(filter(None, analyser.tokens(text).terms))
    held = _frequencies.of(connection, index, total, [term for term, _ in counts.most_common(MAX_CANDIDATES)])
    return rank_significant_terms(counts, held, total)
