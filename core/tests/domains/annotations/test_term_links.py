"""Terms of annotations, linked by hand: found by search, undone, counted."""

from __future__ import annotations

import pytest
from support.factories import Corpus, document
from support.vocabularies import add_lexicon

LINK = {"lexicon": "diseases", "identifier": "D1"}


@pytest.fixture
def annotated(corpus: Corpus) -> Corpus:
    """One document with an annotated word, and a lexicon."""
    corpus.add(document("a", "He has asthma.", ("asthma", "Disease")), document("b", "Nothing here."))
    add_lexicon(corpus)
    return corpus


def only(corpus: Corpus) -> dict[str, object]:
    (found,) = corpus.get("/documents/a")["annotations"]
    return dict(found)


def test_linking_changing_and_unlinking(annotated: Corpus) -> None:
    """The preferred form is completed; a term is stored once; history and undo know all of it."""
    path = f"/annotations/{only(annotated)['identifier']}"
    linked = annotated.patch(path, json={"terms": [LINK, LINK]})
    assert linked["terms"] == [LINK | {"preferredForm": "asthma"}]
    annotated.patch(path, json={"terms": [LINK | {"identifier": "D2"}]})
    assert [one["identifier"] for one in only(annotated)["terms"]] == ["D2"]  # type: ignore[attr-defined]
    annotated.patch(path, json={"terms": []})
    assert only(annotated)["terms"] == []
    annotated.post("/documents/a/_history/_undo")
    assert [one["identifier"] for one in only(annotated)["terms"]] == ["D2"]  # type: ignore[attr-defined]


def test_the_same_annotation_again_gets_the_terms(annotated: Corpus) -> None:
    """Creating an own annotation that exists changes its status; it changes its terms too."""
    body = annotated.annotate("a", "Disease", 0, 2)
    again = annotated.annotate("a", "Disease", 0, 2, terms=[LINK])
    assert (again["identifier"], again["terms"][0]["preferredForm"]) == (body["identifier"], "asthma")
    assert "terms" in annotated.annotate("a", "Disease", 0, 2), "without terms in the request they stay"


def test_hostile_terms_are_refused(annotated: Corpus) -> None:
    """No empty or endless identifier, no thousands of terms, no text that cannot be stored."""
    path = f"/annotations/{only(annotated)['identifier']}"
    for wrong in ("", " ", "x" * 600, "a\x00b"):
        annotated.patch(path, 400, json={"terms": [LINK | {"identifier": wrong}]})
    annotated.patch(path, 400, json={"terms": [LINK | {"identifier": str(one)} for one in range(1_001)]})
    annotated.annotate("a", "Disease", 0, 2, 400, terms=[LINK | {"identifier": str(one)} for one in range(1_001)])
    assert "terms" not in only(annotated)


def test_terms_are_a_facet_and_a_query_field(annotated: Corpus) -> None:
    """By identifier, by lexicon and identifier, and by preferred form, in documents and segments."""
    identifier = only(annotated)["identifier"]
    annotated.patch(f"/annotations/{identifier}", json={"terms": [LINK]})
    for kind in ("documents", "segments"):
        assert annotated.facet("term", kind) == {"diseases:D1": 1}
        assert annotated.facet("termIdentifier", kind) == {}, "hidden"
        for query in ('term:"diseases:D1"', "term:D1", "term:asthma", "term:*", "_exists_:term"):
            found = annotated.post(f"/{kind}/_search", params={"query": query})
            assert found["total"]["value"] == 1, (kind, query)
        found = annotated.post(f"/{kind}/_search", params={"selectedFacets": '+term:"diseases:D1"'})
        assert found["total"]["value"] == 1
    assert annotated.count_found(query="term:D2") == 0
    annotated.patch(f"/annotations/{identifier}", json={"status": "KO"})
    assert annotated.facet("term") == {}, "a rejected annotation"


def test_the_most_frequent_terms(annotated: Corpus) -> None:
    annotated.patch(f"/annotations/{only(annotated)['identifier']}", json={"terms": [LINK]})
    metrics = annotated.get("/termMetrics")
    assert (metrics["documents"], metrics["segments"]) == (1, 1)
    expected = LINK | {"preferredForm": "asthma", "documentCount": 1, "segmentCount": 1}
    assert metrics["terms"] == [expected]
    annotated.get("/termMetrics", 400, params={"size": 0})
