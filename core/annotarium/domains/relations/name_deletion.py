"""Deletes a name with all its relations, in steps. A job is stored, so that the deletion can be undone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import Change, history_snapshot_of_row, record_changes, write_history
from annotarium.content.relations.events import notify_relation_names_changed
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job, Relation, RelationName
from annotarium.domains.relations import repository
from annotarium.jobs.job_creation import add_finished_job, start_job
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
    row.deleted_at, row.deleted_by, row.version = now_ms(), call.username, row.version + 1
    call.session.flush()
    notify_relation_names_changed(call)


def delete_next_relations(call: ProjectCall, name: str) -> bool:
    """Delete up to `STEP` relations of a name, or if there are none, the name; returns whether there were any."""
    row = repository.find_name(call.session, call.project.id, name)
    if row is None:
        return False
    relations = repository.lock_relations_of_name(call, row.id, STEP)
    record_changes(call, [_delete(call, relation) for relation in relations])
    call.session.flush()
    if not relations:
        delete_name_only(call, row)
    return bool(relations)


def _delete(call: ProjectCall, row: Relation) -> Change:
    before = history_snapshot_of_row(row)
    row.deleted_at, row.deleted_by, row.version = now_ms(), call.username, row.version + 1
    return row, "deleted", before, None


def delete_name_with_relations(call: ProjectCall, row: RelationName, count: int) -> Job:
    """Do it now when they are few, else start the job. The job answers for it in both cases."""
    arguments = {"project_name": call.project.name, "name": row.name}
    words = message("start.deleteRelations", "Deleting the relations {name}", name=row.name)
    job_values: dict[str, Any] = {"project": call.project, "created_by": call.username, "description": words}
    if count > DIRECT_MAX:
        return start_job(
            call.unit,
            type="UNSPECIFIED",
            function=DELETE,
            arguments=arguments,
            total_steps=count,
            undoable=True,
            **job_values,
        )
    inner = replace(call, job_id=uuid4().hex)
    while delete_next_relations(inner, row.name):
        pass
    call.unit.write_appended()
    assert inner.job_id is not None
    documents, changes = repository.count_job_changes(call.session, inner.job_id)
    result = {"documents": documents, "changes": changes}
    return add_finished_job(
        call.unit,
        id=inner.job_id,
        type="UNSPECIFIED",
        function=DELETE,
        arguments=arguments,
        result=result,
        **job_values,
    )
