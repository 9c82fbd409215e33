"""Fragments of an annotation, tested alone: validation, and what an edit or an import leaves of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotarium.content.labelling.fragments import (
    drop_invalid_fragments,
    fit_fragments,
    fragment_texts,
    fragments_error,
    fragments_to_json,
    merge_fragments,
    move_annotation_after_text_edit,
)
from annotarium_schemas.documents import Annotation


def span(start: int, end: int, *pieces: tuple[int, int], **more: Any) -> Annotation:
    fragments = {"fragments": [list(one) for one in pieces]} if pieces else {}
    return Annotation.model_validate({"start": start, "end": end, "labelName": "x"} | fragments | more)


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ([[0, 3], [5, 9]], None),
        ([[0, 1], [2, 3], [4, 9]], None),
        ([], "at least two"),
        ([[0, 9]], "at least two"),
        ([[0, 3], [5, 5], [6, 9]], "before it begins"),
        ([[0, 3], [7, 6], [8, 9]], "before it begins"),
        ([[0, 3], [3, 9]], "with gaps"),
        ([[0, 4], [3, 9]], "with gaps"),
        ([[5, 9], [0, 3]], "with gaps"),
        ([[1, 3], [5, 9]], "begin at start"),
        ([[0, 3], [5, 8]], "begin at start"),
        ([[1, 3], [5, 10]], "begin at start"),
    ],
)
def test_invalid_fragments_are_explained(pieces: list[list[int]], words: str | None) -> None:
    """For an annotation from 0 to 9: at least two, none empty, ascending, disjoint, and spanning the annotation."""
    fault = fragments_error(pieces, 0, 9)
    assert (fault is None) is (words is None)
    assert words is None or words in str(fault)


def test_overlapping_or_touching_fragments_are_merged() -> None:
    assert merge_fragments([]) == []
    assert merge_fragments([(5, 9), (0, 3)]) == [[0, 3], [5, 9]]
    assert merge_fragments([(0, 3), (3, 5)]) == [[0, 5]]
    assert merge_fragments([(0, 9), (2, 4), (8, 10)]) == [[0, 10]]
    assert merge_fragments([(0, 2), (3, 4)]) == [[0, 2], [3, 4]]
    assert merge_fragments([(4, 4), (7, 6), (0, 2)]) == [[0, 2]]
    assert merge_fragments([(0, 2, 99), (0, 1)]) == [[0, 2]]


@pytest.mark.parametrize(
    ("start", "end", "left"),
    [
        (0, 20, [[0, 4], [8, 12], [16, 20]]),
        (0, 12, [[0, 4], [8, 12]]),
        (0, 14, [[0, 4], [8, 14]]),
        (6, 20, [[6, 12], [16, 20]]),
        (2, 9, [[2, 4], [8, 9]]),
        (0, 8, None),
        (0, 9, [[0, 4], [8, 9]]),
        (4, 16, None),
        (13, 15, None),
    ],
)
def test_resizing_keeps_the_fragments_within_the_new_bounds(start: int, end: int, left: list[list[int]] | None) -> None:
    """The outermost fragments follow the new bounds; an annotation left with one fragment has none."""
    assert fit_fragments([[0, 4], [8, 12], [16, 20]], start, end) == left


def test_invalid_imported_fragments_are_dropped_and_reported() -> None:
    good, whole = span(0, 9, (0, 3), (5, 9)), span(0, 9)
    wrong = [span(4, 9, (0, 3), (5, 9), label="Words"), span(0, 9, (0, 9), labelName=None, label="Words")]
    by_id = span(0, 9, (0, 9), labelName=None, labelId="l7")
    notes = drop_invalid_fragments([wrong[0], good, whole, wrong[1], by_id])
    assert [(one.fragments, one.start, one.end) for one in (*wrong, by_id)] == [
        (None, 4, 9),
        (None, 0, 9),
        (None, 0, 9),
    ]
    assert good.fragments is not None and [tuple(one) for one in good.fragments] == [(0, 3), (5, 9)]
    assert [str(note).split(" was taken")[0] for note in notes] == [
        "The annotation x at 4-9",
        "The annotation Words at 0-9",
        "The annotation l7 at 0-9",
    ]
    assert "begin at start" in str(notes[0]) and "at least two" in str(notes[1])
    assert "taken" in str(drop_invalid_fragments([span(0, 9, (0, 9), labelName=None)])[0])


@pytest.mark.parametrize(
    ("moved", "start", "end", "pieces"),
    [
        (lambda place: place, 2, 12, [(2, 4), (6, 8), (10, 12)]),
        (lambda place: place + 5, 7, 17, [(7, 9), (11, 13), (15, 17)]),
        (lambda place: place if place < 5 else place - 2, 2, 10, [(2, 6), (8, 10)]),
        (lambda place: min(place, 4), 2, 4, None),
        (lambda place: max(place - 6, 0), 0, 6, [(0, 2), (4, 6)]),
        (lambda place: 0 if place <= 4 else place - 4, 2, 8, [(2, 4), (6, 8)]),
        (lambda _: 3, 3, 3, None),
    ],
    ids=["nothing", "shifted", "a gap closed", "cut to one", "the first gone", "the hull follows", "all gone"],
)
def test_an_annotation_follows_an_edit_of_its_text(
    moved: Callable[[int], int], start: int, end: int, pieces: list[tuple[int, int]] | None
) -> None:
    one = span(2, 12, (2, 4), (6, 8), (10, 12))
    move_annotation_after_text_edit(one, moved)
    assert (one.start, one.end, one.fragments) == (start, end, pieces)


def test_an_annotation_without_fragments_keeps_none() -> None:
    one = span(2, 12)
    move_annotation_after_text_edit(one, lambda place: place * 2)
    assert (one.start, one.end, one.fragments) == (4, 24, None)


def test_fragment_texts_are_relative_to_the_start_of_the_text() -> None:
    assert fragment_texts("abcdef", [[0, 2], [4, 6]]) == ["ab", "ef"]
    assert fragment_texts("cdef", [[2, 3], [5, 6]], 2) == ["c", "f"]
    assert fragments_to_json([[2, 3], [5, 6]], "cdef", 2) == {
        "fragments": [[2, 3], [5, 6]],
        "fragmentsText": ["c", "f"],
    }
    for nothing in (None, []):
        assert fragments_to_json(nothing, "cdef", 2) == {}


@pytest.mark.parametrize("damaged", [[[1, 2], 5], [[1, 2, 3]], ["ab"], 7, [[None, "x"]]])
def test_damaged_fragments_are_left_out(damaged: Any) -> None:
    assert fragments_to_json(damaged, "abcdef", 0) == {}
