"""What the embedded engine finds for a query tree: as a query with scores, as a filter, and with many hits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.search_items import DAY, ITEMS, NOW, identifiers_of, search

from annotarium.errors import InvalidInput
from annotarium.search.embedded import matching
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.facet_selections import parse_selections
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, SearchSpec
from annotarium.search.query import parse_advanced

KEY = IndexKey("project", "segments", "en")
SIGNS = {"e": "Ärger*1", "f": "b?c", "g": "b[1]", "h": "bc"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedEngine]:
    made = EmbeddedEngine(tmp_path_factory.mktemp("matching"))
    made.bulk(KEY, ITEMS)
    made.bulk(KEY, [IndexDoc(name, facets={"sign": [value]}) for name, value in SIGNS.items()])
    yield made
    made.close()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # combined words
        ("fox AND paris AND quick", "b"),
        ("run AND nothing", "c"),
        ("fox AND nosuch*", ""),
        ("fox AND n?such*", ""),
        ("n?such* AND z?z", ""),
        ("n?such* OR fox", "b"),
        ("nosuch* OR fox", "b"),
        ("paris AND te*", "b"),
        ("run AND metadata.source:news", "ac"),
        ("run AND metadata.source:blog", ""),
        ("metadata.source:news AND label:person", "a"),
        ("+label:person fox", "ab"),
        ("+paris fox -run", "b"),
        ("fox run -paris", "c"),
        ("paris AND NOT metadata.source:news", "b"),
        ("-paris -run", "defgh"),
        ("(paris^2 OR run) AND NOT fox^3", "ac"),
        # an operand without words is ignored, unless it excludes values
        ('"..." AND ","', ""),
        ('"..." AND NOT fox', ""),
        ('fox AND ("..." OR ",")', "b"),
        ('fox OR ("..." AND ",")', "b"),
        ('fox AND ("..." AND paris)', "b"),
        ('fox AND ("..." AND NOT paris)', "b"),
        ('fox AND ("..." AND NOT (paris OR run))', "b"),
        ('fox AND ("..." AND NOT metadata.source:blog)', ""),
        ('fox AND ("..." AND NOT (+run quick))', ""),
        ('fox AND ("..." AND NOT (run OR metadata.source:news))', ""),
        ('fox AND ("..." AND NOT (run AND NOT label:place))', ""),
        # values
        ("label:p*", "ab"),
        ("label:p?rson", "ab"),
        ("label:persn~1", "ab"),
        ("label:persn~0", ""),
        ("label:/t.*|pl.*/", "ad"),
        ("label:/P.*/", ""),
        ("sign:b\\?*", "f"),
        ("sign:b\\[*", "g"),
        ("sign:?\\[1?", "g"),
        ("sign:b*", "fgh"),
        ("sign:b?*", "fgh"),
        ("sign:??", "h"),
        ("sign:*\\*1", "e"),
        ("metadata.year:2010", "b"),
        ("metadata.year:old", ""),
        ("terms:\\~10", "b"),
        ("createdDate:this_week", "ab"),
        # identifiers
        ("identifier:/[ab]/", "ab"),
        ("identifier:a~1", "abcdefgh"),
        ("identifier:c*", "c"),
        ("identifier:A", ""),
        # existence of a value
        ("identifier:*", "abcdefgh"),
        ("title:*", "abcd"),
        ("text:*", "abc"),
        ("createdDate:*", "abc"),
        ("terms:*", "ab"),
        ("nosuch:*", ""),
        # ranges
        ("metadata.year:[2001 TO 2020}", "ab"),
        ("metadata.year:{2001 TO 2020]", "bc"),
        ("metadata.year:{* TO *}", "abc"),
        ("createdDate:[2026-11-16 TO 2026-11-18]", "ab"),
        ("createdDate:{2026-11-16 TO *]", "a"),
        ("createdDate:[* TO 2026-11-16]", "bc"),
        ("createdDate:[* TO 2026-11-16}", "c"),
        ("label:[person TO place]", "ab"),
        ("label:{person TO place}", ""),
        ("label:{person TO place]", "a"),
        ("label:[person TO place}", "ab"),
        ("label:[place TO *}", "ad"),
        ("label:{* TO person]", "ab"),
        ("nosuch:[a TO b]", ""),
    ],
)
def test_query_and_filter_find_the_same_for_few_and_many_hits(
    library: EmbeddedEngine, monkeypatch: pytest.MonkeyPatch, query: str, expected: str
) -> None:
    assert identifiers_of(search(library, KEY, query, simple=False)) == expected
    tree = parse_advanced(query)
    assert identifiers_of(library.search(KEY, SearchSpec(filter=tree, now_ms=NOW))) == expected
    monkeypatch.setattr(matching, "_FEW_ITEMS", 0)
    assert identifiers_of(search(library, KEY, query, simple=False)) == expected


@pytest.mark.parametrize("few", [0, 20_000])
def test_scores_of_clauses_are_added(library: EmbeddedEngine, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """A matching value scores 1, `^` multiplies, and an excluding clause adds nothing."""
    monkeypatch.setattr(matching, "_FEW_ITEMS", few)

    def scores(query: str) -> dict[str, float]:
        return {hit.id: hit.score for hit in search(library, KEY, query, simple=False).hits}

    word, other = scores("fox")["b"], scores("paris")
    assert scores("label:person label:place") == {"a": 2, "b": 1}
    assert scores("label:person^3 AND label:place") == {"a": 4}
    assert scores("label:person -metadata.source:news") == {"b": 1}
    assert scores("fox^2") == {"b": pytest.approx(2 * word)}
    assert scores("fox AND paris") == {"b": pytest.approx(word + other["b"])}
    assert scores("+paris fox") == {"a": pytest.approx(other["a"]), "b": pytest.approx(word + other["b"])}
    assert scores("+paris label:place -fox") == {"a": pytest.approx(other["a"] + 1)}
    assert scores('fox AND ("..." AND NOT run)') == {"b": pytest.approx(word)}


def test_changed_numbers_and_dates_are_found_by_their_new_values(tmp_path: Path) -> None:
    """A change invalidates the columns in memory, even if the number of values stays the same."""
    made = EmbeddedEngine(tmp_path)
    for year, day in ((2001, NOW), (2010, NOW - 400 * DAY), (2020, NOW)):
        made.bulk(KEY, [IndexDoc("a", "x", numbers={"year": year}, dates={"day": day})])
        expected = {f"year:{year}": "a", "year:[2002 TO 2019]": "a" if year == 2010 else ""}
        expected |= {"day:today": "" if year == 2010 else "a", "day:>=2026": "" if year == 2010 else "a"}
        assert {query: identifiers_of(search(made, KEY, query, simple=False)) for query in expected} == expected
    made.close()


def test_a_selection_on_a_number_or_date_is_a_bucket_or_a_value(library: EmbeddedEngine) -> None:
    """C-070 C-071"""

    def found(entry: str) -> str:
        return identifiers_of(search(library, KEY, selections=parse_selections(entry)))

    assert found("metadata.year:2010") == "b"
    assert found("metadata.year:2010.0") == "b"
    assert found("metadata.year:~1000") == ""
    assert found("metadata.year:old") == ""
    assert found("terms:12") == "b"
    assert found("createdDate:more_than_a_year_ago") == "c"
    assert found("createdDate:~10") == ""
    assert found("terms:today") == ""


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("metadata.year:[old TO 5]", "The field metadata.year holds numbers: 'old' is not a number"),
        ("metadata.year:[5 TO old]", "The field metadata.year holds numbers: 'old' is not a number"),
        (
            "createdDate:[* TO 2026-02-31]",
            "The field createdDate holds dates: '2026-02-31' is not a date like 2020-05-31",
        ),
    ],
)
def test_a_range_end_of_the_wrong_type_is_reported(library: EmbeddedEngine, query: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        search(library, KEY, query, simple=False)
    assert refused.value.message == message


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a*b?", "a*b?"),
        ("a\\*b\\?", "a[*]b[?]"),
        ("[a]*", "[[]a]*"),
        ("\\\\*", "\\*"),
        ("\\a\\", "a\\"),
        ("a\nb*", "a\nb*"),
        ("é\\[", "é[[]"),
    ],
)
def test_wildcard_patterns_are_translated_to_sqlite_glob(pattern: str, expected: str) -> None:
    assert matching.wildcard_to_sqlite_glob(pattern) == expected
