"""The results that every search engine must return, whichever implementation is used (sets and orders, never absolute
scores).
"""

from __future__ import annotations

import pytest
from support.search_items import DAY, ITEMS, NOW, facet_counts, identifiers_of, search

from annotarium.errors import InvalidInput
from annotarium.search.engine import SearchEngine
from annotarium.search.exact_forms import rank_exact_forms_first
from annotarium.search.facet_selections import parse_selections
from annotarium.search.index_and_search_types import (
    INDEX_VERSION,
    TITLE_ORDER,
    FacetSpec,
    IndexDoc,
    IndexKey,
    IndexPatch,
    SearchSpec,
    Sort,
)
from annotarium.search.query import parse_simple
from annotarium.search.term_entries import IndexableTerm, term_entry
from annotarium.search.text_analysis import get_analyser


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "abcd"),
        ("run", "ac"),
        ("RUNNING", "ac"),
        ('"were running"', "a"),
        ('"running were"', ""),
        ("ecole", "b"),
        ("École", "b"),
        ("fox run", "abc"),
        ("fox + run", ""),
        ("paris + run", "a"),
        ("+paris -fox", "a"),
        ("-run", "bd"),
        ("(fox | runners) -brown", "a"),
        ("testin*", ""),
        ("teste*", "b"),
        ("run*", "ac"),
        ("q?ick", "b"),
        ("*own", "b"),
        ("京", "c"),
        ("都に", "c"),
        ("東都", ""),
        ("nosuchword", ""),
        ("!!! ???", "abcd"),
        ("😀", ""),
    ],
)
def test_simple_queries(library: SearchEngine, key: IndexKey, query: str, expected: str) -> None:
    assert identifiers_of(search(library, key, query)) == expected


def test_terms_of_exactly_the_searched_form_come_first(engine: SearchEngine, key: IndexKey) -> None:
    """Case and accents do not count; the preferred form before others, these before terms that have the words."""
    forms = {"a": ("City library city library", []), "b": ("Médiathèque", ["City  LIBRARY"]), "c": ("Cíty library", [])}
    engine.bulk(
        key,
        [
            term_entry(
                IndexableTerm(ord(at), 1, "places", at, form, {"altForms": [*more, "of a town, long"]}, False, 1, 1)
            )
            for at, (form, more) in forms.items()
        ],
    )
    query = rank_exact_forms_first(parse_simple("city library"), "city library")
    found = engine.search(key, SearchSpec(query=query, default_fields=("title", "text")))
    assert [chr(int(hit.id)) for hit in found.hits] == ["c", "b", "a"]
    assert found.total == 3


def test_emojis_are_indexed_as_words(engine: SearchEngine, key: IndexKey) -> None:
    """An emoji is found alone, in a phrase, by its prefix, with another skin tone and next to letters, in each
    engine."""
    texts = {"a": "Well done 👍🏿", "b": "so👍good ❤\ufe0f", "c": "👨\u200d👩\u200d👧 🇫🇷🇪🇸", "d": "Nothing to see"}
    engine.bulk(key, [IndexDoc(one, text) for one, text in texts.items()])
    for query, expected in {
        "👍": "ab", "👍🏽": "ab", '"done 👍"': "a", "so👍good": "b", "❤": "b", "👨": "", "👨*": "c", "👩": "",
        "🇪🇸": "c", "🇷🇪": "", "-👍": "cd", "*👧": "c", "see 👍": "abd",
    }.items():  # fmt: skip
        assert identifiers_of(search(engine, key, query)) == expected, query


def test_contents_of_items_are_returned(library: SearchEngine, key: IndexKey) -> None:
    held = library.contents(key, ["a", "c", "nobody"])
    assert held.keys() == {"a", "c"}
    words = get_analyser("en")
    for doc in ITEMS:
        if doc.id in held:
            content = held[doc.id]
            assert content.title == words.tokens(doc.title).line()
            assert content.text == words.tokens(doc.text).line()
            assert content.dates.keys() == {name for name, value in doc.dates.items() if value != []}
            for name, value in doc.numbers.items():
                told = content.numbers[name] if name.isalnum() else None
                assert told in (None, value if isinstance(value, (int, float)) else min(value))
    assert not library.contents(IndexKey("nothing", "segments", "en"), ["a"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("fox AND paris", "b"),
        ("fox OR nothing", "bc"),
        ("paris AND NOT fox", "a"),
        ("title:running", "c"),
        ("title:runn*", "c"),
        ("text:sport", ""),
        ('"quick fox"~1', "b"),
        ('"quick fox"', ""),
        ('"quick tested"~2', "b"),
        ("+annotations:*", "abd"),
        ("annotations:place", "a"),
        ("annotations:p*", "ab"),
        ("categories:dull", "c"),
        ("-metadata.source:news", "bd"),
        ("metadata.source:(news OR blog)", "abc"),
        ("label\\(bob\\):person", "b"),
        ("label(bob):person", "b"),
        ("identifier:a", "a"),
        ("identifier:?", "abcd"),
        ("metadata.year:[2001 TO 2010]", "ab"),
        ("metadata.year:{2001 TO 2020}", "b"),
        ("metadata.year:>=2010", "bc"),
        ("metadata.year:[* TO 2001]", "a"),
        ("metadata.year:*", "abc"),
        ("createdDate:2026", ""),
        ("createdDate:[2026-11 TO 2026-11-16]", "b"),
        ("createdDate:[2026-11-17 TO now]", "a"),
        ("createdDate:today", "a"),
        ("metadata.source:[a TO c]", "b"),
        ("fox metadata.source:news", "abc"),
        ("(paris OR title:empty) AND label:*", "abd"),
        ("text:*", "abc"),
        ("*", "abcd"),
        ("NOT nosuchword", "abcd"),
        ('fox AND "..."', "b"),
        ('"..."', ""),
    ],
)
def test_advanced_queries(library: SearchEngine, key: IndexKey, query: str, expected: str) -> None:
    assert identifiers_of(search(library, key, query, simple=False)) == expected


def test_the_default_fields_can_include_the_title(library: SearchEngine, key: IndexKey) -> None:
    assert identifiers_of(search(library, key, "sport")) == ""
    assert identifiers_of(search(library, key, "sport", default_fields=("text", "title"))) == "a"


def test_a_range_end_of_the_wrong_kind_is_refused(library: SearchEngine, key: IndexKey) -> None:
    with pytest.raises(InvalidInput, match=r"metadata\.year"):
        search(library, key, "metadata.year:[old TO 2010]", simple=False)
    with pytest.raises(InvalidInput, match="createdDate"):
        search(library, key, "createdDate:[2026-02-31 TO *]", simple=False)


def test_boost_and_frequency_determine_the_order(engine: SearchEngine, key: IndexKey) -> None:
    filler = [IndexDoc(f"f{n}", "other words") for n in range(10)]
    engine.bulk(key, [IndexDoc("one", "apple pear stone"), IndexDoc("two", "plum apple plum"), *filler])
    assert [hit.id for hit in search(engine, key, "plum pear^9", simple=False).hits] == ["one", "two"]
    assert [hit.id for hit in search(engine, key, "plum^9 pear", simple=False).hits] == ["two", "one"]
    scores = [hit.score for hit in search(engine, key, "plum pear").hits]
    assert scores == sorted(scores, reverse=True)


def test_selections_include_exclude_and_alternatives(library: SearchEngine, key: IndexKey) -> None:
    def selected(*entries: str) -> str:
        return identifiers_of(search(library, key, selections=parse_selections(entries)))

    assert selected("label:person") == "ab"
    assert selected("label:place", "label:thing") == "ad"
    assert selected("+label:place", "+label:person") == "a"
    assert selected("+label:place", "+label:thing") == ""
    assert selected("-label:place") == "bcd"
    assert selected("label:person,-metadata.source:news") == "b"
    assert selected("label(bob):person") == "b"
    assert selected("createdDate:this_week") == "ab"
    assert selected("terms:~10") == "b"
    assert selected("terms:0") == "a"
    assert selected("+inDataset:false") == "c"
    assert selected("nofacet:x") == ""
    assert selected("-nofacet:x") == "abcd"


def test_invert_returns_all_other_items(library: SearchEngine, key: IndexKey) -> None:
    assert identifiers_of(search(library, key, "run", invert=True)) == "bd"
    hits = search(library, key, "run", invert=True, selections=parse_selections("label:place"))
    assert identifiers_of(hits) == "bcd"


def test_facets_count_the_match_set_without_their_own_bare_selections(library: SearchEngine, key: IndexKey) -> None:
    facets = [FacetSpec("label"), FacetSpec("metadata.source"), FacetSpec("nosuch")]
    plain = facet_counts(search(library, key, facets=facets))
    assert plain == {"label": {"person": 2, "place": 1, "thing": 1}, "metadata.source": {"news": 2, "blog": 1}}
    bare = facet_counts(search(library, key, facets=facets, selections=parse_selections("metadata.source:blog")))
    assert bare == {"label": {"person": 1}, "metadata.source": {"news": 2, "blog": 1}}
    plus = facet_counts(search(library, key, facets=facets, selections=parse_selections("+metadata.source:blog")))
    assert plus == {"label": {"person": 1}, "metadata.source": {"blog": 1}}
    minus = facet_counts(search(library, key, facets=facets, selections=parse_selections("-metadata.source:blog")))
    assert minus == {"label": {"person": 1, "place": 1, "thing": 1}, "metadata.source": {"news": 2}}


def test_facets_without_bucket_are_dropped(library: SearchEngine, key: IndexKey) -> None:
    """V-021"""
    facets = [FacetSpec("classificationLabel"), FacetSpec("createdDate", "dates"), FacetSpec("terms", "counts")]
    assert facet_counts(search(library, key, "nosuchword", facets=facets)) == {}
    assert list(facet_counts(search(library, key, "nothing", facets=facets))) == ["classificationLabel", "createdDate"]


def test_facet_size_prefix_and_count_of_the_rest(library: SearchEngine, key: IndexKey) -> None:
    (facet,) = search(library, key, facets=[FacetSpec("label", size=1)]).facets
    assert [(bucket.key, bucket.doc_count) for bucket in facet.buckets] == [("person", 2)]
    assert facet.sum_other_doc_count == 2
    (facet,) = search(library, key, facets=[FacetSpec("label", find="P")]).facets
    assert [bucket.key for bucket in facet.buckets] == ["person", "place"]


PRICES = {"a": "9.5", "b": "10", "c": "100", "d": "cheap", "e": "2020-05-31"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("price:[9 TO 10]", "ab"),
        ("price:{9.5 TO *]", "bc"),
        ("price:<50", "ab"),
        ("price:[2020-05 TO 2020-06]", "e"),
        ("price:[c TO d]", "d"),
        ("many:[3 TO 4]", "ab"),
    ],
)
def test_ranges_of_values(engine: SearchEngine, key: IndexKey, query: str, expected: str) -> None:
    docs = [IndexDoc(name, facets={"price": [value]}) for name, value in PRICES.items()]
    docs[0].facets = {**docs[0].facets, "many": ["1", "3"]}
    docs[1].facets = {**docs[1].facets, "many": ["4"]}
    engine.bulk(key, docs)
    assert identifiers_of(search(engine, key, query, simple=False)) == expected


def test_histograms_of_values_and_of_fields(engine: SearchEngine, key: IndexKey) -> None:
    docs = [
        IndexDoc(
            str(number),
            "even" if number % 2 == 0 else "odd",
            facets={"size": [str(number)], "day": [f"2026-01-{number + 1:02}"], "name": [f"n{number}"]},
            numbers={"n": number / 2},
            dates={"createdDate": NOW + number * DAY},
        )
        for number in range(20)
    ]
    engine.bulk(key, docs)
    names = ("size", "day", "name", "n", "createdDate", "nosuch")
    hits = search(engine, key, "even", facets=[FacetSpec(name, "histogram") for name in names])
    drawn = {facet.name: facet for facet in hits.facets}
    assert {name: facet.bars_of for name, facet in drawn.items()} == {
        "size": "number",
        "day": "date",
        "n": "number",
        "createdDate": "date",
    }
    for facet in drawn.values():
        assert sum(bucket.doc_count for bucket in facet.buckets) == hits.total == 10
    assert [(bucket.from_, bucket.doc_count) for bucket in drawn["size"].buckets][:3] == [(0, 1), (1, 0), (2, 1)]
    assert len(drawn["createdDate"].buckets) == 19


def test_facet_values_are_found_by_any_substring(engine: SearchEngine, key: IndexKey) -> None:
    names = ["Marie Curie", "Pierre Curie", "Émile Zola", "Zoé Émile"]
    engine.bulk(key, [IndexDoc(str(n), facets={"who": [name]}) for n, name in enumerate(names)])
    for asked, expected in (("curie", names[:2]), ("emile", names[2:]), ("MARIE C", names[:1]), ("x", [])):
        facets = search(engine, key, facets=[FacetSpec("who", find=asked)]).facets
        assert sorted(bucket.key for facet in facets for bucket in facet.buckets) == sorted(expected)
    (facet,) = search(engine, key, facets=[FacetSpec("who", find="e", size=1)]).facets
    assert (len(facet.buckets), facet.sum_other_doc_count) == (1, 3)


def test_pages_beyond_ten_thousand(engine: SearchEngine, key: IndexKey) -> None:
    """S-023: totals stay exact and paging continues beyond the ten thousandth hit: by text, by date and unranked."""
    docs = [IndexDoc(f"{number:05}", "word", dates={"createdDate": number}) for number in range(10_030)]
    engine.bulk(key, docs)
    for query, sort in (("", None), ("word", None), ("word", Sort("createdDate", True))):
        hits = search(engine, key, query, from_=10_020, size=20, sort=sort)
        assert hits.total == 10_030
        last = [f"{number:05}" for number in range(10_020, 10_030)]
        expected = [f"{number:05}" for number in range(9, -1, -1)] if sort else last
        assert [hit.id for hit in hits.hits] == expected


def test_date_and_count_buckets(library: SearchEngine, key: IndexKey) -> None:
    """C-070 C-071"""
    found_counts = facet_counts(
        search(library, key, facets=[FacetSpec("createdDate", "dates"), FacetSpec("terms", "counts")])
    )
    assert found_counts["createdDate"] == {
        "just_now": 1,
        "last_hour": 1,
        "today": 1,
        "this_week": 2,
        "this_month": 2,
        "this_year": 2,
        "more_than_a_year_ago": 1,
    }
    assert found_counts["terms"] == {"0": 1, "~10": 1}


def test_vector_search_ranks_by_cosine_within_the_filter(library: SearchEngine, key: IndexKey) -> None:
    hits = search(library, key, search_type="vector", vectorizer="v", vector=[2, 0.1, 0], facets=[FacetSpec("label")])
    assert [hit.id for hit in hits.hits] == ["a", "b", "c"]
    assert hits.hits[0].score == pytest.approx(0.99875, abs=1e-4)
    assert hits.total == 3
    assert facet_counts(hits) == {"label": {"person": 2, "place": 1}}
    near = search(library, key, search_type="vector", vectorizer="v", vector=[1, 0, 0], window=2)
    assert [hit.id for hit in near.hits] == ["a", "b"]
    assert near.total == 2
    news = parse_selections("metadata.source:news")
    assert (
        identifiers_of(search(library, key, search_type="vector", vectorizer="v", vector=[1, 0, 0], selections=news))
        == "ac"
    )
    assert search(library, key, search_type="vector", vectorizer="other", vector=[1]).total == 0
    with pytest.raises(InvalidInput, match="numbers"):
        search(library, key, search_type="vector", vectorizer="v", vector=[1, 0])


def test_hybrid_search_fuses_ranks(library: SearchEngine, key: IndexKey) -> None:
    """C-036 C-060"""
    hits = search(library, key, "fox", search_type="hybrid", vectorizer="v", vector=[0, 1, 0], window=2)
    assert [hit.id for hit in hits.hits] == ["b", "c"]
    assert hits.hits[0].score == pytest.approx(1 / 61 + 1 / 62)
    assert hits.hits[1].score == pytest.approx(1 / 61)
    assert (hits.hits[0].text_rank, hits.hits[0].vector_rank) == (1, 2)
    assert (hits.hits[1].text_rank, hits.hits[1].vector_rank) == (None, 1)
    assert hits.total == 2


def test_paging_reaches_every_hit_once(engine: SearchEngine, key: IndexKey) -> None:
    engine.bulk(key, [IndexDoc(f"{n:04}", "word " * (n % 7 + 1) + "end") for n in range(2345)])
    for spec in ({}, {"query": parse_simple("word")}, {"sort": Sort("none")}):
        seen: list[str] = []
        for start in range(0, 2400, 300):
            hits = engine.search(key, SearchSpec(from_=start, size=300, **spec))  # type: ignore[arg-type]
            assert hits.total == 2345
            seen += [hit.id for hit in hits.hits]
        assert len(seen) == len(set(seen)) == 2345
    assert sorted(engine.scan_ids(key, SearchSpec())) == [f"{n:04}" for n in range(2345)]
    assert engine.search(key, SearchSpec(from_=10**9, size=10)).hits == []


def test_sort_by_the_values_of_a_facet(engine: SearchEngine, key: IndexKey) -> None:
    values = {
        "none": [],
        "word": ["Zebra"],
        "accent": ["élan"],
        "nine": ["9"],
        "ten": ["10.5"],
        "minus": ["-3e2"],
        "year": ["1999"],
        "day": ["1999-06-30"],
        "two": ["1", "2000-02-28"],
        "page9": ["p 9"],
        "page10": ["p 10"],
    }
    items = [IndexDoc(name, "x", facets={"metadata.m": found}) for name, found in values.items()]
    engine.bulk(key, items)

    def order(descending: bool = False) -> list[str]:
        pages = [
            engine.search(key, SearchSpec(sort=Sort("metadata.m", descending), from_=start, size=3)).hits
            for start in range(0, 12, 3)
        ]
        return [hit.id for page in pages for hit in page]

    rising = ["minus", "two", "nine", "ten", "year", "day", "accent", "page9", "page10", "word", "none"]
    falling = ["word", "page10", "page9", "accent", "two", "day", "year", "ten", "nine", "minus", "none"]
    assert order() == rising
    assert order(descending=True) == falling
    engine.patch(key, [IndexPatch("none", facets={"metadata.m": ["0"]}), IndexPatch("word", facets={"metadata.m": []})])
    assert order() == ["minus", "none", *rising[1:-2], "word"]
    engine.bulk(key, deletes=["minus"])
    assert order(descending=True)[-2:] == ["none", "word"]


def test_sort_by_title_and_by_several_numbers(engine: SearchEngine, key: IndexKey) -> None:
    titles = {"a": "1984", "b": "10 days", "c": "9 days", "d": "Ärger", "e": "Arger 2"}
    numbers = {"a": [5, 1], "b": [2], "c": [3, 9], "d": [4]}
    engine.bulk(
        key,
        [
            IndexDoc(name, "x", title, facets={TITLE_ORDER: [title]}, numbers={"n": numbers.get(name, [])})
            for name, title in titles.items()
        ],
    )

    def order(field: str, descending: bool = False) -> str:
        return "".join(hit.id for hit in search(engine, key, sort=Sort(field, descending)).hits)

    assert order(TITLE_ORDER) == "cbade"
    assert order(TITLE_ORDER, True) == "edabc"
    assert order("n") == "abcde"
    assert order("n", True) == "cadbe"


def test_an_index_stores_the_version_it_was_built_with(engine: SearchEngine, key: IndexKey) -> None:
    assert engine.version(key) == 0
    engine.bulk(key, [IndexDoc("a", "x", vectors={"v": [1, 0]})])
    assert engine.version(key) == INDEX_VERSION
    engine.keep_vectors(key, ())
    assert engine.version(key) == INDEX_VERSION


def test_sort_by_a_number_or_date(library: SearchEngine, key: IndexKey) -> None:
    def order(field: str, descending: bool) -> list[str]:
        return [hit.id for hit in search(library, key, sort=Sort(field, descending)).hits]

    assert order("metadata.year", False) == ["a", "b", "c", "d"]
    assert order("metadata.year", True) == ["c", "b", "a", "d"]
    assert order("createdDate", False) == ["c", "b", "a", "d"]
