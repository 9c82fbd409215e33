"""The corpus of the guided tour: invented biographies, half of them annotated."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

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
    assert len({one.identifier for one in DOCUMENTS}) == 24
    assert Counter(one.metadata["language"] for one in DOCUMENTS) == {"en": 18, "fr": 6}
    assert all(115 <= len(one.text.split()) <= 205 for one in DOCUMENTS)


def test_half_of_them_carry_the_labels_of_the_tour() -> None:
    annotated = [one for one in DOCUMENTS if one.annotations]
    assert len(annotated) == 12
    assert {one.label_name for document in annotated for one in document.annotations} == LABELS
    assert {document.metadata["language"] for document in annotated} == {"en", "fr"}


def test_the_other_half_waits_for_suggestions() -> None:
    """A list of annotations, even an empty one, means that the document was reviewed; models then learn from what is
    not annotated.
    """
    waiting = [one for one in DOCUMENTS if not one.annotations]
    assert len(waiting) == 12
    assert not any("annotations" in one.model_fields_set for one in waiting)


def test_offsets_are_exact_and_spans_do_not_overlap() -> None:
    for document in DOCUMENTS:
        end = 0
        for one in document.annotations:
            assert end <= one.start < one.end
            assert document.text[one.start : one.end] == one.text
            assert one.text == one.text.strip()
            end = one.end
