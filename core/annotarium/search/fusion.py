"""Reciprocal-rank fusion (C-036): the same everywhere, so hybrid search and compare search agree between engines."""

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
    """Items of ranked lists with the sum of `weight / (RRF_CONSTANT + rank)`, best first; ranks count from 1.

    Ties keep the order of first appearance, earlier lists first.

    Args:
        weights: one for each list; 1 for all by default.
    """
    scores: dict[Item, float] = {}
    for ranked, weight in zip(lists, weights or [1.0] * len(lists), strict=True):
        for rank, item in enumerate(ranked, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (RRF_CONSTANT + rank)
    return sorted(scores.items(), key=lambda entry: -entry[1])


def fuse_ranks(
    text: Ranks, vectors: Ranks, last_text_rank: int, vector_weight: float
) -> tuple[npt.NDArray[np.float64], Ranks]:
    """Scores of items that stand in a list of text matches, in one of the nearest vectors, or in both; as `fuse`.

    Args:
        text, vectors: ranks of the items in either list, from 1; 0 where an item is not in the list.
        last_text_rank: the greatest rank of the text's list.

    Returns:
        The scores, and numbers that order items of equal scores: as they first appear, the text's list first.
    """
    scores = (text > 0) / (RRF_CONSTANT + text) + vector_weight * (vectors > 0) / (RRF_CONSTANT + vectors)
    return scores, text + (text == 0) * (last_text_rank + vectors)
