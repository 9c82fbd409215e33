"""JSON of relations."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from annotarium.content.relations.repository import RelationRow
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Relation
from annotarium.db.timestamps import iso

_date = lru_cache(maxsize=1_024)(iso)  # relations that are imported together have the same timestamp


def relation_row_to_json(one: RelationRow) -> dict[str, Any]:
    """Return the `DocRelation` of a row."""
    return relation_to_json(one, one.name, one.document)


def relation_to_json(row: Relation | RelationRow, name: str, document_identifier: str) -> dict[str, Any]:
    """Return a `DocRelation`: `source` and `target` are identifiers of annotations of the document."""
    fields: dict[str, Any] = {
        "identifier": str(row.id),
        "documentIdentifier": document_identifier,
        "name": name,
        "source": str(row.source_id),
        "target": str(row.target_id),
        "createdBy": remove_imported_prefix(row.created_by),
        "createdDate": _date(row.created_at),
        "modifiedDate": _date(row.modified_at),
        "version": row.version,
    }
    if row.imported_by is not None:
        fields |= {"importedBy": row.imported_by, "importedDate": iso(row.imported_at)}
    return fields if row.properties is None else fields | {"properties": row.properties}
