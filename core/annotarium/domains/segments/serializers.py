"""JSON of segments. Offsets of annotations count in the document; `shift` is the start of the segment."""

from __future__ import annotations

from typing import Any

from annotarium.content.labelling.serializers import annotation_to_json, category_to_json
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.timestamps import iso
from annotarium.domains.segments.repository import SegmentState
from annotarium.search.index_entries import segment_id

SEGMENT_FIELDS = (
    "identifier",
    "documentIdentifier",
    "documentTitle",
    "start",
    "end",
    "shift",
    "text",
    "metadata",
    "createdBy",
    "createdDate",
    "modifiedDate",
    "annotations",
    "categories",
)
"""Allowed values of `outputFields`."""


def segment_to_json(state: SegmentState) -> dict[str, Any]:
    """The `Segment` as JSON."""
    return {
        "identifier": segment_id(state.document_id, state.start),
        "documentIdentifier": state.document_identifier,
        "documentTitle": state.document_title,
        "start": state.start,
        "end": state.end,
        "shift": state.start,
        "text": state.text,
        "metadata": state.metadata or {},
        "createdBy": remove_imported_prefix(state.created_by),
        "createdDate": iso(state.created_at),
        "modifiedDate": iso(state.modified_at),
        "annotations": [annotation_to_json(row, name) for row, name in state.annotations],
        "categories": [category_to_json(row, name) for row, name in state.categories],
    }
