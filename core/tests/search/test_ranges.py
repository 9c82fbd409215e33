"""Buckets, range ends and fusion."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.search.fusion import fuse, fuse_ranks
from annotarium.search.ranges import COUNT_RANGES, DATE_KEYS, date_ranges, parse_date


def at(*moment: int) -> float:
    return datetime(*moment, tzinfo=UTC).timestamp() * 1000  # type: ignore[misc,arg-type]


def test_date_buckets_at_a_timestamp() -> None:
    """C-071"""
    ranges = date_ranges(at(2024, 2, 29, 10, 30))
    assert list(ranges) == list(DATE_KEYS)
    assert ranges["just_now"] == (at(2024, 2, 29, 10, 25), None)
    assert ranges["last_hour"] == (at(2024, 2, 29, 9, 30), None)
    assert ranges["today"] == (at(2024, 2, 29), None)
    assert ranges["this_week"] == (at(2024, 2, 26), None)
    assert ranges["this_month"] == (at(2024, 2, 1), None)
    assert ranges["this_year"] == (at(2024, 1, 1), None)
    assert ranges["more_than_a_year_ago"] == (None, at(2023, 2, 28, 10, 30))


@given(st.integers(0, 10**12))
def test_each_count_is_in_exactly_one_range(count: int) -> None:
    """C-070"""
    assert len(COUNT_RANGES) == 10
    inside = [
        key for key, (low, high) in COUNT_RANGES.items() if (low or 0) <= count and (high is None or count < high)
    ]
    assert len(inside) == 1
    if count < 100:
        assert inside == ["0" if count == 0 else "~1" if count < 10 else "~10"]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2020", at(2020, 1, 1), at(2021, 1, 1) - 1),
        ("2020-12", at(2020, 12, 1), at(2021, 1, 1) - 1),
        ("2020-02-29", at(2020, 2, 29), at(2020, 3, 1) - 1),
        ("2020-02-29T10:00:00Z", at(2020, 2, 29, 10), at(2020, 2, 29, 10)),
        ("2020-02-29T10:00:00+02:00", at(2020, 2, 29, 8), at(2020, 2, 29, 8)),
        ("1582848000000", 1582848000000, 1582848000000),
        ("9999", at(9999, 1, 1), None),
        ("2020-13", None, None),
        ("soon", None, None),
        ("nan", None, None),
        ("0000", None, None),
    ],
)
def test_range_ends_of_dates(text: str, start: float | None, end: float | None) -> None:
    assert parse_date(text, 0.0) == start
    assert parse_date(text, 0.0, end=True) == end
    assert parse_date("now", 42.0) == 42.0


def test_fusion_adds_reciprocal_ranks() -> None:
    """C-036"""
    fused = fuse([["a", "b", "c"], ["c", "d"]])
    assert fused[0] == ("c", pytest.approx(1 / 63 + 1 / 61))
    assert [item for item, _ in fused] == ["c", "a", "b", "d"]
    assert dict(fused)["a"] == pytest.approx(1 / 61)
    assert fuse([]) == []


@pytest.mark.parametrize("weight", [1.0, 0.3, 0.0, 60.5])
@pytest.mark.parametrize("vectors", ["dcba", "xyz", "", "axbycz"])
@pytest.mark.parametrize("text", ["abcd", "", "zay"])
def test_fusion_of_ranks_agrees_with_fusion_of_lists(text: str, vectors: str, weight: float) -> None:
    """C-036: both engines compute the order and the scores of `fuse`."""
    items = sorted({*text, *vectors})
    ranks = [np.array([one.find(item) + 1 for item in items], np.int64) for one in (text, vectors)]
    scores, ties = fuse_ranks(*ranks, len(text), weight)
    order = sorted(range(len(items)), key=lambda at: (-scores[at], ties[at]))
    expected = fuse([text, vectors], weights=(1.0, weight))
    assert [items[at] for at in order] == [item for item, _ in expected]
    assert [scores[at] for at in order] == pytest.approx([score for _, score in expected])
