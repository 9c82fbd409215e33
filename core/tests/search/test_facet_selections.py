"""Parsing of `selectedFacets`: conflicts 10 and 11 of the contract."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.errors import InvalidInput
from annotarium.search.facet_selections import FacetSelection, parse_selections


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (["label:a"], [FacetSelection("label", "a")]),
        (["+label:a", "-label:b"], [FacetSelection("label", "a", "+"), FacetSelection("label", "b", "-")]),
        (
            ["+label:a,-x:b, y:c"],
            [FacetSelection("label", "a", "+"), FacetSelection("x", "b", "-"), FacetSelection("y", "c")],
        ),
        (['metadata.x:"b,c",y:d'], [FacetSelection("metadata.x", "b,c"), FacetSelection("y", "d")]),
        (['x:say "a,b" now'], [FacetSelection("x", 'say "a,b" now')]),
        (["label(user:1):a:b"], [FacetSelection("label(user:1)", "a:b")]),
        (["url:http://x/y"], [FacetSelection("url", "http://x/y")]),
        (["0"], []),
        (["0", "a:0"], [FacetSelection("a", "0")]),
        (["", " ", "a:b,,"], [FacetSelection("a", "b")]),
        (['"metadata.a:b":c'], [FacetSelection("metadata.a:b", "c")]),
        ([r'a:"\"q\"",b:" c\\"'], [FacetSelection("a", '"q"'), FacetSelection("b", " c\\")]),
        (
            ["metadata.a:b (c):d:e", "metadata.a:d"],
            [FacetSelection("metadata.a:b (c)", "d:e"), FacetSelection("metadata.a", "d")],
        ),
        (["a:b", "a:b"], [FacetSelection("a", "b")]),
        (None, []),
    ],
)
def test_parse(entries: list[str] | None, expected: list[FacetSelection]) -> None:
    """C-067"""
    assert parse_selections(entries, ["metadata.a:b (c)"]) == expected


@pytest.mark.parametrize(
    ("entries", "facets", "expected"),
    [
        ("a:b,+c:d", [], [FacetSelection("a", "b"), FacetSelection("c", "d", "+")]),
        ("+ a : b ", [], [FacetSelection("a", "b", "+")]),
        ('a:"', [], [FacetSelection("a", '"')]),
        ('a:b"', [], [FacetSelection("a", 'b"')]),
        ('a:"b', [], [FacetSelection("a", '"b')]),
        ("a:b : c", ["a:b"], [FacetSelection("a:b", "c")]),
        ("a:b:", ["a:b"], [FacetSelection("a", "b:")]),
        ("label(x:y):v", ["label(x", "label(x:y)"], [FacetSelection("label(x:y)", "v")]),
        ('"a:b":c', ['"a'], [FacetSelection("a:b", "c")]),
        ("-a:b:c:d", ["a:b", "a:b:c"], [FacetSelection("a:b", "c:d", "-")]),
    ],
    ids=[
        "one text holds several", "white space", "a quote alone", "a quote at the end", "a quote at the start",
        "a known name with a colon", "a known name without a value", "what is a name already is not cut",
        "what is quoted is not cut", "the first known name",
    ],
)  # fmt: skip
def test_names_values_and_quotes(entries: str, facets: list[str], expected: list[FacetSelection]) -> None:
    """C-067"""
    assert parse_selections(entries, facets) == expected


def test_the_error_shows_the_start_of_the_entry_and_the_field() -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_selections("a:b," + "c" * 150)
    assert refused.value.message == f"The selected facet {'c' * 100} cannot be read"
    assert [detail["field"] for detail in refused.value.details] == ["selectedFacets"]


@pytest.mark.parametrize(
    ("selection", "written"),
    [
        (FacetSelection("label(bob)", "a b", "+"), "+label(bob):a b"),
        (FacetSelection("a", "b:c"), "a:b:c"),
        (FacetSelection("-a", " b", "-"), '-"-a":" b"'),
        (FacetSelection("a:b", 'c"\\', "+"), '+"a:b":"c\\"\\\\"'),
    ],
)
def test_values_are_quoted_only_where_needed(selection: FacetSelection, written: str) -> None:
    assert str(selection) == written


@pytest.mark.parametrize("entry", [":", "a:", ":b", "+", "nocolon", 'a:""', "a:b,c"])
def test_an_invalid_entry_is_refused(entry: str) -> None:
    """To ignore such an entry would find, and change, more than was requested."""
    with pytest.raises(InvalidInput, match="cannot be read"):
        parse_selections([entry])


@given(st.lists(st.text(max_size=30) | st.text('a:",\\+-() 0', max_size=30)))
def test_any_input_parses_to_named_values(entries: list[str]) -> None:
    with suppress(InvalidInput):
        for selection in parse_selections(entries):
            assert selection.facet
            assert selection.value


WORDS = st.text('ab,:"\\ ()+-0é', min_size=1, max_size=8)


@given(st.lists(st.builds(FacetSelection, WORDS, WORDS, st.sampled_from(["", "+", "-"])), unique=True, max_size=3))
def test_serialised_selections_parse_back(selections: list[FacetSelection]) -> None:
    assert parse_selections([",".join(map(str, selections))]) == selections


def test_hostile_entries_are_parsed_quickly() -> None:
    for entry in ('"' + '\\"' * 100_000, '"a",' * 50_000, "(" * 200_000, "a" * 200_000, '"' * 200_001):
        with suppress(InvalidInput):
            parse_selections([entry])
