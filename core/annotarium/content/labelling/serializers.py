"""JSON of annotations and categories."""

from __future__ import annotations

from typing import Any, NamedTuple

from annotarium.content.labelling.fragments import fragments_to_json
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Annotation, Category
from annotarium.db.timestamps import iso


class AnnotationRow(NamedTuple):
    """The columns of an annotation that reading needs."""

    id: int
    document_id: int
    label_id: int
    start: int
    end: int
    text: str
    status: str | None
    creation_mode: str
    score: float | None
    properties: dict[str, Any] | None
    terms: list[Any] | None
    fragments: list[Any] | None
    created_by: str
    created_at: int
    modified_at: int
    version: int
    imported_by: str | None
    imported_at: int | None


class CategoryRow(NamedTuple):
    """The columns of a category that reading needs."""

    id: int
    document_id: int
    label_id: int
    start: int | None
    end: int | None
    status: str | None
    creation_mode: str
    score: float | None
    created_by: str
    created_at: int
    modified_at: int
    version: int
    imported_by: str | None
    imported_at: int | None


def _published_creation_mode(row: Annotation | Category | AnnotationRow | CategoryRow) -> str | None:
    """Return the creation mode of the API, None for `imported`, which the published enumeration does not contain."""
    return row.creation_mode if row.creation_mode != "imported" else None


def annotation_to_json(row: Annotation | AnnotationRow, label_name: str) -> dict[str, Any]:
    """Return a `DocAnnotation`."""
    fields: dict[str, Any] = {
        "identifier": str(row.id),
        "labelName": label_name,
        "start": row.start,
        "end": row.end,
        "text": row.text,
        "createdBy": remove_imported_prefix(row.created_by),
        "createdDate": iso(row.created_at),
        "modifiedDate": iso(row.modified_at),
        "version": row.version,
    }
    fields |= fragments_to_json(row.fragments, row.text, row.start)
    optional = {"status": row.status, "score": row.score, "properties": row.properties, "terms": row.terms}
    optional["creationMode"] = _published_creation_mode(row)
    optional |= {"importedBy": row.imported_by, "importedDate": iso(row.imported_at)}
    return fields | {key: value for key, value in optional.items() if value is not None}


def category_to_json(row: Category | CategoryRow, label_name: str) -> dict[str, Any]:
    """Return a `DocCategory`, with the offsets of its sentence when it is on one."""
    fields: dict[str, Any] = {
        "identifier": str(row.id),
        "labelName": label_name,
        "createdBy": remove_imported_prefix(row.created_by),
        "createdDate": iso(row.created_at),
        "modifiedDate": iso(row.modified_at),
        "version": row.version,
    }
    optional = {"status": row.status, "score": row.score, "start": row.start, "end": row.end}
    optional["creationMode"] = _published_creation_mode(row)
    optional |= {"importedBy": row.imported_by, "importedDate": iso(row.imported_at)}
    return fields | {key: value for key, value in optional.items() if value is not None}
