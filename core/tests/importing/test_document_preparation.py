"""Preparing a document for writing: whether it counts as reviewed, what is left out, what is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from annotarium.content.segmentation import SegmentFunction
from annotarium.content.validation import InvalidContent
from annotarium.importing.document_preparation import PreparedDocument, PrepareOptions, load_prepared, prepare_document
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message_of

PLAIN = PrepareOptions()


def one_segment(text: str, *_: Any) -> list[tuple[int, int]]:
    return [(0, len(text))]


def prepared(options: PrepareOptions = PLAIN, **fields: Any) -> PreparedDocument:
    document = Document.model_validate({"identifier": "d", "title": "D", "text": "Anna met Karl."} | fields)
    segment: SegmentFunction = one_segment  # type: ignore[assignment]
    return prepare_document(document, options=options, segment=segment)


ANNA = {"start": 0, "end": 4, "labelName": "person"}


def test_a_document_whose_labelling_is_ignored_is_not_reviewed() -> None:
    """Otherwise a model would learn that nothing in it is to be labelled."""
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


def test_an_explicit_reviewed_flag_takes_precedence() -> None:
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
def test_invalid_documents_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidContent):
        prepared(**fields)


def test_a_document_without_text_after_cleaning_is_refused() -> None:
    cleaning = replace(PLAIN, clean_text=True)
    with pytest.raises(InvalidContent):
        prepared(cleaning, text="<b> </b>")
    assert prepared(cleaning, text="<b>Anna</b> met").text.strip() == "Anna met"


def test_a_dumped_document_is_loaded_unchanged() -> None:
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
        tokenized = load_prepared(found.dump() + b"\ntokens\ninflected")
        assert (tokenized.tokens, tokenized.inflected_tokens) == (b"tokens", b"inflected")


FINGERPRINTS: list[tuple[dict[str, Any], str]] = [
    ({}, "5fcf1bc25b84ecca07dcfb98d7de67ff5229ef45e2dd6c66b8d40f9ab4419d45"),
    (
        {
            "metadata": {"source": "press", "n": 3},
            "annotations": [
                ANNA
                | {"status": "OK", "score": 0.5, "createdBy": "marie", "createdDate": "2026-01-02T03:04:05Z"}
                | {"properties": {"a": 1}, "terms": [{"identifier": "t1", "lexicon": "names"}]},
                ANNA | {"start": 9, "end": 13},
            ],
            "categories": [{"labelName": "press"}],
            "sentences": [{"start": 0, "end": 14, "metadata": {"k": "v"}, "categories": [{"label": "Sport"}]}],
            "altTexts": [{"name": "a", "text": "x"}],
            "reviewed": True,
            "createdBy": "paul",
            "createdDate": "2026-01-02T03:04:05Z",
        },
        "811864d5fa7661e8d77dac1777d23d2abc1d1876d888f4acbdfd58ccff13acd4",
    ),
    (
        {"annotations": [ANNA | {"start": 0, "end": 13, "fragments": [[0, 4], [9, 13]]}]},
        "5a411748fb3b715c3f2b3b4ece31637a6df3b180beec1b62089099638ebbc0ce",
    ),
    (
        {
            "annotations": [ANNA | {"identifier": "a"}, ANNA | {"start": 9, "end": 13, "identifier": "b"}],
            "relations": [
                {"name": "meets", "source": "a", "target": "b", "properties": {"x": 1}},
                {"name": "knows", "source": "a", "target": "z"},
            ],
        },
        "9b318356b2dc233200780dcc259393967da7c46e06b61645f6fae06fe8d6bb9e",
    ),
    (
        {"layout": [{"kind": "heading", "start": 0, "end": 4, "level": 2}], "categories": []},
        "5ab04053b68de64c4b5ad4e333a004d59d0e97f2887c1344fdf9e40422097628",
    ),
]


@pytest.mark.parametrize(("fields", "fingerprint"), FINGERPRINTS)
def test_the_fingerprint_of_stored_documents_does_not_change(fields: dict[str, Any], fingerprint: str) -> None:
    """Fingerprints are stored in the database: if they changed, every repeated import would replace all documents."""
    assert load_prepared(prepared(**fields).dump()).fingerprint == fingerprint


def test_the_last_of_two_alternative_texts_with_one_name_is_used() -> None:
    found = prepared(altTexts=[{"name": "a", "text": "x"}, {"name": "b", "text": "z"}, {"name": "a", "text": "y"}])
    assert found.alt_texts == [("a", "y"), ("b", "z")]


def test_only_discontinuous_spans_have_fragments() -> None:
    found = prepared(annotations=[ANNA, {"start": 0, "end": 13, "labelName": "pair", "fragments": [[0, 4], [9, 13]]}])
    assert [(place, [tuple(piece) for piece in fragments]) for place, fragments in found.fragments] == [
        (1, [(0, 4), (9, 13)])
    ]


CATEGORIES = replace(PLAIN, classification=True)
EMPTY = replace(PLAIN, empty_reviewed=True)


@pytest.mark.parametrize(
    ("options", "fields", "reviewed"),
    [
        (PLAIN, {}, False),
        (PLAIN, {"annotations": []}, None),
        (EMPTY, {"annotations": []}, True),
        (EMPTY, {}, False),
        (PLAIN, {"categories": []}, False),
        (CATEGORIES, {"categories": []}, None),
        (CATEGORIES, {"annotations": []}, False),
        (replace(CATEGORIES, empty_reviewed=True), {"categories": []}, True),
        (CATEGORIES, {"categories": [{"labelName": "press"}]}, False),
        (EMPTY, {"annotations": [], "reviewed": False}, False),
        (EMPTY, {"annotations": [], "sentences": [{"start": 0, "end": 4, "categories": [{"labelName": "x"}]}]}, False),
        (EMPTY, {"annotations": [], "sentences": [{"start": 0, "end": 4, "categories": []}]}, True),
        (EMPTY, {"annotations": [], "sentences": [{"start": 0, "end": 4}]}, True),
        (PLAIN, {"annotations": [ANNA | {"status": "KO", "creationMode": "automatic"}]}, True),
        (PLAIN, {"annotations": [ANNA | {"status": "OK", "creationMode": "automatic"}]}, True),
        (PLAIN, {"annotations": [ANNA | {"creationMode": "automatic"}]}, False),
        (EMPTY, {"annotations": [ANNA | {"creationMode": "automatic"}]}, False),
        (PLAIN, {"annotations": [ANNA | {"creationMode": "automatic"}, ANNA | {"end": 8}]}, True),
        (replace(EMPTY, ignore_labelling=True), {"annotations": []}, False),
    ],
)
def test_when_a_document_counts_as_reviewed(
    options: PrepareOptions, fields: dict[str, Any], reviewed: bool | None
) -> None:
    """Reviewed: by a decision of a user, or as the sender states; by an empty list of the project's kind of labelling
    only if the import option says so.

    None: an empty list was sent, and no option says what it means.
    """
    assert prepared(options, **fields).reviewed is reviewed


def test_a_dumped_document_keeps_its_fingerprint() -> None:
    layout = {"layout": [{"kind": "strong", "start": 0, "end": 4}]}
    spans = [ANNA | {"identifier": "1"}, ANNA | {"end": 13, "identifier": "2"}]
    linked = {"annotations": spans, "relations": [{"name": "r", "source": "1", "target": "2"}]}
    fragments = {"annotations": [ANNA | {"end": 13, "fragments": [[0, 4], [9, 13]]}]}
    seen = set()
    for fields in ({}, layout, fragments, linked, layout | linked):
        found = prepared(**fields)
        again = load_prepared(found.dump())
        assert orjson.loads(found.dump())["fingerprint"] == again.fingerprint
        seen.add(again.fingerprint)
        assert (again.links, len(again.layout), len(again.fragments)) == (
            found.links,
            len(found.layout),
            len(found.fragments),
        )
        assert (again.tokens, again.inflected_tokens) == (b"", b"")
        assert (again.segments, again.metadata) == ([list(one) for one in found.segments], found.metadata)
    assert len(seen) == 5, "each says something else"
    assert load_prepared(prepared(text="Anna met Carl.").dump()).fingerprint not in seen


def test_notes_of_a_dumped_document_keep_their_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are translated into the language of the reader."""
    found = prepared(annotations=[ANNA | {"end": 13, "fragments": [[0, 13]]}])._replace(identifier="d")
    found = found._replace(notes=["Plain words", *found.notes])
    again = load_prepared(found.dump())
    assert again.notes == found.notes and len(found.notes) == 2
    assert message_of(message=again.notes[1]) == message_of(message=found.notes[1]) != message_of(message="Plain words")
    assert message_of(message=again.notes[0]) == message_of(message="Plain words")


def test_corrections_and_omissions_are_reported() -> None:
    found = prepared(
        replace(PLAIN, policy="always_recompute"),
        annotations=[
            ANNA | {"start": 1, "end": 5, "text": "Anna"},
            ANNA | {"end": 13, "fragments": [[0, 13]], "identifier": "1"},
        ],
        layout=[{"kind": "strong", "start": 0, "end": 4}, {"kind": "strong", "start": 3, "end": 400}],
        relations=[{"name": "r", "source": "1", "target": "nobody"}],
        sentences=[{"start": 0, "end": 4, "metadata": {"n": 1}}, {"start": 5, "end": 8}],
    )
    notes = [str(note) for note in found.notes]
    assert len(notes) == 5
    for word, note in zip(
        ("Anna", "one span", "1 mark of the layout", "relation", "Metadata of 1"), notes, strict=True
    ):
        assert word in note
    assert (found.annotations[0].start, found.annotations[0].end, found.links, len(found.layout)) == (0, 4, [], 1)
    clean = prepared(
        annotations=[ANNA | {"text": "Anna"}],
        layout=[{"kind": "strong", "start": 0, "end": 4}],
        sentences=[{"start": 0, "end": 4, "metadata": {"n": 1}}],
    )
    assert (clean.notes, clean.segments) == ([], [(0, 4, {"n": 1})])


def test_at_most_twenty_corrections_are_reported() -> None:
    spans = [ANNA | {"fragments": [[0, 4]]} for _ in range(25)]
    assert len(prepared(annotations=spans).notes) == 20
    assert len(prepared(annotations=spans[:20]).notes) == 20


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (PLAIN, "<b>Anna</b>\r\nmet"),
        (replace(PLAIN, clean_text=True), "Anna\r\nmet"),
        (replace(PLAIN, carriage_returns=True), "<b>Anna</b>\nmet"),
        (replace(PLAIN, clean_text=True, carriage_returns=True), "Anna\nmet"),
    ],
)
def test_a_text_is_cleaned_as_requested(options: PrepareOptions, text: str) -> None:
    given = "<b>Anna</b>\r\nmet"
    found = prepared(options, text=given, annotations=[ANNA | {"start": 3, "end": 7, "text": "Anna"}])
    (span,) = found.annotations
    assert (found.text, found.text[span.start : span.end]) == (text, "Anna")


def test_plan_steps_receive_the_stored_text_and_their_results_are_validated() -> None:
    """Their results are validated like imported ones: limits, offsets, fragments."""
    seen: list[str] = []

    def steps(document: Document) -> Document:
        seen.append(document.text)
        document.annotations = Document.model_validate(
            {"text": "x", "annotations": [ANNA | {"start": 1, "end": 5, "text": "Anna", "fragments": [[0, 13]]}]}
        ).annotations
        return document

    def run(fields: dict[str, Any], made: Any = steps, **more: Any) -> PreparedDocument:
        given = Document.model_validate({"identifier": "d", "title": "D", "text": "<b>Anna</b> met."} | fields)
        segment: SegmentFunction = one_segment  # type: ignore[assignment]
        return prepare_document(given, options=replace(PLAIN, clean_text=True, **more), segment=segment, steps=made)

    found = run({"annotations": []})
    assert seen == ["Anna met."]
    assert [(one.start, one.end) for one in found.annotations] == [(0, 4)]
    assert found.fragments == [] and len(found.notes) == 3

    def longer(document: Document) -> Document:
        document.text = "Anna " * 10
        return document

    assert run({}, longer).text == "Anna " * 10
    with pytest.raises(InvalidContent):
        run({}, longer, document_limit=40)
    assert run({}, longer, document_limit=50).text


def test_a_document_over_the_limit_is_refused() -> None:
    assert prepared(replace(PLAIN, document_limit=14)).text
    with pytest.raises(InvalidContent):
        prepared(replace(PLAIN, document_limit=13))


@pytest.mark.parametrize(
    ("policy", "sentences", "segments"),
    [
        ("compute_if_missing", None, [(0, 14, None)]),
        ("compute_if_missing", [{"start": 0, "end": 4}], [(0, 4, None)]),
        ("always_recompute", [{"start": 0, "end": 4}], [(0, 14, None)]),
        ("no_segmentation", None, []),
    ],
)
def test_segments_follow_the_policy_of_the_import(policy: Any, sentences: Any, segments: Any) -> None:
    fields = {} if sentences is None else {"sentences": sentences}
    assert prepared(replace(PLAIN, policy=policy), **fields).segments == segments


@pytest.mark.parametrize(("whole", "segments"), [(True, [(0, 14)]), (False, [(0, 7), (7, 14)])])
def test_computed_segments_do_not_split_annotations(whole: bool, segments: list[tuple[int, int]]) -> None:
    given = Document.model_validate(
        {"identifier": "d", "text": "Anna met Karl.", "annotations": [ANNA | {"start": 5, "end": 8}]}
    )
    languages: list[str] = []

    def halves(text: str, language: str) -> list[tuple[int, int]]:
        languages.append(language)
        return [(0, 7), (7, len(text))]

    options = replace(PLAIN, annotations_whole=whole, language="fr")
    found = prepare_document(given, options=options, segment=halves)
    assert ([(start, end) for start, end, _ in found.segments], languages) == (segments, ["fr"])


def test_label_names_are_single_lines_and_label_texts_are_strings() -> None:
    """Names are part of addresses; other texts may contain any character. An identifier alone is sufficient."""
    assert (
        prepared(annotations=[ANNA | {"labelName": None, "label": "two\nlines"}]).annotations[0].label == "two\nlines"
    )
    assert prepared(categories=[{"labelId": "l7"}]).categories[0].label_id == "l7"
    for name in ("two\nlines", "x" * 256, " ", ".."):
        for fields in ({"annotations": [ANNA | {"labelName": name}]}, {"categories": [{"labelName": name}]}):
            with pytest.raises(InvalidContent):
                prepared(**fields)
    with pytest.raises(InvalidContent) as refused:
        prepared(categories=[{"labelName": ""}])
    assert "A category" in str(refused.value) and refused.value.fix
    with pytest.raises(InvalidContent) as refused:
        prepared(annotations=[ANNA | {"labelName": "", "label": "x" * 256}])
    assert "label of an annotation" in str(refused.value)


def test_terms_are_stored_unchanged() -> None:
    terms = [{"identifier": "t", "lexicon": "l", "preferredForm": "T"}, {"identifier": "u"}]
    first, second = prepared(annotations=[ANNA | {"terms": terms}, ANNA | {"end": 8, "terms": []}]).annotations
    assert (first.terms, second.terms) == (terms, None)


def test_timestamps_of_a_document_are_milliseconds() -> None:
    found = prepared(createdBy="marie", createdDate="1970-01-01T00:00:01Z", modifiedDate="1970-01-01T00:00:02Z")
    assert (found.created_by, found.created_at, found.modified_at) == ("marie", 1_000, 2_000)
    assert prepared().created_by is prepared().created_at is prepared().modified_at is None
    with pytest.raises(InvalidContent) as refused:
        prepared(createdDate="9" * 90)
    assert "9" * 40 in str(refused.value) and "9" * 41 not in str(refused.value)
    assert refused.value.fix
