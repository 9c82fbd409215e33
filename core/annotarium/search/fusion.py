"""Reciprocal-rank fusion (C-036): the same everywhere, so hybrid search and compare search agree between engines."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

from annotarium.search.spec import RRF_CONSTANT

Item = TypeVar("Item", bound=Hashable)


def fuse(
    lists: Sequence[Sequence[Item]], constant: int = RRF_CONSTANT, weights: Sequence[float] = ()
) -> list[tuple[Item, float]]:
    """Items of ranked lists with the sum of `weight / (constant + rank)`, best first; ranks count from 1.

    Ties keep the order of first appearance, earlier lists first.

    Args:
        weights: one for each list; 1 for all by default.
    """
    scores: dict[Item, float] = {}
    for ranked, weight in zip(lists, weights or [1.0] * len(lists), strict=True):
        for rank, item in enumerate(ranked, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (constant + rank)
    return sorted(scores.items(), key=lambda entry: -entry[1])
