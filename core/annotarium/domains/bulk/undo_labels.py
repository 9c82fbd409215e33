"""Undoing the changes that a job made to labels and label sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import ChangeOrigin, write_history
from annotarium.db.models import History, Label, LabelSet
from annotarium.db.row_marks import mark_modified
from annotarium.domains.bulk import repository
from annotarium_schemas.messages import message

ENTITIES = frozenset({"label", "label_set"})


def undo_label_changes(call: ProjectCall, changes: Sequence[History], job_id: str) -> dict[History, str | None]:
    """Undo changes of a job, which are passed newest first. Returns why each change was not undone, or None."""
    if not changes:
        return {}
    labels = repository.label_rows(call, (change.entity_id for change in changes))
    sets = {row.id: row for row in repository.label_sets(call)}
    outcome: dict[History, str | None] = {}
    for change in changes:
        if change.entity == "label_set":
            outcome[change] = _recreate_label_set(call, change, sets)
        else:
            outcome[change] = _restore_label(call, change, labels.get(change.entity_id), sets)
    call.session.flush()
    call.unit.emit("labels", {"type": "changed", "by": call.username}, project=call.project.name)
    return outcome


def _record_undo(call: ProjectCall, change: History, action: str, before: Any, after: Any) -> None:
    origin = ChangeOrigin(undoes=change.id)
    write_history(call, 0, change.entity, change.entity_id, action, before=before, after=after, origin=origin)


def _recreate_label_set(call: ProjectCall, change: History, sets: dict[int, LabelSet]) -> str | None:
    """Create a deleted label set again, with its former id, which its labels refer to."""
    state = change.before or {}
    if change.entity_id in sets or any(row.name == state["name"] for row in sets.values()):
        return message("kept.setName", "A label set with this name has been created since")
    row = LabelSet(id=change.entity_id, project_id=call.project.id, modified_by=call.username, **state)
    call.session.add(row)
    call.session.flush()
    sets[row.id] = row
    _record_undo(call, change, "restored", None, state)
    return None


def _restore_label(call: ProjectCall, change: History, row: Label | None, sets: dict[int, LabelSet]) -> str | None:
    """Restore a deleted label, or move a label back to its former label set."""
    if row is None:
        return message("kept.gone", "It no longer exists")
    before: dict[str, Any] = change.before or {}
    if change.action == "deleted":
        if row.deleted_at is None:
            return message("kept.created", "It has been created again since")
        row.deleted_at = row.deleted_by = None
        row.label_set_id = before["label_set_id"] if before["label_set_id"] in sets else row.label_set_id
        action = "restored"
    else:
        if row.deleted_at is not None:
            return message("kept.deleted", "It has been deleted since")
        if row.label_set_id != (change.after or {})["label_set_id"]:
            return message("kept.moved", "It has been moved to another label set since")
        if before["label_set_id"] not in sets:
            return message("kept.ofSet", "Its label set has been deleted since")
        row.label_set_id, action = before["label_set_id"], "updated"
    mark_modified(row, call.username)
    _record_undo(call, change, action, change.after, before)
    return None
