"""SQL of metadata, origins and alternative texts across documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select, tuple_

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents
from annotarium.db.corruption import json_object_or_empty
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import AltText, Document, Group, History

_BATCH = 2_000
_TEXTS = 200


def iterate_metadata(call: ProjectCall) -> Iterator[dict[str, Any]]:
    """The metadata of each document the caller may read, streamed in batches."""
    query = select(Document.metadata_).where(readable_documents(call.access, call.project))
    yield from map(json_object_or_empty, call.session.scalars(query.execution_options(yield_per=_BATCH)))


def origin_groups_of_documents(call: ProjectCall) -> Sequence[Group]:
    """Origin groups of the documents the caller may read, ordered by label."""
    used = select(Document.origin_group_id).where(readable_documents(call.access, call.project)).distinct()
    return call.session.scalars(select(Group).where(Group.id.in_(used)).order_by(Group.label)).all()


def count_alt_texts(call: ProjectCall) -> Sequence[tuple[str, int]]:
    """Names of alternative texts, each with the number of documents the caller may read."""
    query = (
        select(AltText.name, func.count())
        .join(Document, Document.id == AltText.document_id)
        .where(readable_documents(call.access, call.project))
        .group_by(AltText.name)
        .order_by(AltText.name)
    )
    return [(row[0], row[1]) for row in call.session.execute(query)]


def delete_alt_texts(call: ProjectCall, name: str) -> int:
    """Delete alternative texts by name from documents the caller may read; returns how many. History keeps them."""
    removed = 0
    query = (
        select(AltText.document_id, AltText.text, AltText.properties)
        .join(Document, Document.id == AltText.document_id)
        .where(readable_documents(call.access, call.project), AltText.name == name)
        .limit(_TEXTS)
    )
    while rows := call.session.execute(query).all():
        moment = now_ms()
        call.session.execute(
            insert(History),
            [
                {
                    "id": new_id(),
                    "project_id": call.project.id,
                    "document_id": row.document_id,
                    "entity": "alt_text",
                    "entity_id": row.document_id,
                    "action": "deleted",
                    "actor": call.username,
                    "at": moment,
                    "job_id": call.job_id,
                    "batch_id": None,
                    "before": {"name": name, "text": row.text, "properties": row.properties},
                    "after": None,
                }
                for row in rows
            ],
        )
        keys = [(row.document_id, name) for row in rows]
        call.session.execute(delete(AltText).where(tuple_(AltText.document_id, AltText.name).in_(keys)))
        removed += len(rows)
    return removed
