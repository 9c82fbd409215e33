"""Reciprocal-rank fusion (C-036), shared by all engines so that hybrid search gives the same results everywhere."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, TypeVar

from annotarium.search.index_and_search_types import RRF_CONSTANT

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ranks = npt.NDArray[np.int64]

Item = TypeVar("Item", bound=Hashable)


def fuse(lists: Sequence[Sequence[Item]], weights: Sequence[float] = ()) -> list[tuple[Item, float]]:
    """Return the items of ranked lists with the sum of `weight / (RRF_CONSTANT + rank)`, best first; ranks count from
    1.

    Ties keep the order of first appearance, earlier lists first.

    Args:
        weights: one per list; 1 for all by default.
    """
    scores: dict[Item, float] = {}
    for ranked, weight in zip(lists, weights or [1.0] * len(lists), strict=True):
        for rank, item in enumerate(ranked, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (RRF_CONSTANT + rank)
    return sorted(scores.items(), key=lambda entry: -entry[1])


def fuse_ranks(
    text: Ranks, vectors: Ranks, last_text_rank: int, vector_weight: float
) -> tuple[npt.NDArray[np.float64], Ranks]:
    """Return the scores of items in a list of text matches, of nearest vectors, or both; computed as in `fuse`.

    Args:
        text, vectors: ranks of the items in either list, from 1; 0 where an item is not in the list.
        last_text_rank: the greatest rank in the text list.

    Returns:
        The scores, and numbers that order items of equal scores: by first appearance, text list first.
    """
    scores = (text > 0) / (RRF_CONSTANT + text) + vector_weight * (vectors > 0) / (RRF_CONSTANT + vectors)
    return scores, text + (text == 0) * (last_text_rank + vectors)
