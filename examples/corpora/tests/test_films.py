"""The corpus of the guided tour: invented biographies, half of them annotated."""

from __future__ import annotations

import json
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from annotarium_schemas.documents import Document

FILMS = Path(__file__).parents[1] / "films" / "documents.json"
DOCUMENTS = [Document.model_validate(one) for one in json.loads(FILMS.read_text(encoding="utf-8"))]
LABELS = {
    "relative",
    "occupation",
    "award",
    "nomination",
    "country_of_birth",
    "state_of_birth",
    "date_of_birth",
    "nationality",
}


def test_there_are_enough_documents_in_two_languages() -> None:
    assert len({one.identifier for one in DOCUMENTS}) == 120
    assert Counter(one.metadata["language"] for one in DOCUMENTS) == {"en": 94, "fr": 26}
    assert all(115 <= len(one.text.split()) <= 205 for one in DOCUMENTS)


def test_half_of_them_carry_the_labels_of_the_tour() -> None:
    annotated = [one for one in DOCUMENTS if one.annotations]
    assert len(annotated) == 60
    assert {one.label_name for document in annotated for one in document.annotations} == LABELS
    assert {document.metadata["language"] for document in annotated} == {"en", "fr"}


def test_the_other_half_waits_for_suggestions() -> None:
    """A list of annotations, even an empty one, means that the document was reviewed; models then learn from what is
    not annotated.
    """
    waiting = [one for one in DOCUMENTS if not one.annotations]
    assert len(waiting) == 60
    assert not any("annotations" in one.model_fields_set for one in waiting)


def test_offsets_are_exact_and_spans_do_not_overlap() -> None:
    for document in DOCUMENTS:
        end = 0
        for one in document.annotations:
            assert end <= one.start < one.end
            assert document.text[one.start : one.end] == one.text
            assert one.text == one.text.strip()
            end = one.end


def test_every_label_occurs_often_enough_to_be_learned() -> None:
    counts = Counter(one.label_name for document in DOCUMENTS for one in document.annotations)
    assert all(counts[label] >= 25 for label in LABELS), counts


def test_the_generated_biographies_are_what_the_program_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(FILMS.parent), *sys.path])
    program = import_module("more_biographies")
    written = json.loads(FILMS.read_text(encoding="utf-8"))
    assert written[program.WRITTEN_BY_HAND :] == program.more_biographies()


def test_the_biographies_were_collected_over_weeks() -> None:
    """So that the growth of the corpus is a line, not one day."""
    days = {one.created_date for one in DOCUMENTS if one.created_date}
    assert len(days) > 20
