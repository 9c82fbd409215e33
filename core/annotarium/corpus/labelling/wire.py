"""Annotations and categories on the wire, wherever they are read."""

from __future__ import annotations

from typing import Any

from annotarium.corpus.labelling.fragments import pieces_wire
from annotarium.db.models import Annotation, Category
from annotarium.db.times import iso


def _published_mode(row: Annotation | Category) -> str | None:
    """The published enumeration has no `imported`: it travels as absent, which reads as undefined."""
    return row.creation_mode if row.creation_mode != "imported" else None


def annotation_wire(row: Annotation, label_name: str) -> dict[str, Any]:
    """A `DocAnnotation`."""
    wire: dict[str, Any] = {
        "identifier": str(row.id),
        "labelName": label_name,
        "start": row.start,
        "end": row.end,
        "text": row.text,
        "createdBy": row.created_by,
        "createdDate": iso(row.created_at),
        "modifiedDate": iso(row.modified_at),
        "version": row.version,
    }
    wire |= pieces_wire(row.fragments, row.text, row.start)
    optional = {"status": row.status, "score": row.score, "properties": row.properties, "terms": row.terms}
    optional["creationMode"] = _published_mode(row)
    return wire | {key: value for key, value in optional.items() if value is not None}


def category_wire(row: Category, label_name: str) -> dict[str, Any]:
    """A `DocCategory`, with its sentence's offsets when it is on one."""
    wire: dict[str, Any] = {
        "identifier": str(row.id),
        "labelName": label_name,
        "createdBy": row.created_by,
        "createdDate": iso(row.created_at),
        "modifiedDate": iso(row.modified_at),
        "version": row.version,
    }
    optional = {"status": row.status, "score": row.score, "start": row.start, "end": row.end}
    optional["creationMode"] = _published_mode(row)
    return wire | {key: value for key, value in optional.items() if value is not None}
