"""Small parts of the import pipeline: palette, labels, cleaning."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.content.labels import LabelKey, ensure_labels
from annotarium.content.output_fields import parse_fields
from annotarium.content.palette import PALETTE, next_color
from annotarium.content.repository import list_labels
from annotarium.importing.cleaning import clean_document
from annotarium_schemas.documents import Annotation, Document


def test_the_palette_returns_the_first_least_used_color() -> None:
    """C-031: 38 colours."""
    assert len(set(PALETTE)) == 38
    used: list[str] = []
    for color in (*PALETTE, *PALETTE):
        assert next_color(used) == color
        used.append(color.lower())
    assert next_color(["#123456"]) == PALETTE[0]


def test_labels_are_found_or_created(make_project: Any, open_as: Any, as_user: Any, client: Any) -> None:
    as_user(client, "marie", "ProjectManager")
    project = make_project(owner="marie")
    with open_as("marie", project) as call:
        keys = [
            LabelKey("Per-1"),
            LabelKey(None, "Lieu dit"),
            LabelKey(None, None, "http://x/y"),
            LabelKey("org", "Organisation"),
        ]
        made = ensure_labels(call.session, call.project, keys, "marie")
        assert [made[key].name for key in keys] == ["Per-1", "lieu_dit", "http_x_y", "org"]
        assert [made[key].color for key in keys] == list(PALETTE[:4])
        again = ensure_labels(call.session, call.project, [LabelKey(None, "Organisation"), *keys], "marie")
        assert {label.id for label in again.values()} == {label.id for label in made.values()}
        made[keys[0]].deleted_at = 1
        revived = ensure_labels(call.session, call.project, [keys[0]], "marie")[keys[0]]
        assert (revived.id, revived.deleted_at) == (made[keys[0]].id, None)
        assert len(list_labels(call.session, call.project.id)) == 4


MARKUP = ["a", " ", "😀", "<b>", "</b>", "\r\n", "é", "<!-- c -->", "👩\u200d👧"]


@given(st.lists(st.sampled_from(MARKUP), min_size=1, max_size=30), st.data())
def test_cleaning_keeps_spans_on_their_characters(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    spans = []
    for _ in range(4):
        start, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
        if start < end:
            spans.append(Annotation(start=start, end=end, text=text[start:end], label_name="l"))
    document = Document(identifier="d", text=text, annotations=spans)
    before = {id(span): [char for char in span.text if char in "aé"] for span in spans}
    clean_document(document, tags_and_emojis=True, carriage_returns=True)
    for span in document.annotations:
        assert span.text == document.text[span.start : span.end]
        assert [char for char in span.text if char in "aé"] == before[id(span)]
    assert not any(char in document.text for char in "😀\r")


@pytest.mark.parametrize(
    ("given_fields", "expected"),
    [
        (None, {"identifier", "title", "text"}),
        ("", {"identifier", "title", "text"}),
        ("title", {"identifier", "title"}),
        ("!text", {"identifier", "title"}),
        (["title", "text,!text"], {"identifier", "title"}),
        ("unknown,title.x", {"identifier", "title"}),
        ("!identifier", {"identifier", "title", "text"}),
    ],
)
def test_output_fields_are_parsed(given_fields: Any, expected: set[str]) -> None:
    """Conflicts 8."""
    assert parse_fields(given_fields, ("identifier", "title", "text")) == expected
