"""Selects the most significant words of an item, the same for every engine."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

MAX_WORDS = 20
MAX_CANDIDATES = 200
"""Maximum number of words of an item that are looked up: its most frequent ones."""

_COMMON_SHARE = 10
"""A word that more than one in so many items contains is hardly significant, and searching for it costs most."""
_MIN_RARE_TERMS = 5


def rank_significant_terms(counts: Counter[str], held: Mapping[str, int], items: int) -> list[str]:
    """Return at most `MAX_WORDS` words that are frequent here and rare elsewhere.

    Args:
        counts: how often the item contains each word.
        held: how many of the `items` in the index contain each word.
    """
    weights = [
        (counts[term] * math.log(1 + (items + 1) / there), term)
        for term, there in held.items()
        if there and (there < (items + 1) / 2 or items < 20)
    ]
    rare = [entry for entry in weights if held[entry[1]] * _COMMON_SHARE <= items]
    weights = rare if len(rare) >= _MIN_RARE_TERMS else weights
    weights.sort(key=lambda entry: (-entry[0], entry[1]))
    return [term for _, term in weights[:MAX_WORDS]]
