"""Aggregation of counts: labelling by label, creator or review state, and histograms of lengths. No SQL, no index."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.domains.metrics.repository import LabellingGroupCount
from annotarium.domains.metrics.schemas import LabellingCount, LengthCount, ValueCount

DOCUMENT_EDGES = (0, 100, 200, 500, *(step * 10**power for power in (3, 4, 5) for step in (1, 2, 5)), 1_000_000)
SEGMENT_EDGES = (0, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
"""Bucket limits in code points. Lengths differ by orders of magnitude, so the limits grow as 1, 2, 5, 10."""
_MOST_BUCKETS = 12
_MANY_TIMES = 20
"""From this ratio of the longest to the shortest text on, buckets of equal width would hold nearly all texts in one."""


def length_edges(shortest: int, longest: int) -> Sequence[int]:
    """Bucket limits that suit the texts: at most 13 buckets of a round width, or `DOCUMENT_EDGES` where lengths differ
    widely.
    """
    if longest >= _MANY_TIMES * max(shortest, 1):
        return DOCUMENT_EDGES
    widths = (factor * 10**power for power in range(1, 10) for factor in (1, 2, 5))
    width = next(width for width in widths if longest - shortest < _MOST_BUCKETS * width)
    return range(shortest // width * width, (longest // width + 2) * width, width)


def value_counts(counts: Iterable[tuple[str, int]]) -> list[ValueCount]:
    """Convert (value, count) pairs to the schema, in the given order."""
    return [ValueCount.model_validate({"_id": value, "count": number}) for value, number in counts]


def most_frequent_first(counts: Mapping[str, int]) -> list[ValueCount]:
    """Convert non-zero counts to the schema, most frequent first, ties in alphabetical order."""
    return value_counts(
        sorted(((key, number) for key, number in counts.items() if number), key=lambda one: (-one[1], one[0]))
    )


def count_confirmed_by_label(cube: Iterable[LabellingGroupCount]) -> list[ValueCount]:
    return most_frequent_first(
        count_rows_by(cube, lambda one: one.label, where=lambda one: is_confirmed(one.status, one.mode))
    )


def count_rows_by(
    cube: Iterable[LabellingGroupCount],
    key: Callable[[LabellingGroupCount], str],
    where: Callable[[LabellingGroupCount], bool] = lambda _: True,
) -> Counter[str]:
    """Sum the counts of the groups that pass `where`, by key."""
    counts: Counter[str] = Counter()
    for one in cube:
        if where(one):
            counts[key(one)] += one.count
    return counts


def _review_state(one: LabellingGroupCount) -> str:
    if one.status == "KO":
        return "rejected"
    return "confirmed" if is_confirmed(one.status, one.mode) else "unreviewed"


def count_by_review_state(
    cube: Iterable[LabellingGroupCount], key: Callable[[LabellingGroupCount], str]
) -> list[LabellingCount]:
    """Confirmed, rejected and unreviewed rows by key, the most frequent key first."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in cube:
        found[key(one)][_review_state(one)] += one.count
    order = sorted(found, key=lambda name: (-found[name].total(), name))
    return [LabellingCount.model_validate({"_id": name, **found[name]}) for name in order]


def length_histogram(edges: Sequence[int], counts: Mapping[int, int]) -> list[LengthCount]:
    """One entry for each bucket from the first to the last non-empty one; the last bucket of `edges` is open-ended.

    Args:
        edges: lower limits of the buckets, ascending.
        counts: counts by the index of the bucket.
    """
    if not counts:
        return []
    ends = [*edges[1:], None]
    return [
        LengthCount.model_validate({"from": edges[index], "to": ends[index], "count": counts.get(index, 0)})
        for index in range(min(counts), max(counts) + 1)
    ]
