"""The writes that every search engine must store correctly, whichever implementation is used: upserts, patches,
deletes, generations.
"""

from __future__ import annotations

from support.search_items import DAY, ITEMS, NOW, facet_counts, identifiers_of, search

from annotarium.search.engine import SearchEngine
from annotarium.search.facet_selections import FacetSelection, parse_selections
from annotarium.search.index_and_search_types import FacetSpec, IndexDoc, IndexKey, IndexPatch, SearchSpec
from annotarium.search.query import Boolean
from annotarium.search.text_analysis import get_analyser


def test_an_upsert_replaces_the_whole_item(filled: SearchEngine, key: IndexKey) -> None:
    filled.bulk(key, [IndexDoc("a", "new words", facets={"label": ["thing"]})])
    assert identifiers_of(search(filled, key, "run")) == "c"
    assert identifiers_of(search(filled, key, "words")) == "a"
    assert facet_counts(search(filled, key, facets=[FacetSpec("label")])) == {"label": {"person": 1, "thing": 2}}
    assert identifiers_of(search(filled, key, "metadata.year:2001", simple=False)) == ""
    assert identifiers_of(search(filled, key, search_type="vector", vectorizer="v", vector=[1, 0, 0])) == "bc"
    assert filled.stats(key).items == 4


def test_a_patch_changes_only_the_named_fields(filled: SearchEngine, key: IndexKey) -> None:
    patch = IndexPatch("a", {"label": ["thing"]}, {"metadata.year": 1999}, {"createdDate": NOW - DAY}, {"v": [0, 0, 1]})
    filled.patch(key, [patch, IndexPatch("unknown", {"label": ["x"]})])
    assert identifiers_of(search(filled, key, "runners")) == "a"
    assert identifiers_of(search(filled, key, selections=parse_selections("label:thing"))) == "ad"
    assert identifiers_of(search(filled, key, selections=parse_selections("metadata.source:news"))) == "ac"
    assert identifiers_of(search(filled, key, "metadata.year:1999", simple=False)) == "a"
    assert identifiers_of(search(filled, key, "metadata.year:2001", simple=False)) == ""
    assert identifiers_of(search(filled, key, "terms:0", simple=False)) == "a"
    assert identifiers_of(search(filled, key, search_type="vector", vectorizer="v", vector=[0, 0, 1], window=1)) == "a"
    filled.patch(key, [IndexPatch("a", {"label": []}, {"terms": ()}, vectors={"v": None})])
    assert identifiers_of(search(filled, key, selections=parse_selections("label:thing"))) == "d"
    assert identifiers_of(search(filled, key, "terms:*", simple=False)) == "b"
    assert identifiers_of(search(filled, key, search_type="vector", vectorizer="v", vector=[0, 0, 1])) == "bc"
    filled.patch(key, [IndexPatch("b", {"label": ["x"]}, complete=True)])
    assert identifiers_of(search(filled, key, selections=parse_selections("label(bob):person"))) == ""
    assert identifiers_of(search(filled, key, "metadata.source:*", simple=False)) == "ac"
    assert identifiers_of(search(filled, key, search_type="vector", vectorizer="v", vector=[1, 0, 0])) == "bc"


def test_the_last_of_several_patches_of_one_item_wins(filled: SearchEngine, key: IndexKey) -> None:
    filled.patch(
        key,
        [
            IndexPatch("a", {"label": ["x"]}),
            IndexPatch("a", {"label": ["y", "person"]}),
            IndexPatch("a", {"label": ["x"]}),
        ],
    )
    assert facet_counts(search(filled, key, facets=[FacetSpec("label")])) == {
        "label": {"person": 1, "thing": 1, "x": 1}
    }
    filled.bulk(
        key, [IndexDoc("n", "new")], patches=[IndexPatch("n", {"label": ["x"]}), IndexPatch("n", {"label": ["z"]})]
    )
    assert identifiers_of(search(filled, key, selections=parse_selections("label:x"))) == "a"
    assert identifiers_of(search(filled, key, selections=parse_selections("label:z"))) == "n"


def test_deletes_by_id_and_by_facet_value(filled: SearchEngine, key: IndexKey) -> None:
    filled.bulk(key, deletes=["a", "unknown"])
    assert identifiers_of(search(filled, key)) == "bcd"
    assert facet_counts(search(filled, key, facets=[FacetSpec("label")])) == {"label": {"person": 1, "thing": 1}}
    replaced = [IndexDoc("c2", "second run", facets={"metadata.source": ["news"]})]
    filled.bulk(key, replaced, delete_matching=[FacetSelection("metadata.source", "news")])
    assert [hit.id for hit in search(filled, key, "run").hits] == ["c2"]
    assert filled.stats(key).items == 3


def test_applied_seq_is_stored_and_never_lowered(filled: SearchEngine, key: IndexKey) -> None:
    assert filled.applied_seq(key) == 5
    filled.patch(key, [], applied_seq=9)
    assert filled.applied_seq(key) == 9
    filled.bulk(key, deletes=["a"], applied_seq=7)
    assert filled.applied_seq(key) == 9
    assert filled.applied_seq(IndexKey("project", "terms")) == 0


def test_a_new_index_is_empty(engine: SearchEngine, key: IndexKey) -> None:
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


def test_a_new_generation_is_built_and_switched_to(filled: SearchEngine, key: IndexKey) -> None:
    fresh = filled.begin_generation(key)
    filled.bulk(fresh, [IndexDoc("new", "brand new")], applied_seq=11)
    assert identifiers_of(search(filled, key)) == "abcd"
    assert [hit.id for hit in search(filled, fresh, "brand").hits] == ["new"]
    filled.switch(fresh)
    assert [hit.id for hit in search(filled, key).hits] == ["new"]
    assert filled.applied_seq(key) == 11
    filled.bulk(key, [IndexDoc("e", "x")])
    assert filled.stats(key).items == 2


def test_drop_deletes_one_kind_or_the_whole_project(filled: SearchEngine, key: IndexKey) -> None:
    terms = IndexKey("project", "terms")
    filled.bulk(terms, [IndexDoc("t", "term")])
    filled.drop("project", "segments")
    assert (filled.stats(key).items, filled.stats(terms).items) == (0, 1)
    filled.bulk(key, ITEMS[:1])
    assert facet_counts(search(filled, key, facets=[FacetSpec("label")])) == {"label": {"person": 1, "place": 1}}
    filled.drop("project")
    assert (filled.stats(key).items, filled.stats(terms).items) == (0, 0)


def test_projects_are_isolated_from_each_other(filled: SearchEngine, key: IndexKey) -> None:
    for project in ("other", "../project", "project/../x", "", "проект", "A" * 300):
        other = IndexKey(project, key.kind, "en")
        assert search(filled, other).total == 0
        filled.bulk(other, [IndexDoc("only", "mine")])
        assert identifiers_of(search(filled, key)) == "abcd"


def test_segments_reuse_the_words_of_their_document(engine: SearchEngine, key: IndexKey) -> None:
    text = "First one. Second ÉCOLE here."
    tokens = get_analyser("en").tokens(text)
    parts = [
        IndexDoc(f"s{start}", text[start:end], tokens=tokens.part(start, end)) for start, end in ((0, 11), (11, 29))
    ]
    engine.bulk(key, parts)
    assert [hit.id for hit in search(engine, key, "ecole").hits] == ["s11"]
    assert [hit.id for hit in search(engine, key, "first").hits] == ["s0"]


def test_unusual_input_is_accepted(engine: SearchEngine, key: IndexKey) -> None:
    odd = "a\"b\x00\ud800 '); DROP TABLE doc;-- *"
    engine.bulk(key, [IndexDoc(odd, odd, odd, facets={odd: [odd, "", "v" * 5000]}, numbers={odd: float("nan")})])
    assert search(engine, key, odd).total >= 0
    assert search(engine, key, selections=[FacetSelection(odd, "v" * 5000)]).total <= 1
    (name,) = engine.facet_names(key)
    assert search(engine, key, selections=[FacetSelection(name, "v" * 5000)]).total == 1
    assert search(engine, key, selections=[FacetSelection(name, "v" * 4999)]).total == 0
    assert engine.search(key, SearchSpec(query=Boolean())).total == 1
