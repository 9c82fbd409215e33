"""Selects among overlapping matches."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

OverlapPolicy = Literal["longest", "first_lexicon", "all"]


class Candidate(NamedTuple):
    """A range of code points where terms match; `terms` are their numbers, best first, `rank` that of the best lexicon
    (0 is the first).
    """

    start: int
    end: int
    rank: int
    terms: tuple[int, ...]


def select_candidates(candidates: Iterable[Candidate], policy: OverlapPolicy) -> list[Candidate]:
    """Return the selected candidates by position. Their ranges must differ.

    With `longest`, a candidate is left out if it overlaps a longer one that was selected, of equally long ones the
    first stays. With `first_lexicon`, one of an earlier lexicon wins over a longer one.
    """
    ordered = sorted(candidates)
    if policy == "all" or len(ordered) < 2:
        return ordered
    selected: list[Candidate] = []
    cluster: list[Candidate] = []
    end = -1
    for one in ordered:
        if one.start >= end and cluster:
            selected += _select_in_cluster(cluster, policy)
            cluster = []
        cluster.append(one)
        end = max(end, one.end) if len(cluster) > 1 else one.end
    return selected + _select_in_cluster(cluster, policy)


def _select_in_cluster(cluster: Sequence[Candidate], policy: OverlapPolicy) -> list[Candidate]:
    """Return the selected candidates of a chain of overlapping ones."""
    if len(cluster) < 2:
        return list(cluster)
    by_lexicon = policy == "first_lexicon"
    selected: list[Candidate] = []
    for one in sorted(cluster, key=lambda one: (one.rank if by_lexicon else 0, one.start - one.end, one.start)):
        index = bisect_right(selected, one)
        free_before = index == 0 or selected[index - 1].end <= one.start
        free_after = index == len(selected) or selected[index].start >= one.end
        if free_before and free_after:
            insort(selected, one)
    return selected
