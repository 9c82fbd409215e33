"""Undoing the changes that a job made to relations; their annotations must have been restored before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import (
    ChangeOrigin,
    mark_ranges_for_indexing,
    notify_bulk_change,
    write_history,
)
from annotarium.content.labelling.restoring import find_restore_obstacle, has_state, make_rollback, restore_state
from annotarium.content.relations.events import notify_relation_names_changed
from annotarium.db.models import History, Relation
from annotarium.db.row_marks import mark_modified
from annotarium.domains.bulk import repository
from annotarium_schemas.messages import message

NAME = "relation_name"


def undo_relation_changes(
    call: ProjectCall, changes: Sequence[History], later: Mapping[int, tuple[str, int]]
) -> dict[History, str | None]:
    """Undo changes of a job, which are passed newest first. Returns why each change was not undone, or None.

    Args:
        later: user name and timestamp of a later change, by relation id.
    """
    rows = repository.relation_rows(call, [change.entity_id for change in changes])
    documents = repository.reachable_document_ids(call, {change.document_id for change in changes})
    outcome: dict[History, str | None] = {}
    for change in changes:
        row = rows.get(change.entity_id)
        if row is None:
            outcome[change] = message("kept.gone", "It no longer exists")
        elif change.document_id not in documents:
            outcome[change] = message("kept.outOfReach", "You do not have access to it")
        elif change.entity_id in later:
            outcome[change] = message("kept.changedBy", "{who} has changed it since", who=later[change.entity_id][0])
        elif not has_state(row, change.after):
            outcome[change] = message("kept.changed", "It has been changed since")
        else:
            outcome[change] = _restore_relation(call, change, row)
    for document_id in {change.document_id for change, reason in outcome.items() if reason is None}:
        mark_ranges_for_indexing(call, document_id, ((0, 0),))
    taken = sum(reason is None for reason in outcome.values())
    if taken:
        notify_bulk_change(call, "undone", taken, answers=0)
    return outcome


def undo_relation_name_changes(call: ProjectCall, changes: Sequence[History]) -> dict[History, str | None]:
    """Restore relation names that a job deleted, before their relations. Returns why one was not restored, or None."""
    outcome: dict[History, str | None] = {}
    for change in changes:
        row = repository.find_relation_name(call, change.entity_id)
        if row is None:
            outcome[change] = message("kept.gone", "It no longer exists")
        elif row.deleted_at is None:
            outcome[change] = message("kept.created", "It has been created again since")
        elif repository.is_relation_name_taken(call, row.name):
            outcome[change] = message("kept.relationName", "The same relation name has been created since")
        else:
            row.deleted_at = row.deleted_by = None
            mark_modified(row, call.username)
            call.session.flush()
            origin = ChangeOrigin("undo", change.id)
            write_history(call, 0, NAME, row.id, "restored", before=None, after=change.before, origin=origin)
            notify_relation_names_changed(call)
            outcome[change] = None
    return outcome


def _restore_relation(call: ProjectCall, change: History, row: Relation) -> str | None:
    roll_back = make_rollback(row)
    _, action, before, after = restore_state(call, row, change.before)
    obstacle = find_restore_obstacle(call, row) if row.deleted_at is None else None
    if obstacle is not None:
        roll_back()
        return obstacle.reason
    write_history(
        call,
        change.document_id,
        "relation",
        row.id,
        action,
        before=before,
        after=after,
        origin=ChangeOrigin("undo", change.id),
    )
    return None
