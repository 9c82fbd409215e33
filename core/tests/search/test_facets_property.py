"""Totals and facet counts against counting by hand, over random corpora, changes and selections."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.query import parse_simple
from annotarium.search.selection import Selection
from annotarium.search.spec import FacetSpec, IndexDoc, IndexKey, Patch, SearchSpec

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
    Selection, st.sampled_from(["f", "g"]), st.sampled_from(["x", "y", "z"]), st.sampled_from(["", "+", "-"])
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
        engine.patch(KEY, [Patch(name, {"f": values}) for name, values in what.items()])
    else:
        for name in [name for name, item in model.items() if what in item[1]]:
            del model[name]
        engine.bulk(KEY, delete_matching=[Selection("f", str(what))])


def expected(model: Model, word: str, selections: list[Selection], invert: bool, skip: str = "") -> set[str]:
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
def test_counts_equal_counting_by_hand(
    steps: list[tuple[str, object]], searches: list[tuple[str, list[Selection], bool]]
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
