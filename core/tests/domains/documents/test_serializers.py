"""Rows of annotations, categories and segments as published objects: every column, absent where it has no value."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from annotarium.db.timestamps import iso
from annotarium.domains.documents.serializers import AnnotationAndCategorySerializer, segment_to_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)  # no lone surrogates: no database stores them
MOMENTS = st.integers(0, 4_000_000_000_000)
VALUES = st.none() | st.dictionaries(TEXTS, TEXTS | st.integers(0, 9) | st.booleans(), max_size=3)
LABELS = {1: "person", 2: 'a "quoted"\n\\ name \u2028'}
PLACES = st.none() | st.tuples(st.integers(0, 500), st.integers(1, 30))


@st.composite
def rows(draw: st.DrawFn, *, annotation: bool) -> list[Any]:
    start, length = draw(PLACES.filter(lambda place: place is not None or not annotation)) or (None, 0)
    row: list[Any] = [draw(st.integers(1, 2**62)), 7, draw(st.sampled_from([1, 2, 3]))]
    row += [start, None if start is None else start + length, draw(st.sampled_from([None, "OK", "KO"]))]
    row += [draw(st.sampled_from(["manual", "imported", "supervised"])), draw(st.none() | st.floats(0, 1))]
    properties = draw(VALUES)
    row += [None if properties is None else orjson.dumps(properties).decode(), draw(TEXTS), draw(MOMENTS)]
    row += [draw(MOMENTS), draw(st.integers(1, 99))]
    row += draw(st.just([None, None]) | st.tuples(TEXTS.filter(bool), MOMENTS).map(list))
    if annotation:
        pieces = [[start, start + 1], [start + 2, start + length]] if length > 3 and draw(st.booleans()) else None
        text = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=length, max_size=length))
        row += [text, draw(st.none() | st.just('[{"identifier":"é"}]')), pieces and orjson.dumps(pieces).decode()]
    return row


def _expected(row: list[Any]) -> dict[str, Any]:
    item = {"identifier": str(row[0]), "labelName": LABELS.get(row[2], ""), "start": row[3], "end": row[4]}
    item |= {"status": row[5], "creationMode": None if row[6] == "imported" else row[6], "createdBy": row[9] or None}
    item |= {"createdDate": iso(row[10]), "modifiedDate": iso(row[11]), "version": row[12], "score": row[7]}
    item |= {"importedBy": row[13], "importedDate": None if row[14] is None else iso(row[14])}
    item["properties"] = None if row[8] is None else orjson.loads(row[8])
    if len(row) > 15:
        item |= {"text": row[15], "terms": None if row[16] is None else orjson.loads(row[16])}
        pieces = None if row[17] is None else orjson.loads(row[17])
        item["fragments"] = pieces
        cut = [row[15][start - row[3] : end - row[3]] for start, end in pieces or ()]
        item["fragmentsText"] = cut if pieces else None
    return {name: value for name, value in item.items() if value is not None}


@given(st.lists(rows(annotation=True), max_size=4))
def test_annotations_have_every_value_of_their_row(drawn: list[list[Any]]) -> None:
    serializer = AnnotationAndCategorySerializer(LABELS)
    assert [serializer.annotation(row) for row in drawn] == [_expected(row) for row in drawn]


@given(st.lists(rows(annotation=False), max_size=4))
def test_categories_have_every_value_of_their_row(drawn: list[list[Any]]) -> None:
    serializer = AnnotationAndCategorySerializer(LABELS)
    assert [serializer.category(row) for row in drawn] == [_expected(row) for row in drawn]


def test_segments_have_metadata_where_there_is_some() -> None:
    assert [
        segment_to_json(0, 5, None),
        segment_to_json(5, 9, "{}"),
        segment_to_json(9, 12, '{"page": 2}'),
        segment_to_json(12, 14, {"a": "b"}),
    ] == [
        {"start": 0, "end": 5},
        {"start": 5, "end": 9},
        {"start": 9, "end": 12, "metadata": {"page": 2}},
        {"start": 12, "end": 14, "metadata": {"a": "b"}},
    ]
