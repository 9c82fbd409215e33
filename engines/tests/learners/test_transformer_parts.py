"""Parts of the fine-tuned learners that need no library of their own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium_engines.learners.dev_part import MINIMUM_TEXTS, draw_dev_part
from annotarium_engines.learners.subword_windows import subword_windows


@given(st.integers(0, 400), st.integers(1, 60), st.integers(0, 59))
def test_windows_decide_about_each_subword_once(count: int, longest: int, overlap: int) -> None:
    if overlap >= longest:
        with pytest.raises(ValueError, match="overlap"):
            subword_windows(count, longest, overlap)
        return
    windows = subword_windows(count, longest, overlap)
    owned = [at for one in windows for at in range(one.own_first, one.own_past)]
    assert owned == list(range(count))
    assert all(one.first <= one.own_first <= one.own_past <= one.past for one in windows)
    assert all(one.past - one.first <= longest for one in windows)


def test_neighbouring_windows_share_context() -> None:
    windows = subword_windows(100, 40, 10)
    assert [(one.first, one.past) for one in windows] == [(0, 40), (30, 70), (60, 100)]
    assert [(one.own_first, one.own_past) for one in windows] == [(0, 35), (35, 65), (65, 100)]


def test_a_dev_part_is_made_of_whole_documents() -> None:
    identifiers = [f"doc{number}:{start:09d}" for number in range(40) for start in range(0, 50, 10)]
    held = draw_dev_part(identifiers, 0.1, 0)
    documents = {identifiers[at].partition(":")[0] for at in held}
    assert held == {at for at, one in enumerate(identifiers) if one.partition(":")[0] in documents}
    assert 0.05 * len(identifiers) <= len(held) <= 0.1 * len(identifiers)
    assert held == draw_dev_part(identifiers, 0.1, 0)
    assert held != draw_dev_part(identifiers, 0.1, 1)


@pytest.mark.parametrize(
    ("identifiers", "share"),
    [
        ([f"d{n}" for n in range(MINIMUM_TEXTS - 1)], 0.1),
        ([f"d{n}" for n in range(MINIMUM_TEXTS)], 0.0),
        ([f"d:{n}" for n in range(MINIMUM_TEXTS)], 0.1),
    ],
)
def test_little_data_has_no_dev_part(identifiers: list[str], share: float) -> None:
    assert draw_dev_part(identifiers, share, 0) == frozenset()
