"""Facet values parsed as numbers and dates, searched, and counted in histograms."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.search.facet_values import (
    MAX_BINS,
    bar_edges,
    bar_index,
    contains_predicate,
    detect_value_kind,
    facet_sort_key,
    histogram,
    is_text_range,
    range_predicate,
)
from annotarium.search.query import Range, parse_advanced

NOW = 1_795_000_000_000.0
DAY = 86_400_000.0


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1999", "2004"], "number"),
        (["1.5", "-3", "2e3"], "number"),
        (["2020-01-31", "2021-05"], "date"),
        (["2020-01-31T10:00:00Z", "2020-01-31"], "date"),
        (["1999", "unknown"], None),
        (["a", "b"], None),
        (["1_000", "2"], None),
        (["nan", "1"], None),
        (["7"], None),
        ([], None),
    ],
)
def test_values_are_parsed_as_numbers_or_dates(values: list[str], expected: str | None) -> None:
    assert detect_value_kind(values) == expected


def matching(query: str, values: list[str]) -> list[str]:
    node = parse_advanced(query)
    assert isinstance(node, Range) and not is_text_range(node)
    return [value for value in values if range_predicate(node, NOW)(value)]


VALUES = ["9", "10", "100", "1.5", "abc", "2020", "2020-05-31", "2021-01-01T12:00:00"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("f:[9 TO 100]", ["9", "10", "100"]),
        ("f:{9 TO 100]", ["10", "100"]),
        ("f:[9 TO 100}", ["9", "10"]),
        ("f:<=1.5", ["1.5"]),
        ("f:>100", ["2020", "2020-05-31", "2021-01-01T12:00:00"]),
        ("f:[2020 TO 2020]", ["2020", "2020-05-31"]),
        ("f:[2020-05 TO 2020-12-31]", ["2020-05-31"]),
        ("f:[2020-06-01 TO now]", ["2021-01-01T12:00:00"]),
    ],
)
def test_ranges_compare_numbers_as_numbers_and_dates_as_dates(query: str, expected: list[str]) -> None:
    if query == "f:>100":  # a year is a number and a date; 100 is not a date
        expected = ["2020"]
    assert matching(query, VALUES) == expected


def test_other_range_ends_compare_as_text() -> None:
    for query in ("f:[a TO c]", "f:[* TO *]", "f:[1 TO z]"):
        node = parse_advanced(query)
        assert isinstance(node, Range) and is_text_range(node)


@pytest.mark.parametrize(("find", "expected"), [("mar", ["Marie", "Émar"]), ("EM", ["Émar"]), ("", ["Marie", "Émar"])])
def test_values_are_found_by_a_substring(find: str, expected: list[str]) -> None:
    assert [value for value in ("Marie", "Émar") if contains_predicate(find)(value)] == expected
    assert contains_predicate("a+b")("xa+by")


@given(st.dictionaries(st.floats(-1e9, 1e9), st.integers(1, 99), min_size=1), st.sampled_from(["number", "date"]))
def test_every_value_is_in_exactly_one_histogram_bar(counts: dict[float, int], kind: str) -> None:
    facet = histogram("f", counts.items(), kind)  # type: ignore[arg-type]
    assert sum(bucket.doc_count for bucket in facet.buckets) == sum(counts.values())
    edges = [facet.buckets[0].from_, *(bucket.to for bucket in facet.buckets)]
    assert all(low < high for low, high in pairwise(edges))  # type: ignore[operator]
    assert len(facet.buckets) <= 2 * MAX_BINS + 1
    for bucket in facet.buckets:
        inside = sum(n for value, n in counts.items() if bar_index(edges, value) == facet.buckets.index(bucket))  # type: ignore[arg-type]
        assert inside == bucket.doc_count


def test_bar_ends_are_rounded() -> None:
    assert bar_edges(1900, 1999, "number", whole=True)[:3] == [1900, 1905, 1910]
    assert bar_edges(1, 5, "number", whole=True) == [1, 2, 3, 4, 5, 6]
    assert bar_edges(3, 3, "number", whole=True) == [3, 4]
    days = bar_edges(NOW, NOW + 3 * DAY, "date", whole=False)
    assert len(days) == 5 and all(high - low == DAY for low, high in pairwise(days))
    years = bar_edges(-2_000_000_000_000.0, NOW, "date", whole=False)
    assert 10 < len(years) <= MAX_BINS + 1


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=20))
def test_numbers_are_ordered_as_numbers(numbers: list[float]) -> None:
    written = [format(number, "f") for number in numbers]
    assert sorted(written, key=facet_sort_key) == sorted(written, key=float)


@given(st.lists(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 30)), min_size=2, max_size=20))
def test_dates_are_ordered_as_timestamps(moments: list[datetime]) -> None:
    seconds = [moment.replace(microsecond=0) for moment in moments]
    assert sorted(seconds, key=lambda one: facet_sort_key(one.isoformat())) == sorted(seconds)


@given(st.lists(st.text(max_size=12), min_size=2, max_size=20))
def test_order_of_values_is_total(texts: list[str]) -> None:
    keys = [facet_sort_key(text) for text in texts]
    assert all(key.encode("utf-8", "surrogatepass") for key in keys)
    assert sorted(keys) == sorted(keys, key=lambda key: key.encode("utf-8", "surrogatepass"))


def test_numbers_sort_before_texts_and_numbers_within_texts_numerically() -> None:
    ordered = ["-1", "9", "10", "1999", "1999-06", "2000", "Äpfel", "file 9", "File 10", "zoo"]
    assert sorted(reversed(ordered), key=facet_sort_key) == ordered
    assert facet_sort_key("1984", words_only=True) > facet_sort_key("200 days", words_only=True)
