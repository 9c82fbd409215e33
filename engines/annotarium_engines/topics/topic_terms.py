"""Selects the words that describe a topic, measures how well they fit together, and derives the topic's name."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotarium_engines.model_files import Floats

WORDS = 10
_TITLE = 3
_CANDIDATES = 60


def class_tfidf_weights(counts: Floats) -> Floats:
    """Return class TF-IDF (topics x terms): a term's share of its topic's terms, times ln(1 + mean terms of a topic /
    its occurrences in all topics).
    """
    import numpy as np

    totals = counts.sum(axis=1, keepdims=True)
    everywhere = np.maximum(counts.sum(axis=0), 1.0)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    return np.asarray(shares * np.log1p(totals.mean() / everywhere), dtype=np.float32)


def best_terms(weights: Floats, shown: Sequence[str]) -> list[int]:
    """Return the columns of the terms with the greatest weights in a topic; a term whose words all occur in terms
    before it is skipped.
    """
    import numpy as np

    order = np.lexsort((np.arange(len(weights)), -weights))[:_CANDIDATES]
    chosen: list[int] = []
    words: set[str] = set()
    for column in order.tolist():
        if weights[column] <= 0 or len(chosen) == WORDS:
            break
        parts = set(_words_of_term(shown[column]))
        if parts <= words:
            continue
        words |= parts
        chosen.append(column)
    return chosen


def _words_of_term(term: str) -> list[str]:
    return term.split(" ") if " " in term or term.isascii() else [term]


def coherence(holds: Any, columns: Sequence[int]) -> float:
    """Return the normalised pointwise mutual information of a topic's terms over the sample's texts, mean of all pairs;
    0..1, 0 for terms that occur together no more often than by chance.

    Args:
        holds: sparse texts x terms (CSC), 1 where a text contains a term.
    """
    total = holds.shape[0]
    if len(columns) < 2 or not total:
        return 0.0
    part = holds[:, list(columns)]
    together = (part.T @ part).toarray()
    found = []
    for one, other in combinations(range(len(columns)), 2):
        joint = together[one, other] / total
        if joint <= 0:
            found.append(-1.0)
        elif joint >= 1:
            found.append(1.0)
        else:
            alone = together[one, one] * together[other, other] / total**2
            found.append(math.log(joint / alone) / -math.log(joint))
    return float(min(1.0, max(0.0, sum(found) / len(found))))


def _without_repeated_words(words: Sequence[str]) -> list[str]:
    """Return the first words and phrases that have no word in common."""
    chosen: list[str] = []
    parts: set[str] = set()
    for word in words:
        own = set(_words_of_term(word))
        if not own & parts and len(chosen) < _TITLE:
            parts |= own
            chosen.append(word)
    return chosen


def topic_names_and_titles(topics: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return name and title of topics from their words; topics with the same words are numbered."""
    found: list[tuple[str, str]] = []
    taken: set[str] = set()
    for words in topics:
        title = ", ".join(_without_repeated_words(words))[:200]
        base = name = "_".join(["topic", *re.findall(r"\w+", title)]).casefold()
        number = 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        found.append((name, title if name == base else f"{title} ({number - 1})"))
    return found
