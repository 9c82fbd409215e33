"""Deletes a name with all its relations, in steps. A job is stored, so that the deletion can be undone."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import (
    delete_row,
    record_changes,
    write_history,
)
from annotarium.content.labelling.operation_jobs import run_or_start_job
from annotarium.content.relations.events import notify_relation_names_changed
from annotarium.db.models import Job, RelationName
from annotarium.db.row_marks import mark_deleted
from annotarium.domains.relations import repository
from annotarium_schemas.messages import message

ENTITY = "relation_name"
DELETE = "delete_relation_name"
DIRECT_MAX = 2_000
"""Maximum number of relations deleted within the request; more are deleted by a job."""
STEP = 1_000
"""Number of relations per step."""


def relation_name_snapshot(row: RelationName) -> dict[str, Any]:
    """The fields of a name that history stores."""
    return {"name": row.name, "color": row.color}


def delete_name_only(call: ProjectCall, row: RelationName) -> None:
    """Mark the name as deleted; its row is kept for relations that may be restored."""
    write_history(call, 0, ENTITY, row.id, "deleted", before=relation_name_snapshot(row), after=None)
    mark_deleted(row, call.username)
    call.session.flush()
    notify_relation_names_changed(call)


def delete_next_relations(call: ProjectCall, name: str) -> bool:
    """Delete up to `STEP` relations of a name, or if there are none, the name; returns whether there were any."""
    row = repository.find_name(call.session, call.project.id, name)
    if row is None:
        return False
    relations = repository.lock_relations_of_name(call, row.id, STEP)
    record_changes(call, [delete_row(call, relation) for relation in relations])
    call.session.flush()
    if not relations:
        delete_name_only(call, row)
    return bool(relations)


def delete_name_with_relations(call: ProjectCall, row: RelationName, count: int) -> Job:
    """Do it now when they are few, else start the job. The job answers for it in both cases."""

    def run(inner: ProjectCall) -> None:
        while delete_next_relations(inner, row.name):
            pass

    return run_or_start_job(
        call,
        run,
        rows=count,
        direct_max=DIRECT_MAX,
        type="UNSPECIFIED",
        function=DELETE,
        arguments={"name": row.name},
        description=message("start.deleteRelations", "Deleting the relations {name}", name=row.name),
    )
