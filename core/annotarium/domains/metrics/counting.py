"""Figures made of counts: margins of the labelling, steps of lengths. No SQL, no index."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.domains.metrics.repository import LabellingGroupCount
from annotarium.domains.metrics.schemas import LabellingCount, LengthCount, ValueCount

DOCUMENT_EDGES = (0, 100, 200, 500, *(step * 10**power for power in (3, 4, 5) for step in (1, 2, 5)), 1_000_000)
SEGMENT_EDGES = (0, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
"""Code points: texts differ in length by orders of magnitude, so steps grow 1, 2, 5, 10."""


def value_counts(counts: Iterable[tuple[str, int]]) -> list[ValueCount]:
    """Counts on the wire."""
    return [ValueCount.model_validate({"_id": value, "count": number}) for value, number in counts]


def most_frequent_first(counts: Mapping[str, int]) -> list[ValueCount]:
    """Most frequent first, ties in alphabetical order."""
    return value_counts(
        sorted(((key, number) for key, number in counts.items() if number), key=lambda one: (-one[1], one[0]))
    )


def count_confirmed_by_label(cube: Iterable[LabellingGroupCount]) -> list[ValueCount]:
    """Confirmed rows per label."""
    return most_frequent_first(
        count_rows_by(cube, lambda one: one.label, where=lambda one: is_confirmed(one.status, one.mode))
    )


def count_rows_by(
    cube: Iterable[LabellingGroupCount],
    key: Callable[[LabellingGroupCount], str],
    where: Callable[[LabellingGroupCount], bool] = lambda _: True,
) -> Counter[str]:
    """Rows by a key."""
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
    """Rows by a key and by what people said of them, most first."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in cube:
        found[key(one)][_review_state(one)] += one.count
    order = sorted(found, key=lambda name: (-found[name].total(), name))
    return [LabellingCount.model_validate({"_id": name, **found[name]}) for name in order]


def length_histogram(edges: Sequence[int], counts: Mapping[int, int]) -> list[LengthCount]:
    """One entry for each step from the first to the last that holds something; the last step is open."""
    if not counts:
        return []
    ends = [*edges[1:], None]
    return [
        LengthCount.model_validate({"from": edges[index], "to": ends[index], "count": counts.get(index, 0)})
        for index in range(min(counts), max(counts) + 1)
    ]
