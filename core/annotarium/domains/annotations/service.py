"""Rules of annotations. Every change is in the history, and deleted annotations can be restored."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import NEW_CHANGE, ChangeOrigin, history_snapshot_of_row, record_change
from annotarium.content.labelling.fragments import FragmentList, fit_fragments, fragments_error, fragments_to_json
from annotarium.content.labelling.restoring import find_restore_obstacle, origin_of_restore
from annotarium.content.relations.repository import relations_of_documents
from annotarium.content.relations.serializers import relation_row_to_json
from annotarium.content.version_check import check_version
from annotarium.db.identifiers import new_id, now_ms, parse_id
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Annotation
from annotarium.db.row_marks import mark_deleted, mark_modified, mark_restored
from annotarium.db.timestamps import iso
from annotarium.domains.annotations import repository
from annotarium.domains.annotations.repository import AnnotationTarget, FoundAnnotation
from annotarium.domains.annotations.schemas import (
    AnnotationCreate,
    AnnotationPatch,
    AnnotationRead,
    Changed,
    Fragments,
)
from annotarium.domains.annotations.term_links import terms_to_store
from annotarium.domains.labels.service import require_label
from annotarium.errors import Conflict, DeletedOrUnknown, InvalidInput, NotFound
from annotarium_schemas.answers import Ack
from annotarium_schemas.corpus import DocRelation
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message


def build_annotation_read_model(row: Annotation, document_identifier: str, label_name: str) -> Changed:
    """The serialised form of an annotation after a change."""
    return Changed(
        identifier=str(row.id),
        document_identifier=document_identifier,
        label_name=label_name,
        start=row.start,
        end=row.end,
        text=row.text,
        status=row.status,
        creation_mode=row.creation_mode,
        created_by=remove_imported_prefix(row.created_by),
        created_date=iso(row.created_at) or "",
        modified_date=iso(row.modified_at) or "",
        modified_by=remove_imported_prefix(row.modified_by),
        imported_by=row.imported_by,
        imported_date=iso(row.imported_at),
        score=row.score,
        version=row.version,
        terms=None if row.terms is None else [Term.model_validate(term) for term in row.terms],
        properties=row.properties,
        **fragments_to_json(row.fragments, row.text, row.start),
    )


def _check_span(length: int, start: int, end: int) -> None:
    if not start < end <= length:
        raise InvalidInput(
            message(
                "wrong.outside",
                "{start}-{end} is outside the document of {length:,} characters",
                start=start,
                end=end,
                length=length,
            ),
            fix="Send code-point offsets with 0 <= start < end <= length",
            details=[
                {
                    "field": "end",
                    "message": message(
                        "field.endOfSpan", "must be greater than start and at most {length:,}", length=length
                    ),
                }
            ],
        )


def _check_text_matches_document(target: AnnotationTarget, start: int, end: int, text: str | None) -> None:
    if text is not None and text != target.slice:
        raise InvalidInput(
            "The text of the annotation is not the text of the document at these offsets",
            cause=message(
                "wrong.otherText",
                "The document has “{there}” at {start}-{end}, but the request has “{text}”",
                there=target.slice[:80],
                start=start,
                end=end,
                text=text[:80],
            ),
            fix="Count Unicode code points, not UTF-16 units, and send the exact slice",
            details=[{"field": "text", "message": message("field.differs", "differs from the document")}],
        )


def _checked_fragments(fragments: Fragments | None, start: int, end: int) -> FragmentList | None:
    """The fragments in their stored form; raises `InvalidInput` if they do not fit the span."""
    if fragments is None:
        return None
    stored_fragments = [list(fragment) for fragment in fragments]
    fault = fragments_error(stored_fragments, start, end)
    if fault is not None:
        raise InvalidInput(
            "The pieces of the annotation do not fit",
            cause=f"{fault[:1].upper()}{fault[1:]}; they are {str(stored_fragments)[:80]} of {start}-{end}",
            fix="Send two or more [start, end], in order, with gaps between them, from start to end of the annotation",
            details=[{"field": "fragments", "message": fault}],
        )
    return stored_fragments


def _span_after_update(row: Annotation, body: AnnotationPatch) -> tuple[int, int, FragmentList | None]:
    """Start, end and fragments after a change.

    Fragments without offsets determine the offsets; offsets without fragments resize a discontinuous annotation.
    """
    start = body.start if body.start is not None else row.start
    end = body.end if body.end is not None else row.end
    if body.fragments:
        start = body.start if body.start is not None else body.fragments[0][0]
        end = body.end if body.end is not None else body.fragments[-1][1]
    if "fragments" in body.model_fields_set:
        return start, end, _checked_fragments(body.fragments, start, end)
    return start, end, fit_fragments(row.fragments, start, end) if row.fragments else None


def create_annotation(call: ProjectCall, body: AnnotationCreate) -> AnnotationRead:
    """Create an annotation. If the caller has one with the same span and label, that one gets the requested status
    and terms.
    """
    start, end = body.start, max(body.end, body.start)
    target = repository.find_annotation_target(call, body.document_identifier, body.label_name, start, end)
    if target is None:
        raise NotFound(
            message("none.document", "There is no document {name} in this project", name=body.document_identifier)
        )
    _check_span(target.length, body.start, body.end)
    _check_text_matches_document(target, body.start, body.end, body.text)
    label_id = target.label_id if target.label_id is not None else require_label(call, body.label_name).id
    stored_fragments = _checked_fragments(body.fragments, body.start, body.end)
    duplicate = repository.find_duplicate(call, target.document_id, label_id, body.start, body.end, stored_fragments)
    if duplicate is not None:
        return _update_status_of_duplicate(call, duplicate, target, body)
    timestamp = now_ms()
    values = {
        "id": new_id(),
        "project_id": call.project.id,
        "document_id": target.document_id,
        "label_id": label_id,
        "start": body.start,
        "end": body.end,
        "text": target.slice,
        "status": body.status,
        "creation_mode": body.creation_mode,
        "score": body.score,
        "properties": body.properties,
        "terms": terms_to_store(call, body.terms) or None,
        "fragments": stored_fragments,
        "created_by": call.username,
        "modified_by": call.username,
        "created_at": timestamp,
        "modified_at": timestamp,
        "version": 1,
    }
    row = Annotation(**values)
    call.unit.append(Annotation, values)
    _record_annotation_change(
        call, row, "created", target.identifier, body.label_name, after=history_snapshot_of_row(row)
    )
    return build_annotation_read_model(row, target.identifier, body.label_name)


def _record_annotation_change(
    call: ProjectCall,
    row: Annotation,
    action: str,
    document: str,
    label: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    origin: ChangeOrigin = NEW_CHANGE,
) -> None:
    states = {"before": before, "after": after}
    record_change(call, row, action, document_identifier=document, **states, origin=origin, label_name=label)


def _update_status_of_duplicate(
    call: ProjectCall, row: Annotation, target: AnnotationTarget, body: AnnotationCreate
) -> AnnotationRead:
    before = history_snapshot_of_row(row)
    row.status = body.status
    if body.terms:
        row.terms = terms_to_store(call, body.terms)
    if history_snapshot_of_row(row) != before:
        mark_modified(row, call.username)
        _record_annotation_change(
            call, row, "updated", target.identifier, body.label_name, before=before, after=history_snapshot_of_row(row)
        )
    return build_annotation_read_model(row, target.identifier, body.label_name)


def require_annotation(call: ProjectCall, identifier: str, *, deleted: bool = False) -> FoundAnnotation:
    """The annotation if the caller may read it, otherwise raises `NotFound`."""
    number = parse_id(identifier)
    found = repository.find_annotation(call, number, deleted=deleted) if number is not None else None
    if found is None:
        raise DeletedOrUnknown(
            message("none.annotation", "There is no annotation {name} in this project", name=identifier)
        )
    return found


def _check_version(call: ProjectCall, found: FoundAnnotation) -> None:
    def current() -> dict[str, Any]:
        return build_annotation_read_model(found.row, found.document, found.label).model_dump(
            mode="json", by_alias=True
        )

    check_version(call, found.row.version, "The annotation was changed by somebody else", current)


def update_annotation(call: ProjectCall, identifier: str, body: AnnotationPatch) -> Changed:
    """Change status, label, offsets, fragments or terms in one step; identity and history stay (T-016).

    A request that changes nothing writes no history, and there is nothing to undo.
    """
    found = require_annotation(call, identifier)
    row, label_name = found.row, found.label
    _check_version(call, found)
    start, end, stored_fragments = _span_after_update(row, body)
    _check_span(found.length, start, end)
    before = history_snapshot_of_row(row)
    if body.label_name is not None:
        label = require_label(call, body.label_name)
        row.label_id, label_name = label.id, label.name
    if "status" in body.model_fields_set:
        row.status = body.status
    if (start, end) != (row.start, row.end):
        row.text = repository.read_slice(call.session, row.document_id, start, end)
        row.start, row.end = start, end
    row.fragments = stored_fragments
    if "terms" in body.model_fields_set:
        row.terms = terms_to_store(call, body.terms)
    if history_snapshot_of_row(row) == before:
        return build_annotation_read_model(row, found.document, label_name)
    mark_modified(row, call.username)
    repository.update_annotation_row(call.session, row)
    _record_annotation_change(
        call, row, "updated", found.document, label_name, before=before, after=history_snapshot_of_row(row)
    )
    return build_annotation_read_model(row, found.document, label_name)


def delete_annotation(call: ProjectCall, identifier: str) -> Ack:
    """Delete an annotation; `restore_annotation` restores it."""
    found = require_annotation(call, identifier)
    row = found.row
    _check_version(call, found)
    mark_deleted(row, call.username)
    repository.update_annotation_row(call.session, row)
    _record_annotation_change(call, row, "deleted", found.document, found.label, before=history_snapshot_of_row(row))
    return Ack()


def restore_annotation(call: ProjectCall, identifier: str) -> Changed:
    """Restore a deleted annotation together with its relations to annotations that are not deleted."""
    found = require_annotation(call, identifier, deleted=True)
    row = found.row
    if found.label_deleted:
        raise Conflict(
            message("refused.ofLabel", "The label of this annotation was deleted"),
            fix=message("fix.labelAgain", "Create the label again, then restore"),
        )
    mark_restored(row)
    repository.update_annotation_row(call.session, row)
    obstacle = find_restore_obstacle(call, row)
    if obstacle is not None:
        raise Conflict(message("refused.annotation", "The annotation cannot be restored"), cause=obstacle.reason)
    origin = origin_of_restore(call, row)
    _record_annotation_change(
        call, row, "restored", found.document, found.label, after=history_snapshot_of_row(row), origin=origin
    )
    back = relations_of_documents(call, [row.document_id], of=row.id)
    own = [DocRelation(**relation_row_to_json(one)) for one in back]
    return build_annotation_read_model(row, found.document, found.label).model_copy(update={"relations": own or None})
