"""More like this: the most telling words of an item or a text, as a search."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence

from annotarium.search.analysis import Analyser

MAX_WORDS = 20
LOOKED_AT = 200
"""Words of an item that are looked up at most, its most frequent ones."""


def most_telling(counts: Counter[str], frequency: Callable[[str], int | None], items: int) -> list[str]:
    """The words that are frequent here and rare elsewhere. `frequency`: items with a word; `items`: all there are."""
    total = items + 1
    weights: list[tuple[float, str]] = []
    for term, count in counts.most_common(LOOKED_AT):
        found = frequency(term)
        if found and (found < total / 2 or total < 20):
            weights.append((count * math.log(1 + total / found), term))
    weights.sort(key=lambda entry: (-entry[0], entry[1]))
    return [term for _, term in weights[:MAX_WORDS]]


def telling_words(
    connection: sqlite3.Connection, analyser: Analyser, like: str, text: str | None, fields: Sequence[str]
) -> str:
    """An FTS5 expression of the words that are frequent here and rare elsewhere; empty when there are none.

    Words are taken from, and looked for in, the fields `title` and `text`, or one of them.
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

    def frequency(term: str) -> int | None:
        found = connection.execute("SELECT doc FROM df WHERE term = ?", (term,)).fetchone()
        return found and int(found[0])

    found = most_telling(counts, frequency, connection.execute("SELECT count(*) FROM doc").fetchone()[0])
    words = " OR ".join(f'"{term}"' for term in found)
    return f"{chosen[0]} : ({words})" if words and len(chosen) == 1 else words
