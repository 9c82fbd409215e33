"""Terms of an annotation: taken away one by one, with history, and brought back."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

GATE: dict[str, Any] = {"identifier": "gate", "lexicon": "places", "preferredForm": "Ellery Gate"}
PARIS: dict[str, Any] = {
    "identifier": "t1",
    "lexicon": "wikidata",
    "properties": {"wikidataId": "Q90", "x": {"y": [1]}},
}


@pytest.fixture
def annotated(corpus: Corpus) -> Corpus:
    corpus.add(document("a", "Ada saw the 😀 gate."))
    corpus.post("/labels", json={"name": "place", "label": "Place"})
    corpus.annotate("a", "place", 8, 18, terms=[GATE, PARIS])
    return corpus


def only(corpus: Corpus) -> dict[str, Any]:
    (one,) = corpus.get("/documents/a")["annotations"]
    found: dict[str, Any] = one
    return found


def test_a_term_is_taken_away_and_undo_brings_it_back(annotated: Corpus) -> None:
    """W-021: the card deletes its term; other changes leave terms alone; undo is exact."""
    before = only(annotated)
    assert before["terms"] == [GATE, PARIS]
    path = f"/annotations/{before['identifier']}"
    changed = annotated.patch(path, json={"terms": [PARIS]}, headers={"If-Match": f'"{before["version"]}"'})
    assert changed["terms"] == [PARIS]
    assert only(annotated)["terms"] == [PARIS]
    annotated.patch(path, json={"status": "KO"})
    assert only(annotated)["terms"] == [PARIS]
    annotated.patch(path, json={"terms": []})
    assert only(annotated)["terms"] == []
    for expected in ([PARIS], [PARIS], [GATE, PARIS]):
        assert annotated.post("/documents/a/_history/_undo")
        assert only(annotated)["terms"] == expected


def test_a_term_needs_an_identifier_and_a_current_version(annotated: Corpus) -> None:
    path = f"/annotations/{only(annotated)['identifier']}"
    annotated.patch(path, 400, json={"terms": [{"lexicon": "places"}]})
    annotated.patch(path, 412, json={"terms": []}, headers={"If-Match": '"99"'})
    assert only(annotated)["terms"] == [GATE, PARIS]
