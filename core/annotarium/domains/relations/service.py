"""Rules of relations. Each change is stored in the history; deleted relations can be restored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content import validation
from annotarium.content.labelling.changes import history_snapshot_of_row, record_change
from annotarium.content.labelling.restoring import find_restore_obstacle, origin_of_restore
from annotarium.content.relations.events import notify_relation_names_changed
from annotarium.content.relations.names import ensure_names
from annotarium.content.relations.repository import (
    RelationRow,
    RelationWithName,
    annotation_excerpts,
    duplicate_of,
    relations_of_documents,
)
from annotarium.content.relations.serializers import relation_row_to_json, relation_to_json
from annotarium.content.version_check import check_version
from annotarium.db.identifiers import new_id, parse_id
from annotarium.db.models import Annotation, Relation
from annotarium.db.row_marks import creation_marks, mark_deleted, mark_modified, mark_restored
from annotarium.domains.relations import repository
from annotarium.domains.relations.schemas import (
    RelationChanged,
    RelationCreate,
    RelationListed,
    RelationPatch,
    Relations,
)
from annotarium.errors import Conflict, DeletedOrUnknown, InvalidInput, NotFound
from annotarium_schemas.answers import Ack
from annotarium_schemas.corpus import DocRelation
from annotarium_schemas.messages import message

_ENDS = ("source", "target")


def list_relations(call: ProjectCall, document_identifier: str) -> Relations:
    """Live relations of a document between annotations the caller may read, oldest first."""
    document_id = _require_document(call, document_identifier)
    found = relations_of_documents(call, [document_id])
    excerpts = annotation_excerpts(call.session, [end for one in found for end in (one.source_id, one.target_id)])
    return Relations(relations=[_build_listed_relation(one, excerpts) for one in found])


def create_relation(call: ProjectCall, body: RelationCreate) -> DocRelation:
    """Link two annotations; a new name is added to the project with the next colour of the palette.

    Raises:
        NotFound: there is no such document or annotation.
        InvalidInput: the annotations are not two of this document, or a text may not be stored.
        Conflict: one of the annotations was deleted, or they already have this relation.
    """
    document_id = _require_document(call, body.document_identifier)
    _check_values(body.name, body.properties)
    source, target = _require_ends(call, document_id, body.source, body.target)
    row = Relation(
        id=new_id(),
        project_id=call.project.id,
        document_id=document_id,
        name_id=_ensure_name_id(call, body.name),
        source_id=source.id,
        target_id=target.id,
        properties=body.properties,
        **creation_marks(call.username),
    )
    _check_duplicate(call, row, body.name, body.document_identifier)
    call.session.add(row)
    call.session.flush()
    record_change(
        call, row, "created", document_identifier=body.document_identifier, after=history_snapshot_of_row(row)
    )
    return _build_relation(RelationWithName(row, body.name, body.document_identifier))


def update_relation(call: ProjectCall, identifier: str, body: RelationPatch) -> RelationChanged:
    """Change name, ends or properties in one step, keeping identity and history. Raises like `create_relation`.

    Raises:
        VersionMismatch: another user changed it in the meantime.
    """
    found = _require_relation(call, identifier)
    _check_version(call, found)
    row, name = found.row, body.name or found.name
    given = body.model_fields_set
    properties = body.properties if "properties" in given else row.properties
    _check_values(name, properties)
    ids = [getattr(body, end) or str(getattr(row, f"{end}_id")) for end in _ENDS]
    source, target = _require_ends(call, row.document_id, *ids)
    before = history_snapshot_of_row(row)
    with call.session.no_autoflush:
        name_id = _ensure_name_id(call, name) if name != found.name else row.name_id
        row.name_id, row.source_id, row.target_id, row.properties = name_id, source.id, target.id, properties
        if history_snapshot_of_row(row) == before:
            return _build_changed_relation(found)
        _check_duplicate(call, row, name, found.document)
    mark_modified(row, call.username)
    record_change(
        call, row, "updated", document_identifier=found.document, before=before, after=history_snapshot_of_row(row)
    )
    return _build_changed_relation(RelationWithName(row, name, found.document))


def delete_relation(call: ProjectCall, identifier: str) -> Ack:
    """Mark a relation as deleted; `restore_relation` restores it."""
    found = _require_relation(call, identifier)
    _check_version(call, found)
    row = found.row
    mark_deleted(row, call.username)
    record_change(call, row, "deleted", document_identifier=found.document, before=history_snapshot_of_row(row))
    return Ack()


def restore_relation(call: ProjectCall, identifier: str) -> RelationChanged:
    """Restore a deleted relation.

    Raises:
        Conflict: one of its annotations was deleted, or they have got the same relation since.
    """
    found = _require_relation(call, identifier, deleted=True)
    row = found.row
    mark_restored(row)
    obstacle = find_restore_obstacle(call, row)
    if obstacle is not None:
        raise Conflict(
            message("refused.relation", "The relation cannot be restored"),
            cause=obstacle.reason,
            fix=message("fix.endsFirst", "Restore its annotations first"),
        )
    origin = origin_of_restore(call, row)
    record_change(
        call, row, "restored", document_identifier=found.document, after=history_snapshot_of_row(row), origin=origin
    )
    return _build_changed_relation(found)


# --- checks -----------------------------------------------------------------------------------------------------------


def _build_relation(found: RelationWithName) -> DocRelation:
    return DocRelation(**relation_to_json(*found))


def _build_listed_relation(one: RelationRow, excerpts: Mapping[int, tuple[int, str]]) -> RelationListed:
    source, target = excerpts[one.source_id], excerpts[one.target_id]
    ends = {"sourceStart": source[0], "sourceText": source[1], "targetStart": target[0], "targetText": target[1]}
    return RelationListed(**relation_row_to_json(one), **ends)


def _current_state(found: RelationWithName) -> dict[str, Any]:
    """The current state with the user who changed it last."""
    return relation_to_json(*found) | {"modifiedBy": found.row.modified_by}


def _build_changed_relation(found: RelationWithName) -> RelationChanged:
    return RelationChanged(**_current_state(found))


def _require_document(call: ProjectCall, identifier: str) -> int:
    document_id = repository.find_document_id(call, identifier)
    if document_id is None:
        raise DeletedOrUnknown(message("none.document", "There is no document {name} in this project", name=identifier))
    return document_id


def _require_relation(call: ProjectCall, identifier: str, *, deleted: bool = False) -> RelationWithName:
    number = parse_id(identifier)
    found = repository.find_relation(call, number, deleted=deleted) if number is not None else None
    if found is None:
        raise DeletedOrUnknown(message("none.relation", "There is no relation {name} in this project", name=identifier))
    return found


def _require_ends(call: ProjectCall, document_id: int, source: str, target: str) -> tuple[Annotation, Annotation]:
    if source == target:
        raise InvalidInput(
            message("wrong.sameEnds", "A relation must link two different annotations"),
            fix="Choose another annotation for one of its ends",
            details=[{"field": "target", "message": message("field.sourceToo", "is also the source")}],
        )
    ends = tuple(_require_end(call, end, given) for end, given in zip(_ENDS, (source, target), strict=True))
    if ends[0].document_id != ends[1].document_id:
        raise InvalidInput(
            message("wrong.twoDocuments", "The two annotations are on different documents"),
            fix="Link annotations of one document",
            details=[
                {
                    "field": "target",
                    "message": message("field.otherThanSource", "is on another document than the source"),
                }
            ],
        )
    if ends[0].document_id != document_id:
        raise InvalidInput(
            message("wrong.otherDocument", "The annotations are on another document than the relation"),
            fix="Name the document of the annotations",
            details=[{"field": "source", "message": message("field.otherDocument", "is on another document")}],
        )
    return ends[0], ends[1]


def _require_end(call: ProjectCall, end: str, identifier: str) -> Annotation:
    number = parse_id(identifier)
    row = repository.find_end_annotation(call, number, lock=end == _ENDS[0]) if number is not None else None
    if row is None:
        raise NotFound(
            message("none.annotation", "There is no annotation {name} in this project", name=identifier[:80]),
            cause=message("wrong.endOfRelation", "It is the {end} of the relation", end=end),
            fix="It may have been deleted: reload",
            details=[{"field": end, "message": message("field.noAnnotation", "There is no such annotation")}],
        )
    if row.deleted_at is not None:
        raise Conflict(
            f"The annotation {identifier} was deleted",
            cause=message(
                "gone.endOfRelation", "It is the {end} of the relation; {who} deleted it", end=end, who=row.deleted_by
            ),
            fix="Restore it first, or choose another one",
            details=[{"field": end, "message": message("field.deleted", "was deleted")}],
        )
    return row


def _check_values(name: str, properties: dict[str, Any] | None) -> None:
    try:
        validation.check_name(name, "The name of the relation")
        validation.check_json_value(properties, "The properties")
    except validation.InvalidContent as error:
        raise InvalidInput(error.message) from error


def _check_duplicate(call: ProjectCall, row: Relation, name: str, document: str) -> None:
    duplicate = duplicate_of(call.session, row)
    if duplicate is not None:
        raise Conflict(
            "The two annotations are linked so already",
            cause=message(
                "taken.relation",
                "{who} has created the relation {name} between them",
                who=duplicate.created_by,
                name=name,
            ),
            fix="Give the relation another name, or keep the one there is",
            details=[{"current": relation_to_json(duplicate, name, document)}],
        )


def _check_version(call: ProjectCall, found: RelationWithName) -> None:
    check_version(call, found.row.version, "The relation was changed by somebody else", lambda: _current_state(found))


def _ensure_name_id(call: ProjectCall, name: str) -> int:
    known = repository.find_name(call.session, call.project.id, name)
    if known is not None:
        return known.id
    notify_relation_names_changed(call)
    return ensure_names(call.session, call.project, [name], call.username)[name].id
