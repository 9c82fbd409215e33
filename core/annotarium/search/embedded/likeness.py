"""More like this: the most telling words of an item or a text, as a search."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Sequence

from annotarium.search.analysis import Analyser

MAX_WORDS = 20
_LOOKED_AT = 200


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
    total = connection.execute("SELECT count(*) FROM doc").fetchone()[0] + 1
    weights: list[tuple[float, str]] = []
    for term, count in counts.most_common(_LOOKED_AT):
        found = connection.execute("SELECT doc FROM df WHERE term = ?", (term,)).fetchone()
        if found and (found[0] < total / 2 or total < 20):
            weights.append((count * math.log(1 + total / found[0]), term))
    weights.sort(key=lambda entry: (-entry[0], entry[1]))
    words = " OR ".join(f'"{term}"' for _, term in weights[:MAX_WORDS])
    return f"{chosen[0]} : ({words})" if words and len(chosen) == 1 else words
