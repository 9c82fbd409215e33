"""Relations on the wire, wherever they are read."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from annotarium.corpus.relations.repository import Standing
from annotarium.db.authors import plain_author
from annotarium.db.models import Relation
from annotarium.db.times import iso

_date = lru_cache(maxsize=1_024)(iso)  # what is imported together has the same moment


def standing_wire(one: Standing) -> dict[str, Any]:
    """A `DocRelation` that was read."""
    return relation_wire(one, one.name, one.document)


def relation_wire(row: Relation | Standing, name: str, document_identifier: str) -> dict[str, Any]:
    """A `DocRelation`: `source` and `target` are identifiers of annotations of the document."""
    wire: dict[str, Any] = {
        "identifier": str(row.id),
        "documentIdentifier": document_identifier,
        "name": name,
        "source": str(row.source_id),
        "target": str(row.target_id),
        "createdBy": plain_author(row.created_by),
        "createdDate": _date(row.created_at),
        "modifiedDate": _date(row.modified_at),
        "version": row.version,
    }
    if row.imported_by is not None:
        wire |= {"importedBy": row.imported_by, "importedDate": iso(row.imported_at)}
    return wire if row.properties is None else wire | {"properties": row.properties}
