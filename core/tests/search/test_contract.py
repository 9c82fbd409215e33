"""What every search engine must do, whatever stands behind it (sets and orders, never absolute scores)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from search_engines import ENGINES, forget_indexes

from annotarium.errors import InvalidInput
from annotarium.search.analysis import analyser
from annotarium.search.engine import SearchEngine
from annotarium.search.query import Boolean, parse_advanced, parse_simple
from annotarium.search.selection import Selection, parse_selections
from annotarium.search.spec import FacetSpec, IndexDoc, IndexKey, Patch, SearchHits, SearchSpec, Sort

NOW = datetime(2026, 11, 18, 12, 30, tzinfo=UTC).timestamp() * 1000
MINUTE, DAY = 60_000, 86_400_000

DOCS = [
    IndexDoc(
        "a",
        "The runners were running in Paris.",
        "Sport",
        facets={"label": ["person", "place"], "metadata.source": ["news"], "inDataset": ["true"]},
        numbers={"metadata.year": 2001, "terms": 0},
        dates={"createdDate": NOW - MINUTE},
        vectors={"v": [1, 0, 0]},
    ),
    IndexDoc(
        "b",
        "A quick brown fox, tested in the École of Paris: brown again.",
        "Animals",
        facets={"label": ["person"], "metadata.source": ["blog"], "inDataset": ["true"], "label(bob)": ["person"]},
        numbers={"metadata.year": 2010, "terms": 12},
        dates={"createdDate": NOW - 2 * DAY},
        vectors={"v": [0.8, 0.6, 0]},
    ),
    IndexDoc(
        "c",
        "Nothing to run here; 東京都に行く.",
        "Running",
        facets={"metadata.source": ["news"], "classificationLabel": ["dull"], "inDataset": ["false"]},
        numbers={"metadata.year": 2020},
        dates={"createdDate": NOW - 800 * DAY},
        vectors={"v": [0, 1, 0]},
    ),
    IndexDoc("d", "", "Empty one", facets={"label": ["thing"]}),
]


@pytest.fixture(params=sorted(ENGINES), scope="module")
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    """A filled engine for tests that only ask."""
    made = ENGINES[request.param](tmp_path_factory.mktemp("library"))
    made.bulk(IndexKey("project", "segments", "en"), DOCS)
    yield made
    forget_indexes(made)
    made.close()


@pytest.fixture
def filled(engine: SearchEngine, key: IndexKey) -> SearchEngine:
    engine.bulk(key, DOCS, applied_seq=5)
    return engine


def ask(engine: SearchEngine, key: IndexKey, query: str = "", *, simple: bool = True, **spec: object) -> SearchHits:
    node = parse_simple(query) if simple else parse_advanced(query)
    return engine.search(key, SearchSpec(query=node, now_ms=NOW, **spec))  # type: ignore[arg-type]


def found(hits: SearchHits) -> str:
    assert hits.total >= len(hits.hits)
    return "".join(sorted(hit.id for hit in hits.hits))


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
    ],
)
def test_simple_queries(library: SearchEngine, key: IndexKey, query: str, expected: str) -> None:
    assert found(ask(library, key, query)) == expected


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
    assert found(ask(library, key, query, simple=False)) == expected


def test_the_default_fields_can_include_the_title(library: SearchEngine, key: IndexKey) -> None:
    assert found(ask(library, key, "sport")) == ""
    assert found(ask(library, key, "sport", default_fields=("text", "title"))) == "a"


def test_a_range_end_of_the_wrong_kind_is_refused(library: SearchEngine, key: IndexKey) -> None:
    with pytest.raises(InvalidInput, match=r"metadata\.year"):
        ask(library, key, "metadata.year:[old TO 2010]", simple=False)
    with pytest.raises(InvalidInput, match="createdDate"):
        ask(library, key, "createdDate:[2026-02-31 TO *]", simple=False)


def test_boost_and_frequency_decide_the_order(engine: SearchEngine, key: IndexKey) -> None:
    filler = [IndexDoc(f"f{n}", "other words") for n in range(10)]
    engine.bulk(key, [IndexDoc("one", "apple pear stone"), IndexDoc("two", "plum apple plum"), *filler])
    assert [hit.id for hit in ask(engine, key, "plum pear^9", simple=False).hits] == ["one", "two"]
    assert [hit.id for hit in ask(engine, key, "plum^9 pear", simple=False).hits] == ["two", "one"]
    scores = [hit.score for hit in ask(engine, key, "plum pear").hits]
    assert scores == sorted(scores, reverse=True)


def test_selections_include_exclude_and_alternatives(library: SearchEngine, key: IndexKey) -> None:
    def chosen(*entries: str) -> str:
        return found(ask(library, key, selections=parse_selections(entries)))

    assert chosen("label:person") == "ab"
    assert chosen("label:place", "label:thing") == "ad"
    assert chosen("+label:place", "+label:person") == "a"
    assert chosen("+label:place", "+label:thing") == ""
    assert chosen("-label:place") == "bcd"
    assert chosen("label:person,-metadata.source:news") == "b"
    assert chosen("label(bob):person") == "b"
    assert chosen("createdDate:this_week") == "ab"
    assert chosen("terms:~10") == "b"
    assert chosen("terms:0") == "a"
    assert chosen("+inDataset:false") == "c"
    assert chosen("nofacet:x") == ""
    assert chosen("-nofacet:x") == "abcd"


def test_invert_gives_everything_else(library: SearchEngine, key: IndexKey) -> None:
    assert found(ask(library, key, "run", invert=True)) == "bd"
    hits = ask(library, key, "run", invert=True, selections=parse_selections("label:place"))
    assert found(hits) == "bcd"


def counts(hits: SearchHits) -> dict[str, dict[str, int]]:
    return {facet.name: {bucket.key: bucket.doc_count for bucket in facet.buckets} for facet in hits.facets}


def test_facets_count_the_match_set_without_their_own_bare_selections(library: SearchEngine, key: IndexKey) -> None:
    facets = [FacetSpec("label"), FacetSpec("metadata.source"), FacetSpec("nosuch")]
    plain = counts(ask(library, key, facets=facets))
    assert plain == {"label": {"person": 2, "place": 1, "thing": 1}, "metadata.source": {"news": 2, "blog": 1}}
    bare = counts(ask(library, key, facets=facets, selections=parse_selections("metadata.source:blog")))
    assert bare == {"label": {"person": 1}, "metadata.source": {"news": 2, "blog": 1}}
    plus = counts(ask(library, key, facets=facets, selections=parse_selections("+metadata.source:blog")))
    assert plus == {"label": {"person": 1}, "metadata.source": {"blog": 1}}
    minus = counts(ask(library, key, facets=facets, selections=parse_selections("-metadata.source:blog")))
    assert minus == {"label": {"person": 1, "place": 1, "thing": 1}, "metadata.source": {"news": 2}}


def test_facets_without_bucket_are_dropped(library: SearchEngine, key: IndexKey) -> None:
    """V-021"""
    facets = [FacetSpec("classificationLabel"), FacetSpec("createdDate", "dates"), FacetSpec("terms", "counts")]
    assert counts(ask(library, key, "nosuchword", facets=facets)) == {}
    assert list(counts(ask(library, key, "nothing", facets=facets))) == ["classificationLabel", "createdDate"]


def test_facet_size_prefix_and_the_rest(library: SearchEngine, key: IndexKey) -> None:
    (facet,) = ask(library, key, facets=[FacetSpec("label", size=1)]).facets
    assert [(bucket.key, bucket.doc_count) for bucket in facet.buckets] == [("person", 2)]
    assert facet.sum_other_doc_count == 2
    (facet,) = ask(library, key, facets=[FacetSpec("label", find="P")]).facets
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
    assert found(ask(engine, key, query, simple=False)) == expected


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
    hits = ask(engine, key, "even", facets=[FacetSpec(name, "histogram") for name in names])
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


def test_values_are_looked_for_by_any_part(engine: SearchEngine, key: IndexKey) -> None:
    names = ["Marie Curie", "Pierre Curie", "Émile Zola", "Zoé Émile"]
    engine.bulk(key, [IndexDoc(str(n), facets={"who": [name]}) for n, name in enumerate(names)])
    for asked, expected in (("curie", names[:2]), ("emile", names[2:]), ("MARIE C", names[:1]), ("x", [])):
        facets = ask(engine, key, facets=[FacetSpec("who", find=asked)]).facets
        assert sorted(bucket.key for facet in facets for bucket in facet.buckets) == sorted(expected)
    (facet,) = ask(engine, key, facets=[FacetSpec("who", find="e", size=1)]).facets
    assert (len(facet.buckets), facet.sum_other_doc_count) == (1, 3)


def test_pages_beyond_ten_thousand(engine: SearchEngine, key: IndexKey) -> None:
    """S-023: totals stay exact and pages go on behind the ten thousandth hit, by text, by date and unranked."""
    docs = [IndexDoc(f"{number:05}", "word", dates={"createdDate": number}) for number in range(10_030)]
    engine.bulk(key, docs)
    for query, sort in (("", None), ("word", None), ("word", Sort("createdDate", True))):
        hits = ask(engine, key, query, from_=10_020, size=20, sort=sort)
        assert hits.total == 10_030
        last = [f"{number:05}" for number in range(10_020, 10_030)]
        expected = [f"{number:05}" for number in range(9, -1, -1)] if sort else last
        assert [hit.id for hit in hits.hits] == expected


def test_date_and_count_buckets(library: SearchEngine, key: IndexKey) -> None:
    """C-070 C-071"""
    found_counts = counts(ask(library, key, facets=[FacetSpec("createdDate", "dates"), FacetSpec("terms", "counts")]))
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
    hits = ask(library, key, search_type="vector", vectorizer="v", vector=[2, 0.1, 0], facets=[FacetSpec("label")])
    assert [hit.id for hit in hits.hits] == ["a", "b", "c"]
    assert hits.hits[0].score == pytest.approx(0.99875, abs=1e-4)
    assert hits.total == 3
    assert counts(hits) == {"label": {"person": 2, "place": 1}}
    near = ask(library, key, search_type="vector", vectorizer="v", vector=[1, 0, 0], window=2)
    assert [hit.id for hit in near.hits] == ["a", "b"]
    assert near.total == 2
    news = parse_selections("metadata.source:news")
    assert found(ask(library, key, search_type="vector", vectorizer="v", vector=[1, 0, 0], selections=news)) == "ac"
    assert ask(library, key, search_type="vector", vectorizer="other", vector=[1]).total == 0
    with pytest.raises(InvalidInput, match="numbers"):
        ask(library, key, search_type="vector", vectorizer="v", vector=[1, 0])


def test_hybrid_search_fuses_ranks(library: SearchEngine, key: IndexKey) -> None:
    """C-036 C-060"""
    hits = ask(library, key, "fox", search_type="hybrid", vectorizer="v", vector=[0, 1, 0], window=2)
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


def test_sort_by_a_number_or_date(library: SearchEngine, key: IndexKey) -> None:
    def order(field: str, descending: bool) -> list[str]:
        return [hit.id for hit in ask(library, key, sort=Sort(field, descending)).hits]

    assert order("metadata.year", False) == ["a", "b", "c", "d"]
    assert order("metadata.year", True) == ["c", "b", "a", "d"]
    assert order("createdDate", False) == ["c", "b", "a", "d"]


def test_an_upsert_replaces_everything_of_its_id(filled: SearchEngine, key: IndexKey) -> None:
    filled.bulk(key, [IndexDoc("a", "new words", facets={"label": ["thing"]})])
    assert found(ask(filled, key, "run")) == "c"
    assert found(ask(filled, key, "words")) == "a"
    assert counts(ask(filled, key, facets=[FacetSpec("label")])) == {"label": {"person": 1, "thing": 2}}
    assert found(ask(filled, key, "metadata.year:2001", simple=False)) == ""
    assert found(ask(filled, key, search_type="vector", vectorizer="v", vector=[1, 0, 0])) == "bc"
    assert filled.stats(key).items == 4


def test_a_patch_changes_the_named_fields_only(filled: SearchEngine, key: IndexKey) -> None:
    patch = Patch("a", {"label": ["thing"]}, {"metadata.year": 1999}, {"createdDate": NOW - DAY}, {"v": [0, 0, 1]})
    filled.patch(key, [patch, Patch("unknown", {"label": ["x"]})])
    assert found(ask(filled, key, "runners")) == "a"
    assert found(ask(filled, key, selections=parse_selections("label:thing"))) == "ad"
    assert found(ask(filled, key, selections=parse_selections("metadata.source:news"))) == "ac"
    assert found(ask(filled, key, "metadata.year:1999", simple=False)) == "a"
    assert found(ask(filled, key, "metadata.year:2001", simple=False)) == ""
    assert found(ask(filled, key, "terms:0", simple=False)) == "a"
    assert found(ask(filled, key, search_type="vector", vectorizer="v", vector=[0, 0, 1], window=1)) == "a"
    filled.patch(key, [Patch("a", {"label": []}, {"terms": ()}, vectors={"v": None})])
    assert found(ask(filled, key, selections=parse_selections("label:thing"))) == "d"
    assert found(ask(filled, key, "terms:*", simple=False)) == "b"
    assert found(ask(filled, key, search_type="vector", vectorizer="v", vector=[0, 0, 1])) == "bc"
    filled.patch(key, [Patch("b", {"label": ["x"]}, complete=True)])
    assert found(ask(filled, key, selections=parse_selections("label(bob):person"))) == ""
    assert found(ask(filled, key, "metadata.source:*", simple=False)) == "ac"
    assert found(ask(filled, key, search_type="vector", vectorizer="v", vector=[1, 0, 0])) == "bc"


def test_several_patches_of_one_item_in_one_call_end_with_the_last(filled: SearchEngine, key: IndexKey) -> None:
    filled.patch(
        key, [Patch("a", {"label": ["x"]}), Patch("a", {"label": ["y", "person"]}), Patch("a", {"label": ["x"]})]
    )
    assert counts(ask(filled, key, facets=[FacetSpec("label")])) == {"label": {"person": 1, "thing": 1, "x": 1}}
    filled.bulk(key, [IndexDoc("n", "new")], patches=[Patch("n", {"label": ["x"]}), Patch("n", {"label": ["z"]})])
    assert found(ask(filled, key, selections=parse_selections("label:x"))) == "a"
    assert found(ask(filled, key, selections=parse_selections("label:z"))) == "n"


def test_deletes_by_id_and_by_facet_value(filled: SearchEngine, key: IndexKey) -> None:
    filled.bulk(key, deletes=["a", "unknown"])
    assert found(ask(filled, key)) == "bcd"
    assert counts(ask(filled, key, facets=[FacetSpec("label")])) == {"label": {"person": 1, "thing": 1}}
    replaced = [IndexDoc("c2", "second run", facets={"metadata.source": ["news"]})]
    filled.bulk(key, replaced, delete_matching=[Selection("metadata.source", "news")])
    assert [hit.id for hit in ask(filled, key, "run").hits] == ["c2"]
    assert filled.stats(key).items == 3


def test_applied_seq_is_kept_and_never_lowered(filled: SearchEngine, key: IndexKey) -> None:
    assert filled.applied_seq(key) == 5
    filled.patch(key, [], applied_seq=9)
    assert filled.applied_seq(key) == 9
    filled.bulk(key, deletes=["a"], applied_seq=7)
    assert filled.applied_seq(key) == 9
    assert filled.applied_seq(IndexKey("project", "terms")) == 0


def test_an_index_nobody_wrote_to_is_empty(engine: SearchEngine, key: IndexKey) -> None:
    assert engine.search(key, SearchSpec(facets=[FacetSpec("label")])).total == 0
    assert list(engine.scan_ids(key, SearchSpec())) == []
    assert engine.terms(key, "label") == []
    assert engine.facet_names(key) == []
    assert engine.stats(key).items == 0
    assert engine.similar(key, "a", SearchSpec()).total == 0


def test_similar_by_words_and_by_vector(engine: SearchEngine, key: IndexKey) -> None:
    texts = {"x": "galaxy telescope of the night", "y": "telescope and galaxy study", "z": "cooking of the soup"}
    docs = [IndexDoc(name, text, vectors={"v": [1, n]}) for n, (name, text) in enumerate(texts.items())]
    engine.bulk(key, [*docs, *(IndexDoc(f"f{n}", "of the and") for n in range(30))])
    assert engine.similar(key, "x", SearchSpec()).hits[0].id == "y"
    assert "x" not in [hit.id for hit in engine.similar(key, "x", SearchSpec(size=100)).hits]
    assert engine.similar(key, "", SearchSpec(), text="Telescopes!").total == 2
    vector = SearchSpec(search_type="vector", vectorizer="v")
    assert [hit.id for hit in engine.similar(key, "z", vector).hits] == ["y", "x"]
    assert engine.similar(key, "nosuch", vector).total == 0


def test_terms_and_facet_names(library: SearchEngine, key: IndexKey) -> None:
    assert [bucket.key for bucket in library.terms(key, "label", "P")] == ["person", "place"]
    assert [bucket.key for bucket in library.terms(key, "label", limit=1)] == ["person"]
    names = ["classificationLabel", "inDataset", "label", "label(bob)", "metadata.source"]
    assert library.facet_names(key) == names


def test_a_generation_is_built_beside_and_switched(filled: SearchEngine, key: IndexKey) -> None:
    fresh = filled.begin_generation(key)
    filled.bulk(fresh, [IndexDoc("new", "brand new")], applied_seq=11)
    assert found(ask(filled, key)) == "abcd"
    assert [hit.id for hit in ask(filled, fresh, "brand").hits] == ["new"]
    filled.switch(fresh)
    assert [hit.id for hit in ask(filled, key).hits] == ["new"]
    assert filled.applied_seq(key) == 11
    filled.bulk(key, [IndexDoc("e", "x")])
    assert filled.stats(key).items == 2


def test_drop_forgets_one_kind_or_the_project(filled: SearchEngine, key: IndexKey) -> None:
    terms = IndexKey("project", "terms")
    filled.bulk(terms, [IndexDoc("t", "term")])
    filled.drop("project", "segments")
    assert (filled.stats(key).items, filled.stats(terms).items) == (0, 1)
    filled.bulk(key, DOCS[:1])
    assert counts(ask(filled, key, facets=[FacetSpec("label")])) == {"label": {"person": 1, "place": 1}}
    filled.drop("project")
    assert (filled.stats(key).items, filled.stats(terms).items) == (0, 0)


def test_projects_do_not_see_each_other(filled: SearchEngine, key: IndexKey) -> None:
    for project in ("other", "../project", "project/../x", "", "проект", "A" * 300):
        other = IndexKey(project, key.kind, "en")
        assert ask(filled, other).total == 0
        filled.bulk(other, [IndexDoc("only", "mine")])
        assert found(ask(filled, key)) == "abcd"


def test_segments_reuse_the_words_of_their_document(engine: SearchEngine, key: IndexKey) -> None:
    text = "First one. Second ÉCOLE here."
    tokens = analyser("en").tokens(text)
    parts = [
        IndexDoc(f"s{start}", text[start:end], tokens=tokens.part(start, end)) for start, end in ((0, 11), (11, 29))
    ]
    engine.bulk(key, parts)
    assert [hit.id for hit in ask(engine, key, "ecole").hits] == ["s11"]
    assert [hit.id for hit in ask(engine, key, "first").hits] == ["s0"]


def test_odd_input_does_no_harm(engine: SearchEngine, key: IndexKey) -> None:
    odd = "a\"b\x00\ud800 '); DROP TABLE doc;-- *"
    engine.bulk(key, [IndexDoc(odd, odd, odd, facets={odd: [odd, "", "v" * 5000]}, numbers={odd: float("nan")})])
    assert ask(engine, key, odd).total >= 0
    assert ask(engine, key, selections=[Selection(odd, "v" * 5000)]).total <= 1
    (name,) = engine.facet_names(key)
    assert ask(engine, key, selections=[Selection(name, "v" * 5000)]).total == 1
    assert ask(engine, key, selections=[Selection(name, "v" * 4999)]).total == 0
    assert engine.search(key, SearchSpec(query=Boolean())).total == 1
