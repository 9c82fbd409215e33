"""`selectedFacets`: conflicts 10 and 11 of the contract."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.search.selection import Selection, parse_selections


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (["label:a"], [Selection("label", "a")]),
        (["+label:a", "-label:b"], [Selection("label", "a", "+"), Selection("label", "b", "-")]),
        (["+label:a,-x:b, y:c"], [Selection("label", "a", "+"), Selection("x", "b", "-"), Selection("y", "c")]),
        (['metadata.x:"b,c",y:d'], [Selection("metadata.x", "b,c"), Selection("y", "d")]),
        (['x:say "a,b" now'], [Selection("x", 'say "a,b" now')]),
        (["label(user:1):a:b"], [Selection("label(user:1)", "a:b")]),
        (["url:http://x/y"], [Selection("url", "http://x/y")]),
        (["0"], []),
        (["0", "a:0"], [Selection("a", "0")]),
        (["", ":", "a:", ":b", "+", "nocolon"], []),
        (["a:b", "a:b"], [Selection("a", "b")]),
        (None, []),
    ],
)
def test_parse(entries: list[str] | None, expected: list[Selection]) -> None:
    """C-067"""
    assert parse_selections(entries) == expected


@given(st.lists(st.text(max_size=30)))
def test_any_input_parses_to_named_values(entries: list[str]) -> None:
    for selection in parse_selections(entries):
        assert selection.facet
        assert selection.value


@given(
    st.from_regex(r"[a-zA-Z.]{1,8}(\([a-z:]{1,5}\))?", fullmatch=True),
    st.from_regex(r"[a-z]([a-z,: ]{0,6}[a-z])?", fullmatch=True),
    st.sampled_from(["", "+", "-"]),
)
def test_written_selections_read_back(facet: str, value: str, selector: str) -> None:
    selection = Selection(facet, value, selector)  # type: ignore[arg-type]
    assert parse_selections([str(selection)]) == [selection]
