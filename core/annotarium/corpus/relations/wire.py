"""Relations on the wire, wherever they are read."""

from __future__ import annotations

from typing import Any

from annotarium.db.models import Relation
from annotarium.db.times import iso


def relation_wire(row: Relation, name: str, document_identifier: str) -> dict[str, Any]:
    """A `DocRelation`: `source` and `target` are identifiers of annotations of the document."""
    wire: dict[str, Any] = {
        "identifier": str(row.id),
        "documentIdentifier": document_identifier,
        "name": name,
        "source": str(row.source_id),
        "target": str(row.target_id),
        "createdBy": row.created_by,
        "createdDate": iso(row.created_at),
        "modifiedDate": iso(row.modified_at),
        "version": row.version,
    }
    return wire if row.properties is None else wire | {"properties": row.properties}
