"""Segmentation: policies, ranges that must not be split, segmenters with invalid results."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.content.segmentation import Policy, segment_text, segments_of
from annotarium.content.validation import InvalidContent
from annotarium.importing.document_preparation import PrepareOptions, prepare_document
from annotarium_schemas.documents import Document

TEXT = "One. Two. Three."


def fixed_segmenter(*ranges: tuple[int, int]) -> Any:
    return lambda text, language: list(ranges)


def test_segments_crossed_by_an_annotation_are_merged() -> None:
    cut = fixed_segmenter((0, 4), (5, 9), (10, 16))
    assert segment_text(TEXT, "en", cut) == [(0, 4), (5, 9), (10, 16)]
    assert segment_text(TEXT, "en", cut, [(3, 6)]) == [(0, 9), (10, 16)]
    assert segment_text(TEXT, "en", cut, [(5, 9), (0, 4), (1, 2)]) == [(0, 4), (5, 9), (10, 16)], (
        "inside or exactly on one"
    )
    assert segment_text(TEXT, "en", cut, [(4, 6)]) == [(0, 4), (4, 9), (10, 16)], "a border moves to its start"
    assert segment_text(TEXT, "en", cut, [(0, 16)]) == [(0, 16)]
    assert segment_text(TEXT, "en", cut, [(4, 5)]) == [(0, 4), (5, 9), (10, 16)], (
        "what lies between segments cuts nothing"
    )


_RANGES = st.lists(st.integers(0, 200), unique=True, max_size=40).map(
    lambda marks: [(a, b) for a, b in zip(sorted(marks)[::2], sorted(marks)[1::2], strict=False)]
)
_SPANS = st.lists(
    st.tuples(st.integers(0, 199), st.integers(1, 60)).map(lambda s: (s[0], min(200, sum(s)))), max_size=20
)


@given(_RANGES, _SPANS)
def test_no_segment_border_splits_an_annotation(ranges: list[tuple[int, int]], spans: list[tuple[int, int]]) -> None:
    """For all segments and annotations: segments ascend and are disjoint, cover the computed ranges, and split no
    annotation.
    """
    text = "x" * 200
    found = segment_text(text, "en", fixed_segmenter(*ranges), spans)
    assert found == sorted(found)
    assert all(one[1] <= two[0] for one, two in pairwise(found))
    for start, end in ranges:
        assert any(left <= start and end <= right for left, right in found)
    for start, end in spans:
        touched = [one for one in found if one[0] < end and start < one[1]]
        assert not touched or (len(touched) == 1 and touched[0][0] <= start and end <= touched[0][1])


@pytest.mark.parametrize("wrong", [[(3, 3)], [(5, 4)], [(0, 5), (4, 9)], [(10, 17)], [(-1, 4)], [(5, 9), (0, 4)]])
def test_invalid_ranges_of_a_segmenter_are_refused(wrong: list[tuple[int, int]]) -> None:
    with pytest.raises(InvalidContent, match="The segmenter returned"):
        segment_text(TEXT, "en", fixed_segmenter(*wrong))


def test_a_text_without_segments_becomes_one_segment() -> None:
    assert segment_text(TEXT, "en", fixed_segmenter()) == [(0, 16)]


def _document(**more: Any) -> Document:
    sentences = [{"start": 0, "end": 4, "metadata": {"n": 1}}, {"start": 5, "end": 16, "metadata": {"n": 2}}]
    return Document.model_validate({"identifier": "d", "title": "", "text": TEXT, "sentences": sentences} | more)


@pytest.mark.parametrize(
    ("policy", "expected", "lost"),
    [
        ("compute_if_missing", [(0, 4, {"n": 1}), (5, 16, {"n": 2})], 0),
        ("no_segmentation", [(0, 4, {"n": 1}), (5, 16, {"n": 2})], 0),
        ("always_recompute", [(0, 4, {"n": 1}), (5, 9, None), (10, 16, None)], 1),
        ("documents_as_segments", [(0, 16, None)], 2),
    ],
)
def test_metadata_of_given_sentences_is_stored_or_reported(policy: Policy, expected: Any, lost: int) -> None:
    """C-059: each policy with imported sentences; metadata that cannot be kept is reported."""
    cut = fixed_segmenter((0, 4), (5, 9), (10, 16))
    assert segments_of(_document(), policy, cut, "en") == expected
    prepared = prepare_document(_document(), options=PrepareOptions(policy=policy), segment=cut)
    assert prepared.notes == (
        [f"Metadata of {lost} sentence{'s' * (lost > 1)} was left out, because the text was segmented differently"]
        if lost
        else []
    )


def test_rejected_annotations_merge_no_segments() -> None:
    cut = fixed_segmenter((0, 4), (5, 9), (10, 16))
    span = {"start": 3, "end": 6, "text": ". T", "labelName": "x"}
    for status, expected in ((None, 2), ("OK", 2), ("KO", 3)):
        document = _document(sentences=None, annotations=[span | ({"status": status} if status else {})])
        assert len(segments_of(document, "compute_if_missing", cut, "en")) == expected
        assert len(segments_of(document, "compute_if_missing", cut, "en", annotations_whole=False)) == 3
