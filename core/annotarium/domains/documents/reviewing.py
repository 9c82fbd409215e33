"""Validating documents: somebody annotated one to the end; the next one that nobody did."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import write_history
from annotarium.content.training_data import training_data_changed
from annotarium.content.version_check import check_version
from annotarium.db.identifiers import now_ms
from annotarium.domains.documents import repository
from annotarium.domains.documents.schemas import Review, ReviewState, UnfinishedDocument
from annotarium.errors import DeletedOrUnknown
from annotarium_schemas.messages import message


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
        call.unit.emit("documents", arg, project=call.project.name)
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
