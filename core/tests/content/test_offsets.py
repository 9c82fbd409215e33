"""Offsets counted in another unit, and quoted texts found elsewhere: what is moved, how far, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from annotarium.content.offsets import correct_offsets
from annotarium.content.validation import InvalidContent
from annotarium_schemas.documents import Annotation, Category, Document, Sentence

FACE = "\U0001f600"


def document_with(text: str, *annotations: Annotation, **more: Any) -> Document:
    return Document(identifier="d", text=text, annotations=list(annotations), **more)


def span(start: int, end: int, text: str = "", **more: Any) -> Annotation:
    return Annotation(start=start, end=end, text=text, label_name="x", **more)


def test_all_offsets_of_a_document_are_converted_from_the_unit_of_its_quoted_texts() -> None:
    """Spans without a quoted text, sentences, categories of a segment and the fragments of a span use the same unit."""
    text = f"{FACE}{FACE} Anna met Karl."
    whole = document_with(
        text,
        span(5, 9, "Anna", fragments=[(5, 6), (7, 9)]),
        span(14, 18),
        sentences=[Sentence(start=0, end=19)],
        categories=[Category(label_name="c", start=5, end=9), Category(label_name="d")],
    )
    (note,) = correct_offsets(whole)
    assert [(one.start, one.end, one.text) for one in whole.annotations] == [(3, 7, "Anna"), (12, 16, "Karl")]
    assert whole.annotations[0].fragments == [(3, 4), (5, 7)]
    assert [(one.start, one.end) for one in whole.sentences or ()] == [(0, 17)]
    assert [(one.start, one.end) for one in whole.categories] == [(3, 7), (None, None)]
    assert "4 offsets" in note and "UTF-16" in note, "the sentence begins where it began, but ends elsewhere"


def test_only_changed_offsets_are_counted() -> None:
    document = document_with(f"Anna {FACE} Karl", span(0, 4, "Anna"), span(8, 12, "Karl"))
    (note,) = correct_offsets(document)
    assert "1 offset " in note
    assert [(one.start, one.end) for one in document.annotations] == [(0, 4), (7, 11)]


@pytest.mark.parametrize(
    ("text", "start", "end", "place"),
    [("a\r\nb\r\nAnna", 4, 8, 6), ("a\nb\nAnna", 6, 10, 4)],
    ids=["line ends counted as one", "line ends counted as two"],
)
def test_offsets_with_line_ends_counted_in_another_way_are_converted(
    text: str, start: int, end: int, place: int
) -> None:
    document = document_with(text, span(start, end, "Anna", fragments=[(start, start + 1), (start + 2, end)]))
    (note,) = correct_offsets(document)
    assert "line end" in note, "the unit was found, not just the nearest place"
    (found,) = document.annotations
    assert (found.start, found.end) == (place, place + 4)
    assert found.fragments == [(place, place + 1), (place + 2, place + 4)]


def test_fragments_move_with_a_span_located_by_its_text() -> None:
    """In either direction."""
    for start in (0, 9):
        document = document_with(
            "see Anna.    ", span(start, start + 4, "Anna", fragments=[(start, start + 1), (start + 2, start + 4)])
        )
        (note,) = correct_offsets(document)
        (found,) = document.annotations
        assert (found.start, found.end, found.fragments) == (4, 8, [(4, 5), (6, 8)])
        assert f"{start}-{start + 4}" in note and "4-8" in note


@pytest.mark.parametrize(
    ("start", "place"), [(0, 0), (4, 0), (5, 0), (6, 10), (9, 10), (11, 10), (15, 10), (16, 20), (40, 20), (-3, 0)]
)
def test_the_nearest_occurrence_is_used_and_the_earlier_of_two(start: int, place: int) -> None:
    document = document_with("Anna......Anna......Anna", span(start, start + 4, "Anna"))
    correct_offsets(document)
    assert document.annotations[0].start == place


def test_correct_offsets_are_unchanged_and_a_missing_text_is_filled_in() -> None:
    document = document_with("Anna met Karl. Karl", span(15, 19, "Karl"), span(0, 4))
    assert correct_offsets(document) == []
    assert [(one.start, one.text) for one in document.annotations] == [(15, "Karl"), (0, "Anna")]


def test_only_the_span_that_does_not_fit_is_moved() -> None:
    document = document_with("Anna Karl Anna", span(0, 4, "Anna"), span(6, 10, "Karl"))
    assert len(correct_offsets(document)) == 1
    assert [(one.start, one.end) for one in document.annotations] == [(0, 4), (5, 9)]


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (0, 0), (3, 2), (0, 5), (4, 5)])
def test_ranges_outside_the_text_are_refused(start: int, end: int) -> None:
    for document in (
        document_with("Anna", span(start, end)),
        document_with("Anna", sentences=[Sentence(start=start, end=end)]),
        document_with("Anna", categories=[Category(label_name="c", start=start, end=end)]),
    ):
        with pytest.raises(InvalidContent):
            correct_offsets(document)


def test_a_range_of_the_whole_text_is_accepted() -> None:
    document = document_with("Anna", span(0, 4), sentences=[Sentence(start=0, end=4)])
    assert correct_offsets(document) == []


@pytest.mark.parametrize("place", [{"start": 0}, {"end": 2}])
def test_a_range_with_only_one_end_is_refused(place: dict[str, int]) -> None:
    with pytest.raises(InvalidContent, match="only a start or only an end"):
        correct_offsets(document_with("Anna", categories=[Category(label_name="c", **place)]))


def test_a_quoted_text_that_does_not_occur_is_refused() -> None:
    with pytest.raises(InvalidContent) as refused:
        correct_offsets(document_with("Anna", span(0, 4, "Karl")))
    assert "Karl" in str(refused.value) or "Karl" in repr(refused.value.args)


def test_a_span_invalid_in_the_unit_of_the_others_is_refused() -> None:
    """An offset would fall inside a character that counts as two."""
    with pytest.raises(InvalidContent):
        correct_offsets(document_with(f"{FACE} Anna", span(3, 7, "Anna"), span(1, 7)))


def test_utf_16_offsets_in_a_text_of_wide_characters_only() -> None:
    document = document_with(FACE * 3, span(2, 4, FACE))
    (note,) = correct_offsets(document)
    assert (document.annotations[0].start, document.annotations[0].end) == (1, 2)
    assert "UTF-16" in note


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ({"label_name": "person"}, "The annotation person"),
        ({"label": "A person"}, "The annotation A person"),
        ({"label_id": "http://x/y"}, "The annotation http://x/y"),
        ({}, "The annotation "),
    ],
)
def test_an_error_names_the_label_by_name_label_or_identifier(label: dict[str, str], words: str) -> None:
    with pytest.raises(InvalidContent) as refused:
        correct_offsets(document_with("Anna", Annotation(start=3, end=9, **label)))
    told = str(refused.value.args[0])
    assert told.startswith(words) and "None" not in told


def test_an_emoji_at_the_very_end_is_corrected() -> None:
    """A slice that goes beyond the end gives the same text: a span fits only if its end is within the text."""
    document = document_with(f"Great {FACE}", span(6, 8, FACE))
    assert len(correct_offsets(document)) == 1
    assert (document.annotations[0].start, document.annotations[0].end) == (6, 7)
