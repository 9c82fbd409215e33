"""Rules of categories."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling import repository as labelling
from annotarium.corpus.labelling.changes import record_change, snapshot
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Category
from annotarium.db.times import iso
from annotarium.domains.categories import repository
from annotarium.domains.categories.schemas import (
    CategoryChanged,
    CategoryCreate,
    CategoryId,
    CategoryPatch,
    CategoryRead,
)
from annotarium.domains.labels.service import require_label
from annotarium.errors import InvalidInput, NotFound, VersionMismatch


def _read(row: Category, document: str, label: str, replaced: list[str] | None = None) -> CategoryChanged:
    return CategoryChanged(
        identifier=str(row.id),
        document_identifier=document,
        label_name=label,
        status=row.status,
        creation_mode=row.creation_mode,
        created_by=row.created_by,
        created_date=iso(row.created_at) or "",
        modified_date=iso(row.modified_at) or "",
        score=row.score,
        start=row.start,
        end=row.end,
        version=row.version,
        replaced=replaced or [],
    )


def create_category(call: ProjectCall, body: CategoryCreate) -> CategoryRead:
    """Categorise a document or a sentence.

    In an exclusive label set the new category replaces the others of its set, in the same transaction (T-017). The same
    category again gives the one there is; one that was rejected or only suggested is confirmed.
    """
    target = repository.find_target(call, body.document_identifier)
    if target is None:
        raise NotFound(f"There is no document {body.document_identifier} in this project")
    if body.end is not None and body.end > target.length:
        raise InvalidInput(
            f"The sentence ends after the document of {target.length} characters",
            details=[{"field": "end", "message": f"must be at most {target.length}"}],
        )
    label = require_label(call, body.label_name)
    replaced = _replace_rivals(call, target, body) if body.status != "KO" else []
    for twin in repository.find_twins(call, target.document_id, label, body.start, body.end):
        if twin.status == body.status and twin.created_by == call.username:
            return _read(twin, target.identifier, label.name, replaced)
        _delete(call, twin, target.identifier)
        replaced.append(str(twin.id))
    moment = now_ms()
    row = Category(
        id=new_id(),
        project_id=call.project.id,
        document_id=target.document_id,
        label_id=label.id,
        start=body.start,
        end=body.end,
        status=body.status,
        creation_mode=body.creation_mode,
        score=body.score,
        properties=body.properties,
        created_by=call.username,
        modified_by=call.username,
        created_at=moment,
        modified_at=moment,
        version=1,
    )
    call.session.add(row)
    record_change(call, row, "created", document_identifier=target.identifier, after=snapshot(row))
    return _read(row, target.identifier, label.name, replaced)


def _replace_rivals(call: ProjectCall, target: repository.Target, body: CategoryCreate) -> list[str]:
    label = require_label(call, body.label_name)
    if not repository.is_exclusive(call, label):
        return []
    replaced = []
    for rival in repository.rivals(call, target.document_id, label, body.start, body.end):
        if rival.label_id != label.id:
            _delete(call, rival, target.identifier)
            replaced.append(str(rival.id))
    return replaced


def _delete(call: ProjectCall, row: Category, document: str) -> None:
    before = snapshot(row)
    row.deleted_at, row.deleted_by, row.version = now_ms(), call.username, row.version + 1
    record_change(call, row, "deleted", document_identifier=document, before=before)


def _require(call: ProjectCall, identifier: str) -> tuple[Category, str, str]:
    row = repository.find_category(call, int(identifier)) if identifier.isdigit() else None
    if row is None:
        raise NotFound(f"There is no category {identifier} in this project", fix="It may have been deleted: reload")
    document = repository.document_identifier(call.session, row.document_id)
    label = labelling.label_name(call.session, row.label_id)
    if call.if_match is not None and call.if_match != row.version:
        current = _read(row, document, label).model_dump(mode="json", by_alias=True)
        raise VersionMismatch("The category was changed by somebody else", details=[{"current": current}])
    return row, document, label


def update_category(call: ProjectCall, identifier: str, body: CategoryPatch) -> CategoryChanged:
    """Confirm, reject or reset a category."""
    row, document, label = _require(call, identifier)
    before = snapshot(row)
    if "status" in body.model_fields_set:
        row.status = body.status
    row.modified_at, row.modified_by, row.version = now_ms(), call.username, row.version + 1
    record_change(call, row, "updated", document_identifier=document, before=before, after=snapshot(row))
    return _read(row, document, label)


def delete_category(call: ProjectCall, identifier: str) -> CategoryId:
    """Delete a category; history keeps it."""
    row, document, _ = _require(call, identifier)
    _delete(call, row, document)
    return CategoryId(identifier=identifier)
