"""Rules of names of relations and their colours."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.content import validation
from annotarium.content.labelling.changes import write_history
from annotarium.content.relations.events import notify_relation_names_changed
from annotarium.content.relations.names import ensure_names
from annotarium.content.repository import insert_outbox
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import RelationName
from annotarium.db.row_marks import mark_modified
from annotarium.domains.relations import name_deletion, repository
from annotarium.domains.relations.name_deletion import ENTITY, delete_name_only, relation_name_snapshot
from annotarium.domains.relations.schemas import (
    RelationNameConsequences,
    RelationNameCreate,
    RelationNameDeleted,
    RelationNamePatch,
    RelationNameRead,
)
from annotarium.errors import Conflict, InvalidInput, NotFound
from annotarium.jobs.serializers import job_to_json
from annotarium_schemas.answers import CreatorCount
from annotarium_schemas.messages import message


def list_names(call: ProjectCall) -> list[RelationNameRead]:
    """Names in creation order. A deleted name is included while a restored relation still has it."""
    counts = repository.count_name_uses(call)
    found: dict[str, RelationNameRead] = {}
    rows = sorted(repository.list_names(call.session, call.project.id), key=lambda row: row.deleted_at is not None)
    for row in rows:
        count = counts.get(row.id, 0)
        if row.name in found:
            found[row.name].count += count
        elif row.deleted_at is None or count:
            (found[row.name],) = convert_readable_rows(
                [row], lambda one: RelationNameRead(name=one.name, color=one.color, count=counts.get(one.id, 0))
            )
    return list(found.values())


def update_name(call: ProjectCall, name: str, body: RelationNamePatch) -> RelationNameRead:
    """Rename a name with all its relations, or change its colour.

    Raises:
        Conflict: the project has another name of that text.
    """
    row = _require_name(call, name)
    before = relation_name_snapshot(row)
    if body.new_name is not None and body.new_name != row.name:
        _check_relation_name(body.new_name, "newName")
        if repository.find_name(call.session, call.project.id, body.new_name) is not None:
            raise Conflict(
                message(
                    "taken.relationName", "The relation name {name} already exists in this project", name=body.new_name
                ),
                fix="Choose another name, or give those relations this one",
                details=[{"field": "newName", "message": message("field.taken", "is already in use")}],
            )
        row.name = body.new_name
        documents = repository.documents_with_relation_name(call, row.id)
        call.unit.touched += insert_outbox(call.session, call.project.id, documents, "facets")
    if body.color is not None:
        row.color = body.color.upper()
    if relation_name_snapshot(row) != before:
        mark_modified(row, call.username)
        write_history(call, 0, ENTITY, row.id, "updated", before=before, after=relation_name_snapshot(row))
        notify_relation_names_changed(call)
    return RelationNameRead(name=row.name, color=row.color, count=repository.count_name_uses(call).get(row.id, 0))


def create_name(call: ProjectCall, body: RelationNameCreate) -> RelationNameRead:
    """Add a name before any relation uses it; a deleted name of the same text is restored.

    Raises:
        Conflict: the project already has the name.
    """
    _check_relation_name(body.name, "name")
    if repository.find_name(call.session, call.project.id, body.name) is not None:
        raise Conflict(
            message("taken.relationName", "The relation name {name} already exists in this project", name=body.name),
            fix=message("fix.otherName", "Choose another name"),
            details=[{"field": "name", "message": message("field.taken", "is already in use")}],
        )
    row = ensure_names(call.session, call.project, [body.name], call.username)[body.name]
    if body.color is not None:
        row.color = body.color.upper()
        call.session.flush()
    write_history(call, 0, ENTITY, row.id, "created", before=None, after=relation_name_snapshot(row))
    notify_relation_names_changed(call)
    return RelationNameRead(name=row.name, color=row.color, count=repository.count_name_uses(call).get(row.id, 0))


def count_consequences(call: ProjectCall, name: str) -> RelationNameConsequences:
    """What deleting the name would delete, as far as the caller may read it."""
    row = _require_name(call, name)
    read = _count_readable_relations(call, row)
    return RelationNameConsequences(
        relations=read,
        hidden=_count_relations(call, row) > read,
        documents=repository.count_documents_with_name(call, row.id),
        creators=[CreatorCount(created_by=who, count=n) for who, n in repository.count_creators(call, row.id)],
    )


def delete_name(call: ProjectCall, name: str, *, with_relations: bool = False) -> RelationNameDeleted:
    """Delete a name; with `with_relations` together with its relations, by a job that can be undone.

    Raises:
        Conflict: relations use the name; `details` has the number of those the caller may read.
    """
    row = _require_name(call, name)
    count = _count_relations(call, row)
    if not count:
        delete_name_only(call, row)
        return RelationNameDeleted()
    if with_relations:
        job = name_deletion.delete_name_with_relations(call, row, count)
        return RelationNameDeleted(removed_count=count, remove_job=job_to_json(job, call.project))
    read = _count_readable_relations(call, row)
    words = (
        "1 relation is" if read == 1 else f"{read:,} relations are" if read else "Relations that you may not see are"
    )
    raise Conflict(
        f"{words} called {name}",
        cause=message("taken.relationUsed", "A relation name can be deleted only if no relation has it"),
        fix="Give them another name first, or delete them with it",
        details=[{"count": read}],
    )


def _count_relations(call: ProjectCall, row: RelationName) -> int:
    return repository.count_name_uses(call, name_id=row.id, of_everyone=True).get(row.id, 0)


def _count_readable_relations(call: ProjectCall, row: RelationName) -> int:
    return repository.count_name_uses(call, name_id=row.id).get(row.id, 0)


def _require_name(call: ProjectCall, name: str) -> RelationName:
    row = repository.find_name(call.session, call.project.id, name)
    if row is None:
        raise NotFound(
            message("none.relationName", "No relation in this project has the name {name}", name=name[:80]),
            fix="It may have been renamed: reload",
        )
    return row


def _check_relation_name(name: str, field: str) -> None:
    try:
        validation.check_name(name, "The name")
    except validation.InvalidContent as error:
        raise InvalidInput(error.message, details=[{"field": field, "message": error.message}]) from error
