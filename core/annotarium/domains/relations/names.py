"""Rules of the names of relations: what a project calls them, and in which colours."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.corpus import gate
from annotarium.corpus.labelling.changes import write_history
from annotarium.corpus.relations.telling import tell_names
from annotarium.db.identifiers import now_ms
from annotarium.db.models import RelationName
from annotarium.domains.relations import repository
from annotarium.domains.relations.schemas import RelationNamePatch, RelationNameRead
from annotarium.errors import Conflict, InvalidInput, NotFound
from annotarium_schemas.answers import Ack

_ENTITY = "relation_name"


def list_names(call: ProjectCall) -> list[RelationNameRead]:
    """Names in the order of their creation; a deleted one is there while a restored relation still has it."""
    counts = repository.count_uses(call)
    found: dict[str, RelationNameRead] = {}
    rows = sorted(repository.list_names(call.session, call.project.id), key=lambda row: row.deleted_at is not None)
    for row in rows:
        count = counts.get(row.id, 0)
        if row.name in found:
            found[row.name].count += count
        elif row.deleted_at is None or count:
            found[row.name] = RelationNameRead(name=row.name, color=row.color, count=count)
    return list(found.values())


def update_name(call: ProjectCall, name: str, body: RelationNamePatch) -> RelationNameRead:
    """Give a name another colour or other words; all relations that have it follow.

    Raises:
        Conflict: another name of the project says the same.
    """
    row = _require_name(call, name)
    before = _state(row)
    if body.new_name is not None and body.new_name != row.name:
        _check(body.new_name)
        if repository.find_name(call.session, call.project.id, body.new_name) is not None:
            raise Conflict(
                f"Relations of this project can be called {body.new_name} already",
                fix="Choose another name, or give those relations this one",
                details=[{"field": "newName", "message": "is taken"}],
            )
        row.name = body.new_name
    if body.color is not None:
        row.color = body.color.upper()
    if _state(row) != before:
        row.modified_at, row.modified_by, row.version = now_ms(), call.username, row.version + 1
        write_history(call, 0, _ENTITY, row.id, "updated", before=before, after=_state(row))
        tell_names(call)
    return RelationNameRead(name=row.name, color=row.color, count=repository.count_uses(call).get(row.id, 0))


def delete_name(call: ProjectCall, name: str) -> Ack:
    """Delete a name that no relation has.

    Raises:
        Conflict: relations have it; `details` say how many.
    """
    row = _require_name(call, name)
    count = repository.count_uses(call, name_id=row.id, everybodys=True).get(row.id, 0)
    if count:
        words = "1 relation is" if count == 1 else f"{count:,} relations are"
        raise Conflict(
            f"{words} called {name}",
            cause="A name can go when nothing is called by it",
            fix="Give them another name first, or delete them",
            details=[{"count": count}],
        )
    write_history(call, 0, _ENTITY, row.id, "deleted", before=_state(row), after=None)
    row.deleted_at, row.deleted_by, row.version = now_ms(), call.username, row.version + 1
    tell_names(call)
    return Ack()


def _state(row: RelationName) -> dict[str, Any]:
    return {"name": row.name, "color": row.color}


def _require_name(call: ProjectCall, name: str) -> RelationName:
    row = repository.find_name(call.session, call.project.id, name)
    if row is None:
        raise NotFound(f"No relation of this project is called {name[:80]}", fix="It may have been renamed: reload")
    return row


def _check(name: str) -> None:
    try:
        gate.check_name(name, "The name")
    except gate.Refused as error:
        raise InvalidInput(error.message, details=[{"field": "newName", "message": error.message}]) from error
