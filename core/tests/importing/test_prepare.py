"""What a document is when it is ready to be written: whether it counts as reviewed, what is left out, what is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from annotarium.content.segmentation import SegmentFunction
from annotarium.content.validation import InvalidContent
from annotarium.importing.prepare import PreparedDocument, PrepareOptions, load_prepared, prepare_document
from annotarium_schemas.documents import Document

PLAIN = PrepareOptions()


def one_segment(text: str, *_: Any) -> list[tuple[int, int]]:
    return [(0, len(text))]


def prepared(options: PrepareOptions = PLAIN, **fields: Any) -> PreparedDocument:
    document = Document.model_validate({"identifier": "d", "title": "D", "text": "Anna met Karl."} | fields)
    segment: SegmentFunction = one_segment  # type: ignore[assignment]
    return prepare_document(document, options=options, segment=segment)


ANNA = {"start": 0, "end": 4, "labelName": "person"}


def test_a_document_whose_labelling_was_left_out_is_not_reviewed() -> None:
    """Nobody said anything about what stands here now: a model would learn silence."""
    ignoring = replace(PLAIN, ignore_labelling=True)
    found = prepared(
        ignoring,
        annotations=[ANNA],
        categories=[{"labelName": "press"}],
        sentences=[{"start": 0, "end": 14, "categories": [{"labelName": "press"}]}],
        relations=[],
    )
    assert (found.annotations, found.categories, found.links) == ([], [], [])
    assert not found.reviewed
    assert not prepared(ignoring, annotations=[ANNA], reviewed=True).reviewed
    assert prepared(annotations=[ANNA]).reviewed


def test_what_an_import_says_of_the_review_counts_first() -> None:
    assert prepared(reviewed=True).reviewed
    assert not prepared(annotations=[ANNA], reviewed=False).reviewed
    assert not prepared().reviewed


def test_labelling_keeps_its_offsets_and_attributes() -> None:
    facts = {
        "status": "OK",
        "score": 0.5,
        "createdBy": "marie",
        "createdDate": "2026-01-02T03:04:05Z",
        "modifiedDate": "2026-01-03T03:04:05Z",
        "properties": {"a": 1},
    }
    found = prepared(
        annotations=[ANNA | facts | {"creationMode": "manual"}, ANNA | {"start": 9, "end": 13}],
        categories=[{"labelName": "press"} | facts],
        sentences=[{"start": 0, "end": 14, "categories": [{"label": "Sport", "creationMode": "manual"}]}],
    )
    first, second = found.annotations
    assert (first.start, first.end, first.name, first.status, first.mode) == (0, 4, "person", "OK", "manual")
    assert (first.score, first.created_by, first.properties) == (0.5, "marie", {"a": 1})
    assert first.created_at == 1_767_323_045_000
    assert first.modified_at == first.created_at + 86_400_000
    assert (second.start, second.end, second.mode, second.created_by, second.created_at) == (
        9,
        13,
        "imported",
        None,
        None,
    )
    whole, part = found.categories
    assert (whole.start, whole.end, whole.name, whole.mode, whole.score) == (None, None, "press", "imported", 0.5)
    assert (part.start, part.end, part.label, part.mode) == (0, 14, "Sport", "manual")


@pytest.mark.parametrize(
    "fields",
    [
        {"annotations": [{"start": 0, "end": 4}]},
        {"categories": [{"status": "OK"}]},
        {"annotations": [ANNA | {"createdDate": "yesterday"}]},
        {"modifiedDate": "soon"},
    ],
)
def test_what_cannot_be_stored_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidContent):
        prepared(**fields)


def test_cleaning_that_leaves_nothing_is_refused() -> None:
    cleaning = replace(PLAIN, clean_text=True)
    with pytest.raises(InvalidContent):
        prepared(cleaning, text="<b> </b>")
    assert prepared(cleaning, text="<b>Anna</b> met").text.strip() == "Anna met"


def test_a_document_that_is_dumped_comes_back_whole() -> None:
    for fields in (
        {},
        {"annotations": [ANNA, ANNA | {"start": 9, "end": 13}], "reviewed": True},
        {
            "annotations": [ANNA | {"start": 0, "end": 13, "fragments": [[0, 4], [9, 13]]}],
            "categories": [{"labelName": "press"}],
            "altTexts": [{"name": "a", "text": "x"}, {"name": "a", "text": "y"}],
        },
    ):
        found = prepared(**fields)
        again = load_prepared(found.dump())
        assert again.fingerprint
        assert (again.text, again.title, again.notes) == (found.text, found.title, found.notes)
        assert again.annotations == found.annotations and again.categories == found.categories
        assert again.reviewed == found.reviewed
        assert [place for place, _ in again.fragments] == [place for place, _ in found.fragments]
        assert load_prepared(found.dump() + b"\nwords\ninflected")[-2:] == (b"words", b"inflected")


def test_the_last_of_two_alternative_texts_of_one_name_counts() -> None:
    found = prepared(altTexts=[{"name": "a", "text": "x"}, {"name": "b", "text": "z"}, {"name": "a", "text": "y"}])
    assert found.alt_texts == [("a", "y"), ("b", "z")]


def test_only_discontinuous_spans_have_fragments() -> None:
    found = prepared(annotations=[ANNA, {"start": 0, "end": 13, "labelName": "pair", "fragments": [[0, 4], [9, 13]]}])
    assert [(place, [tuple(piece) for piece in fragments]) for place, fragments in found.fragments] == [
        (1, [(0, 4), (9, 13)])
    ]
