"""Ranges of ids in outbox rows, sort keys, shortened values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotarium.domains.lexicons.term_values import shorten_value, sort_key
from annotarium.domains.lexicons.term_writing import id_ranges

IDS = st.lists(st.integers(min_value=1, max_value=2**62), min_size=1, max_size=30, unique=True).map(sorted)


@given(IDS)
def test_ranges_contain_all_ids_and_fit_into_a_row(ids: list[int]) -> None:
    ranges = id_ranges(ids)
    assert all(0 <= last - first < 2**31 for first, last in ranges)
    assert all(any(first <= one <= last for first, last in ranges) for one in ids)
    assert id_ranges([]) == []


@given(st.text())
def test_sort_keys_fit_into_their_column(form: str) -> None:
    assert len(sort_key(form)) <= 64


def test_sort_keys_ignore_case_and_put_accents_after_letters() -> None:
    forms = ["Zebra", "ape", "\u00c9lan", "eagle"]
    assert sorted(forms, key=sort_key) == ["ape", "eagle", "\u00c9lan", "Zebra"]


def test_values_are_shortened_at_every_level() -> None:
    value = {"forms": [{"form": "x" * 5_000}] * 90, "size": 3, "none": None}
    shown = shorten_value(value)
    assert (len(shown["forms"]), len(shown["forms"][0]["form"]), shown["size"]) == (50, 2_000, 3)
