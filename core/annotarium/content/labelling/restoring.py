"""Restores an annotation, category or relation to a state from its history, and finds what prevents that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling import repository
from annotarium.content.labelling.changes import (
    NEW_CHANGE,
    Change,
    ChangeOrigin,
    Item,
    history_entity_of_row,
    history_snapshot_of_row,
)
from annotarium.content.relations import repository as relations
from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation, Category, Relation
from annotarium_schemas.messages import Message, message

State = dict[str, Any]
"""Fields of a row as returned by `history_snapshot_of_row`."""
_UNCHANGED_FIELDS = ("created_by",)


@dataclass(frozen=True)
class RestoreObstacle:
    """Why a row cannot be restored.

    `others` are the rows in the way; deleting them does not remove a `firm` obstacle.
    """

    reason: str
    others: Sequence[Item] = field(default_factory=tuple)
    firm: bool = True


def current_state(row: Item) -> State | None:
    """Return the current state of the row, None when it is deleted."""
    return history_snapshot_of_row(row) if row.deleted_at is None else None


def has_state(row: Item, state: State | None) -> bool:
    """Return whether the row has this state. Fields that the history did not store at the time are not compared."""
    now = current_state(row)
    if now is None or state is None:
        return now is state
    return all(now[name] == value for name, value in state.items() if name in now)


def restore_state(call: ProjectCall, row: Item, state: State | None) -> Change:
    """Give the row the fields of `state`, or soft-delete it for None. The text of an annotation is updated with its
    range.

    Returns the change, which the caller records.
    """
    before = current_state(row)
    row.version += 1
    if state is None:
        row.deleted_at, row.deleted_by = now_ms(), call.username
        return Change(row, "deleted", before, None)
    row.deleted_at = row.deleted_by = None
    moved = isinstance(row, Annotation) and (row.start, row.end) != (state["start"], state["end"])
    for name, value in state.items():
        if name not in _UNCHANGED_FIELDS and hasattr(row, name):
            setattr(row, name, value)
    if moved and isinstance(row, Annotation):
        row.text = repository.read_slice(call.session, row.document_id, row.start, row.end)
    after = history_snapshot_of_row(row)
    if before is not None:
        row.modified_at, row.modified_by = now_ms(), call.username
    return Change(row, "restored" if before is None else "updated", before, after)


def make_rollback(row: Item) -> Callable[[], None]:
    """Return a function that resets the row to its current values, for when restoring turns out to be impossible."""
    names = [*history_snapshot_of_row(row), "deleted_at", "deleted_by", "version", "modified_at", "modified_by"]
    if isinstance(row, Annotation):
        names.append("text")
    saved = {name: getattr(row, name) for name in names}

    def roll_back() -> None:
        for name, value in saved.items():
            setattr(row, name, value)

    return roll_back


def origin_of_restore(call: ProjectCall, row: Item) -> ChangeOrigin:
    """Return the origin of restoring a row. Must be called before the restore is recorded.

    A user who restores what they deleted themselves reverts their own operation, as undo does (or redo, when undo
    deleted it): the next undo then continues before it, and redo deletes again. Restoring what another user or a job
    deleted is a new operation.
    """
    last = repository.last_change(call.session, history_entity_of_row(row), row.id)
    if last is None or last.action != "deleted" or last.actor != call.username or last.job_id is not None:
        return NEW_CHANGE
    return ChangeOrigin("redo" if last.kind == "undo" else "undo", last.id)


def find_restore_obstacle(call: ProjectCall, row: Item) -> RestoreObstacle | None:
    """Return what is wrong with a row that was just restored: a deleted label or end, or a conflicting row."""
    call.session.flush()
    if isinstance(row, Relation):
        return _find_relation_restore_obstacle(call, row)
    if repository.is_label_deleted(call.session, row.label_id):
        return RestoreObstacle(message("kept.ofLabel", "Its label has been deleted since"))
    duplicate = repository.duplicate_of(call, row)
    if duplicate is not None:
        return RestoreObstacle(relabelled_reason(duplicate), (duplicate,))
    if isinstance(row, Category) and is_confirmed(row.status, row.creation_mode):
        rivals = repository.find_conflicting_categories(call, row)
        if rivals:
            return RestoreObstacle(other_category_reason(rivals[0]), rivals, firm=False)
    return None


def _find_relation_restore_obstacle(call: ProjectCall, row: Relation) -> RestoreObstacle | None:
    ends = relations.annotations_by_id(call.session, (row.source_id, row.target_id))
    if any(end.deleted_at is not None for end in ends.values()):
        return RestoreObstacle(message("kept.ofEnd", "One of its annotations has been deleted since"))
    duplicate = relations.duplicate_of(call.session, row)
    if duplicate is None:
        return None
    return RestoreObstacle(
        message("kept.linked", "{who} has added the same relation again since", who=duplicate.created_by), (duplicate,)
    )


def relabelled_reason(duplicate: Annotation | Category) -> Message:
    """Message: the row cannot be restored because of a duplicate."""
    return message("kept.labelled", "{who} has added the same label again since", who=duplicate.created_by)


def other_category_reason(rival: Annotation | Category) -> Message:
    """Message: the category cannot be restored because another one of an exclusive set was chosen since."""
    words = "{who} has assigned another category since, and only one is allowed"
    return message("kept.rival", words, who=rival.created_by)


def effective_changes(changes: Iterable[tuple[int, int, int | None]], since: dict[int, int]) -> dict[int, list[int]]:
    """Return per entity id the changes after `since[entity]` that are still in effect, newest first.

    A change that was undone is not in effect, nor is its undo; a change that was redone is.

    Args:
        changes: (id, entity_id, id of the change it reverts), newest first.
    """
    cancelled: set[int] = set()
    found: dict[int, list[int]] = {}
    for identifier, entity_id, undoes in changes:
        if identifier in cancelled:
            continue
        first = since.get(entity_id)
        if undoes is not None:
            cancelled.add(undoes)
        if first is not None and identifier > first and (undoes is None or undoes < first):
            found.setdefault(entity_id, []).append(identifier)
    return found
