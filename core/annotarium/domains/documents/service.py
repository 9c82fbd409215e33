"""Rules of documents."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from annotarium.access.call import Call, ProjectCall, require_permission
from annotarium.content import validation
from annotarium.content.labelling.changes import write_history
from annotarium.content.layouts.service import has_layout
from annotarium.content.live_event_fields import restricting_group_of_document
from annotarium.content.repository import delete_documents as delete_rows
from annotarium.content.training_data import training_data_changed
from annotarium.content.version_check import check_version
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Document, History
from annotarium.db.unit_of_work import EventVisibility
from annotarium.domains.documents import repository
from annotarium.domains.documents.export import dataset_segments, stream_json_array
from annotarium.domains.documents.loader import DocumentJson, load_documents
from annotarium.domains.documents.schemas import Review, ReviewState, SimpleMetadata, UnfinishedDocument
from annotarium.errors import DeletedOrUnknown, InvalidInput
from annotarium_schemas.answers import Ack
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    from fastapi.responses import StreamingResponse


def require_document(call: ProjectCall, identifier: str) -> Document:
    """The document with this identifier; raises `NotFound` if it does not exist or the caller may not read it."""
    document = repository.find_document(call, identifier)
    if document is None:
        raise DeletedOrUnknown(message("none.document", "There is no document {name} in this project", name=identifier))
    return document


def read_document(call: ProjectCall, identifier: str, fields: Collection[str]) -> DocumentJson:
    """One document as JSON object, with `hasLayout` if the text is requested; raises `NotFound`."""
    document_id = repository.find_document_id(call, identifier)
    if document_id is None:
        raise DeletedOrUnknown(message("none.document", "There is no document {name} in this project", name=identifier))
    document = load_documents(call, [document_id], fields)[document_id]
    if "text" in fields:
        document["hasLayout"] = has_layout(call.session, call.project, document_id)
    return document


def index_document(call: ProjectCall, identifier: str, indexes: Collection[str]) -> Ack:
    """Queue a document and its segments for reindexing; `term` alone queues nothing."""
    document = require_document(call, identifier)
    if {"document", "segment"} & set(indexes):
        call.unit.touch(call.project.id, "document", document_id=document.id)
    return Ack()


def export_documents(call: ProjectCall, *, limit: int, fields: Collection[str]) -> StreamingResponse:
    """Stream all readable documents as one JSON array; `limit` 0 = all. Requires `exportDocuments`."""
    require_permission(call, "exportDocuments")

    def items(own: ProjectCall, ids: list[int]) -> list[Any]:
        documents = load_documents(own, ids, fields)
        return [documents[document_id] for document_id in ids if document_id in documents]

    return stream_json_array(call, items, filename=f"{call.project.name}.json", limit=limit)


def sample_documents(call: ProjectCall, size: int) -> list[DocumentJson]:
    """A random sample of at most 1000 documents. Requires `exportDocuments`."""
    require_permission(call, "exportDocuments")
    ids = repository.random_ids(call, max(0, min(size, 1_000)))
    documents = load_documents(call, ids)
    return [documents[document_id] for document_id in ids if document_id in documents]


def export_dataset(call: ProjectCall) -> StreamingResponse:
    """Stream the dataset as one JSON array. Requires `exportDataset`."""
    require_permission(call, "exportDataset")
    return stream_json_array(call, dataset_segments, filename=f"{call.project.name}-dataset.json")


def delete_documents(call: ProjectCall, identifiers: Sequence[str]) -> int:
    """Delete documents with their labelling, so that it can be undone. Returns how many were deleted."""
    found = [repository.find_document_id(call, identifier) for identifier in identifiers]
    return delete_by_ids(call, [document_id for document_id in found if document_id is not None])


def delete_by_ids(call: ProjectCall, document_ids: Sequence[int]) -> int:
    """`delete_documents` by id; skips documents that are deleted or that the caller may not read."""
    require_permission(call, "deleteDocuments")
    rows = repository.metadata_rows(call, document_ids)
    if rows:
        ids = [row.id for row in rows]
        delete_rows(call.session, ids, timestamp=now_ms(), actor=call.username)
        for row in rows:
            _append_history(call, row.id, "deleted", before={"identifier": row.identifier}, after=None)
            call.unit.touch(call.project.id, "delete", document_id=row.id)
        training_data_changed.send(call)
        arg = {"type": "deleted", "count": len(ids), "by": call.username}
        call.unit.emit("documents", arg, project=call.project.name)
    return len(rows)


def _append_history(
    call: ProjectCall, document_id: int, action: str, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> None:
    values = {"project_id": call.project.id, "document_id": document_id, "entity": "document"}
    values |= {"entity_id": document_id, "action": action, "actor": call.username, "job_id": call.job_id}
    call.unit.append(History, values | {"before": before, "after": after})


def delete_document(call: ProjectCall, identifier: str) -> Ack:
    """Delete one document, if its version matches `If-Match`."""
    _check_version(call, require_document(call, identifier))
    delete_documents(call, [identifier])
    return Ack()


def _check_version(call: Call, document: Document) -> None:
    current = {"identifier": document.identifier, "version": document.version}
    check_version(call, document.version, "The document was changed by somebody else", lambda: current)


def tag_document(call: ProjectCall, identifier: str, body: SimpleMetadata) -> None:
    """Set a metadata value of a document, if its version matches; an empty value removes it."""
    require_permission(call, "modifyMetadata")
    document = require_document(call, identifier)
    _check_version(call, document)
    set_metadata_value_of_documents(call, [document.id], body)


def check_metadata(body: SimpleMetadata) -> None:
    """Raise `InvalidInput` for a metadata name or value that must not be stored."""
    try:
        validation.check_name(body.name, "The name of the metadata")
        validation.check_json_value(body.value, "The value")
    except validation.InvalidContent as error:
        raise InvalidInput(error.message) from error


def _same_values(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether values and types are equal: `1` differs from `true` and from "1"."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def set_metadata_value_of_documents(call: ProjectCall, document_ids: Sequence[int], body: SimpleMetadata) -> int:
    """Set or, with an empty value, remove a metadata value of documents.

    Writes history with the previous value. Returns how many documents changed. Requires `modifyMetadata`.
    """
    require_permission(call, "modifyMetadata")
    check_metadata(body)
    changed: list[dict[str, Any]] = []
    timestamp = now_ms()
    for row in repository.metadata_rows(call, document_ids):
        before = row.metadata_ or {}
        after = {name: value for name, value in before.items() if name != body.name}
        if not body.removes:
            after[body.name] = body.value
        if _same_values(after, before):
            continue
        changed.append(
            {"id": row.id, "metadata_": after, "version": row.version + 1}
            | {"modified_at": timestamp, "modified_by": call.username}
        )
        old = {"name": body.name, "metadata": {body.name: before[body.name]} if body.name in before else {}}
        new = {"name": body.name, "metadata": {} if body.removes else {body.name: body.value}}
        _append_history(call, row.id, "tagged", before=old, after=new)
        call.unit.touch(call.project.id, "facets", document_id=row.id)
    repository.update_documents(call.session, changed)
    if changed:
        arg: dict[str, Any] = {"type": "tagged", "count": len(changed), "by": call.username}
        if len(document_ids) == 1:
            arg["documentIdentifier"] = repository.identifier_of(call.session, document_ids[0])
        call.unit.emit("documents", arg, project=call.project.name)
    return len(changed)


def review_document(call: ProjectCall, identifier: str, body: Review) -> ReviewState:
    """Validate a document, or take its validation back, if its version matches `If-Match`."""
    row = repository.review_row(call, identifier)
    if row is None:
        raise DeletedOrUnknown(message("none.document", "There is no document {name} in this project", name=identifier))
    document_id, identifier, version, before = row
    current = {"identifier": identifier, "version": version}
    check_version(call, version, "The document was changed by somebody else", lambda: current)
    if bool(before) != body.reviewed:
        version += 1
        values = {"id": document_id, "reviewed": body.reviewed, "version": version}
        repository.update_documents(call.session, [values | {"modified_at": now_ms(), "modified_by": call.username}])
        write_history(
            call,
            document_id,
            "document",
            document_id,
            "reviewed",
            before={"reviewed": not body.reviewed},
            after={"reviewed": body.reviewed},
        )
        call.unit.touch(call.project.id, "facets", document_id=document_id)
        training_data_changed.send(call)
        arg = {"type": "reviewed", "count": 1, "by": call.username, "documentIdentifier": identifier}
        about = EventVisibility(group=restricting_group_of_document(call, document_id))
        call.unit.emit("documents", arg, project=call.project.name, about=about)
    return ReviewState(document_identifier=identifier, reviewed=body.reviewed, version=version)


def next_unfinished_document(call: ProjectCall, identifier: str) -> UnfinishedDocument:
    """The next readable document that is not validated, in import order, from the first again after the last.

    Args:
        identifier: the document to go on from, which is itself no answer; empty or unknown: from the first.
    """
    document_id = repository.find_document_id(call, identifier) if identifier else None
    found = repository.next_unreviewed_document(call, document_id or 0)
    if document_id is not None and (found is None or found[0] == identifier):
        first = repository.next_unreviewed_document(call, 0)
        found = None if first is None or first[0] == identifier else first
    reviewed, documents = repository.count_reviewed_documents(call)
    name, title = found or (None, None)
    return UnfinishedDocument(document_identifier=name, title=title, reviewed=reviewed, documents=documents)
