"""Serialised timestamps."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotarium.db.timestamps import IsoCache, from_iso, iso

_CENTURIES = st.integers(min_value=0, max_value=4_000_000_000_000)


@given(st.lists(_CENTURIES))
def test_the_cache_agrees_with_iso(moments: list[int]) -> None:
    """Formatted twice each, in any order."""
    memory = IsoCache()
    assert [memory[one] for one in (*moments, *moments)] == [iso(one) for one in (*moments, *moments)]


@given(_CENTURIES)
def test_timestamps_round_trip(moment: int) -> None:
    """Serialised and parsed, to the millisecond."""
    text = iso(moment)
    assert text is not None
    assert text.endswith("Z")
    assert from_iso(text) == moment
