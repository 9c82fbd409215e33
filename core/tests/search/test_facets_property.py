"""Totals and facet counts equal those of a plain model, over random corpora, changes and selections."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.facet_values import detect_value_kind
from annotarium.search.index_and_search_types import FacetSpec, IndexDoc, IndexKey, IndexPatch, SearchSpec
from annotarium.search.params import SearchParams
from annotarium.search.query import parse_simple
from annotarium.search.search_spec_builder import build_search_spec

EVERYTHING = Access(1, "ann", permissions=frozenset({"readFacet:*", "readUserAnnot:*", "readModeAnnot:all"}))
KEY = IndexKey("p", "documents")
WORDS = st.sampled_from(["ape", "bee", "cat"])
VALUES = st.lists(st.sampled_from(["x", "y", "z"]), max_size=3, unique=True)
ITEM = st.tuples(st.lists(WORDS, max_size=3), VALUES, VALUES)
IDS = st.sampled_from([f"id{n}" for n in range(8)])
STEP = st.one_of(
    st.tuples(st.just("upsert"), st.dictionaries(IDS, ITEM, max_size=5)),
    st.tuples(st.just("delete"), st.lists(IDS, max_size=2)),
    st.tuples(st.just("patch"), st.dictionaries(IDS, VALUES, max_size=3)),
    st.tuples(st.just("purge"), st.sampled_from(["x", "y"])),
)
SELECTION = st.builds(
    FacetSelection, st.sampled_from(["f", "g"]), st.sampled_from(["x", "y", "z"]), st.sampled_from(["", "+", "-"])
)
Model = dict[str, tuple[list[str], list[str], list[str]]]


def apply(engine: EmbeddedEngine, model: Model, step: tuple[str, object]) -> None:
    kind, what = step
    if kind == "upsert":
        assert isinstance(what, dict)
        model.update(what)
        engine.bulk(KEY, [IndexDoc(i, " ".join(t), facets={"f": f, "g": g}) for i, (t, f, g) in what.items()])
    elif kind == "delete":
        assert isinstance(what, list)
        for name in what:
            model.pop(name, None)
        engine.bulk(KEY, deletes=what)
    elif kind == "patch":
        assert isinstance(what, dict)
        for name, values in what.items():
            if name in model:
                model[name] = (model[name][0], values, model[name][2])
        engine.patch(KEY, [IndexPatch(name, {"f": values}) for name, values in what.items()])
    else:
        for name in [name for name, item in model.items() if what in item[1]]:
            del model[name]
        engine.bulk(KEY, delete_matching=[FacetSelection("f", str(what))])


def expected(model: Model, word: str, selections: list[FacetSelection], invert: bool, skip: str = "") -> set[str]:
    found = set()
    for name, (words, *facets) in model.items():
        values = dict(zip("fg", facets, strict=True))
        fits = not word or word in words
        for facet in "fg":
            mine = [selection for selection in selections if selection.facet == facet]
            bare = [selection.value for selection in mine if not selection.selector]
            fits &= all(s.value in values[facet] for s in mine if s.selector == "+")
            fits &= all(s.value not in values[facet] for s in mine if s.selector == "-")
            fits &= not bare or facet == skip or any(value in values[facet] for value in bare)
        if fits != invert:
            found.add(name)
    return found


@settings(max_examples=100, deadline=None)
@given(
    st.lists(STEP, max_size=6),
    st.lists(st.tuples(st.one_of(st.just(""), WORDS), st.lists(SELECTION, max_size=3), st.booleans()), max_size=4),
)
def test_totals_and_facet_counts_equal_those_of_the_model(
    steps: list[tuple[str, object]], searches: list[tuple[str, list[FacetSelection], bool]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        engine, model = EmbeddedEngine(Path(folder)), Model()
        for step in steps:
            apply(engine, model, step)
            for word, selections, invert in searches:
                spec = SearchSpec(
                    query=parse_simple(word),
                    selections=selections,
                    invert=invert,
                    facets=[FacetSpec("f"), FacetSpec("g")],
                    size=100,
                )
                hits = engine.search(KEY, spec)
                assert {hit.id for hit in hits.hits} == expected(model, word, selections, invert)
                assert hits.total == len(hits.hits)
                counted = {facet.name: {b.key: b.doc_count for b in facet.buckets} for facet in hits.facets}
                for place, facet in enumerate("fg", start=1):
                    matched = expected(model, word, selections, invert, skip=facet)
                    counts = Counter(value for name in matched for value in model[name][place])
                    assert counted.get(facet, {}) == counts
        engine.close()


# --- ranges, text filters, searched values, histograms ----------------------------------------------------------------

YEARS = st.lists(st.sampled_from(["1998", "2004", "2011.5", "2020-05-31", "unknown"]), max_size=2, unique=True)
PIECE = st.tuples(st.lists(WORDS, max_size=3), VALUES, YEARS)
FILTER = st.one_of(
    st.tuples(st.just("word"), WORDS, st.booleans()),
    st.tuples(st.just("value"), st.sampled_from(["x", "y", "z"]), st.booleans()),
    st.tuples(st.just("range"), st.sampled_from([("1998", "2004"), ("2000", "*"), ("*", "2020-12-31")]), st.booleans()),
)
MOMENTS = {"1998": "1998-01-01", "2004": "2004-01-01", "2020-05-31": "2020-05-31"}


def year_is_in_range(value: str, low: str, high: str) -> bool:
    """The model of a range: compares numbers with numbers, and dates (years too) with dates."""
    if value == "unknown":
        return False
    if "-" in high:  # an end that is not a number
        return value in MOMENTS and MOMENTS[value] <= high
    if "-" in value:
        return (low == "*" or value[:4] >= low) and (high == "*" or value[:4] <= high)
    return (low == "*" or float(value) >= float(low)) and (high == "*" or float(value) <= float(high))


def passes(piece: tuple[list[str], list[str], list[str]], chosen: list[tuple[str, object, bool]]) -> bool:
    words, values, years = piece
    for kind, what, must in chosen:
        if kind == "word":
            fits = what in words
        elif kind == "value":
            fits = what in values
        else:
            low, high = what  # type: ignore[misc]
            fits = any(year_is_in_range(year, low, high) for year in years)
        if fits != must:
            return False
    return True


def written(kind: str, what: object) -> tuple[str, str]:
    if kind == "word":
        return "text", str(what)
    return ("g", str(what)) if kind == "value" else ("metadata.year", "[{} TO {}]".format(*what))  # type: ignore[misc]


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(IDS, PIECE, max_size=8),
    st.lists(FILTER, max_size=3),
    st.booleans(),
    st.integers(0, 3),
    st.sampled_from(["", "X", "y"]),
)
def test_filters_and_their_counts_equal_those_of_the_model(
    pieces: Model, chosen: list[tuple[str, object, bool]], invert: bool, size: int, find: str
) -> None:
    """C-067; W-015: the values shown and the count of the rest add up to the total."""
    with tempfile.TemporaryDirectory() as folder:
        engine = EmbeddedEngine(Path(folder))
        docs = [IndexDoc(i, " ".join(t), facets={"g": g, "metadata.year": y}) for i, (t, g, y) in pieces.items()]
        engine.bulk(KEY, docs)
        params = SearchParams(
            filters=[(*written(kind, what), must, True) for kind, what, must in chosen], invert=invert
        )
        spec = build_search_spec(params, "segments", EVERYTHING, Project(name="p", lang="en"), [])
        facets = [FacetSpec("g"), FacetSpec("g", size=size, find=find), FacetSpec("metadata.year", "histogram")]
        hits = engine.search(KEY, replace(spec, facets=facets, size=100))
        matched = {name for name, piece in pieces.items() if passes(piece, chosen) != invert}
        assert {hit.id for hit in hits.hits} == matched
        assert hits.total == len(matched)
        counts = Counter(value for name in matched for value in pieces[name][1])
        found = {facet.name: facet for facet in hits.facets[:1] if facet.name == "g"}
        assert {b.key: b.doc_count for f in found.values() for b in f.buckets} == counts
        for facet in [facet for facet in hits.facets if facet.name == "g"][1:]:
            kept = Counter({value: count for value, count in counts.items() if find.lower() in value})
            assert len(facet.buckets) <= size
            assert sum(b.doc_count for b in facet.buckets) + facet.sum_other_doc_count == kept.total()
        years = Counter(value for name in matched for value in pieces[name][2])
        drawn = [facet for facet in hits.facets if facet.bars_of]
        assert sum(b.doc_count for facet in drawn for b in facet.buckets) in (0, years.total())
        assert bool(drawn) == (detect_value_kind(list(years)) is not None)
        engine.close()
