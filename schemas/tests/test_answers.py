"""Response models: their JSON names, and that they read what they write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotarium_schemas.corpus import AnnotatedDocument, DocumentRead, SegmentContexts
from annotarium_schemas.documents import ImportedDocument
from annotarium_schemas.modelling import Report, SuggestionsList
from annotarium_schemas.search import DocumentHits, SegmentHits
from annotarium_schemas.shape import Shape

SHAPES = Path(__file__).resolve().parents[1] / "annotarium_schemas" / "json" / "shapes.json"
SEGMENT = {"identifier": "1:0", "documentIdentifier": "d", "documentTitle": "D", "start": 0, "end": 2, "text": "ab"}
FACET = {"name": "label", "buckets": [{"key": "0.9", "doc_count": 2, "from": 0.9, "to": 1.0}]}
TOTAL = {"value": 1, "relation": "eq"}


@pytest.mark.parametrize(
    ("shape", "wire"),
    [
        (
            DocumentHits,
            {
                "hits": [{"_id": "1", "score": 1.5, "document": {"identifier": "d", "title": "D", "text": "ab"}}],
                "total": TOTAL,
                "max_score": 1.5,
                "aggregations": [FACET],
                "resultID": "00ff",
            },
        ),
        (SegmentHits, {"hits": [{"_id": "1:0", "score": 1.0, "segment": SEGMENT, "textRank": 1}], "total": TOTAL}),
        (SegmentContexts, {"before": {"size": 0, "segments": []}, "after": {"size": 1, "merged": SEGMENT}}),
        (
            AnnotatedDocument,
            {"text": "ab", "annotations": [{"labelName": "x", "labelId": "1", "start": 0, "end": 1, "text": "a"}]},
        ),
        (SuggestionsList, {"suggestions": [], "total": TOTAL, "aggregations": [FACET]}),
        (Report, {"microAvg": {"f1": 0.5, "roc_auc": 0.7, "support": 3}, "classes": {"x": {"support": 3}}}),
    ],
)
def test_what_is_read_is_written_again(shape: type[Shape], wire: dict[str, Any]) -> None:
    assert shape.model_validate(wire).model_dump(mode="json", by_alias=True, exclude_none=True) == wire


def test_an_imported_document_needs_its_text_only() -> None:
    assert ImportedDocument.model_validate({"text": "ab"}).annotations == []
    with pytest.raises(ValueError, match="text"):
        ImportedDocument.model_validate({"identifier": "d"})


def test_generated_schemas_hold_the_answers() -> None:
    shapes = json.loads(SHAPES.read_text(encoding="utf-8"))["$defs"]
    assert {DocumentRead.__name__, DocumentHits.__name__, SuggestionsList.__name__} <= set(shapes)
    assert {"_id", "score", "document"} == set(shapes["DocumentHit"]["required"])
