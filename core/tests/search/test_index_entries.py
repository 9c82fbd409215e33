"""What the index contains: facets of documents and segments, computed from plain states."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from annotarium.search.index_entries import (
    SegmentLabellingFinder,
    document_facets,
    facet_patches,
    metadata_facet_values,
    parse_segment_id,
    segment_id,
)
from annotarium.search.repository import IndexableDocument, LabellingItem, linked_terms


def state(**parts: object) -> IndexableDocument:
    common = {"id": 7, "identifier": "d7", "title": "T", "text": None, "metadata": {}, "split": None, "origin": None}
    return IndexableDocument(**(common | {"created_at": 1, "modified_at": 2, "created_by": "ann"} | parts))  # type: ignore[arg-type]


def span(start: int, end: int, label: str = "x", status: str | None = "OK", mode: str = "manual") -> LabellingItem:
    return LabellingItem(label, status, mode, "ann", 5, start, end)


def test_identifiers_of_segments() -> None:
    assert parse_segment_id(segment_id(12, 345)) == (12, 345)
    for wrong in ("", "12", "12-", "-3", "a-b", "1-2-3", "1--2"):
        assert parse_segment_id(wrong) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [("a", ["a"]), (["a", 1, [True]], ["a", "1", "true"]), (None, []), ("", []), (0, ["0"]), (False, ["false"])],
)
def test_values_of_metadata(value: object, expected: list[str]) -> None:
    assert metadata_facet_values(value) == expected


def test_rejected_and_undecided_labelling() -> None:
    """C-064: the dataset contains what users confirmed."""
    rejected = document_facets(state(annotations=[span(0, 3, status="KO")]))
    assert (rejected["label"], rejected["status"], rejected["inDataset"]) == ([], ["KO"], ["false"])
    guess = document_facets(state(annotations=[span(0, 3, status=None, mode="automatic")]))
    assert (guess["label"], guess["status"], guess["inDataset"]) == (["x"], ["undefined"], ["false"])
    imported = document_facets(state(annotations=[span(0, 3, status=None, mode="imported")]))
    assert (imported["inDataset"], imported["inDataset(ann)"], imported["label(ann)"]) == (["true"], ["true"], ["x"])


def test_sweep_finds_the_same_overlaps_as_pairwise_comparison() -> None:
    draw = random.Random(1)
    for _ in range(200):
        borders = sorted(draw.sample(range(60), 8))
        segments = list(pairwise(borders))
        spans = [span(start, start + draw.randint(1, 20)) for start in (draw.randrange(55) for _ in range(12))]
        labelling = SegmentLabellingFinder(state(annotations=spans), document_categories=True)
        for start, end, found, _ in labelling.sweep(segments):
            assert sorted(map(id, found)) == sorted(map(id, labelling.at(start, end)[0]))


def test_only_touched_segments_are_patched() -> None:
    segments = [(0, 10), (10, 20), (20, 30)]
    document, parts = facet_patches(state(segments=segments, annotations=[span(12, 14)]), [(12, 14)])
    assert [part.id for part in parts] == ["7-10"]
    assert (document.id, document.complete, parts[0].facets["label"]) == ("7", True, ["x"])
    assert len(facet_patches(state(segments=segments), None)[1]) == 3
    assert [part.id for part in facet_patches(state(segments=segments), [(5, 25)])[1]] == ["7-0", "7-10", "7-20"]


def test_terms_of_annotations() -> None:
    """By reference, identifier and preferred form; a term without a form is found by its identifier."""
    linked = span(0, 3)
    linked.terms = (("d", "D1", "asthma"), ("d", "D2", ""))
    facets = document_facets(state(annotations=[linked, span(4, 6)]))
    assert facets["term"] == ["d:D1", "d:D2"]
    assert facets["termIdentifier"] == ["D1", "D2"]
    assert facets["termForm"] == ["D2", "asthma"]
    linked.status = "KO"
    assert "term" not in document_facets(state(annotations=[linked]))


@pytest.mark.parametrize("wrong", [None, "", "[", "{}", [1], [{"lexicon": "d"}], [{"identifier": 5}]])
def test_invalid_terms_are_not_indexed(wrong: object) -> None:
    """A damaged row must not stop the indexing of its document."""
    assert linked_terms(wrong) == ()
