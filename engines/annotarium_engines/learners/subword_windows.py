"""Windows over the subwords of texts that are longer than what an encoder reads at once."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple


class SubwordWindow(NamedTuple):
    """Subwords `first <= index < past` are read together; the window decides about `own_first <= index < own_past`.

    The own ranges of the windows of a text cover its subwords, each once.
    """

    first: int
    past: int
    own_first: int
    own_past: int


def subword_windows(count: int, longest: int, overlap: int) -> list[SubwordWindow]:
    """Return windows of at most `longest` subwords over `count` subwords, at least one. Neighbours share `overlap`
    subwords or more, and each decides about its half of them, so that every subword is seen with context.
    """
    if not 0 <= overlap < longest:
        raise ValueError("windows must be longer than their overlap")
    if count <= longest:
        return [SubwordWindow(0, count, 0, count)]
    step = longest - overlap
    starts = [*range(0, count - longest, step), count - longest]
    cuts = [(left + longest + right) // 2 for left, right in pairwise(starts)]
    bounds = [0, *cuts, count]
    return [
        SubwordWindow(start, start + longest, bounds[number], bounds[number + 1]) for number, start in enumerate(starts)
    ]
