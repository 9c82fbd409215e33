"""`selectedFacets`: conflicts 10 and 11 of the contract."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.errors import InvalidInput
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
        (["", " ", "a:b,,"], [Selection("a", "b")]),
        (['"metadata.a:b":c'], [Selection("metadata.a:b", "c")]),
        ([r'a:"\"q\"",b:" c\\"'], [Selection("a", '"q"'), Selection("b", " c\\")]),
        (
            ["metadata.a:b (c):d:e", "metadata.a:d"],
            [Selection("metadata.a:b (c)", "d:e"), Selection("metadata.a", "d")],
        ),
        (["a:b", "a:b"], [Selection("a", "b")]),
        (None, []),
    ],
)
def test_parse(entries: list[str] | None, expected: list[Selection]) -> None:
    """C-067"""
    assert parse_selections(entries, ["metadata.a:b (c)"]) == expected


@pytest.mark.parametrize("entry", [":", "a:", ":b", "+", "nocolon", 'a:""', "a:b,c"])
def test_what_cannot_be_read_is_refused(entry: str) -> None:
    """Ignoring it would find, and act on, more than was asked for."""
    with pytest.raises(InvalidInput, match="cannot be read"):
        parse_selections([entry])


@given(st.lists(st.text(max_size=30) | st.text('a:",\\+-() 0', max_size=30)))
def test_any_input_parses_to_named_values(entries: list[str]) -> None:
    with suppress(InvalidInput):
        for selection in parse_selections(entries):
            assert selection.facet
            assert selection.value


WORDS = st.text('ab,:"\\ ()+-0é', min_size=1, max_size=8)


@given(st.lists(st.builds(Selection, WORDS, WORDS, st.sampled_from(["", "+", "-"])), unique=True, max_size=3))
def test_written_selections_read_back(selections: list[Selection]) -> None:
    assert parse_selections([",".join(map(str, selections))]) == selections


def test_hostile_entries_are_read_in_no_time() -> None:
    for entry in ('"' + '\\"' * 100_000, '"a",' * 50_000, "(" * 200_000, "a" * 200_000, '"' * 200_001):
        with suppress(InvalidInput):
            parse_selections([entry])
