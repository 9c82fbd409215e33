"""Putting an annotation, category or relation back to how its history says it was, and what stands in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling import repository
from annotarium.corpus.labelling.changes import MADE, Change, Item, Origin, entity_of, snapshot
from annotarium.corpus.relations import repository as relations
from annotarium.db.dataset import is_confirmed
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation, Category, Relation
from annotarium_schemas.said import Said, say

TABLES: dict[str, repository.Table] = {"annotation": Annotation, "category": Category, "relation": Relation}
State = dict[str, Any]
"""Fields of a row, as `snapshot` gives them."""
_KEPT_FIELDS = ("created_by",)


@dataclass(frozen=True)
class Obstacle:
    """Why a row cannot be as it was. `others` are in the way; `firm` obstacles do not go by deleting them."""

    reason: str
    others: Sequence[Item] = field(default_factory=tuple)
    firm: bool = True


def present(row: Item) -> State | None:
    """The row as it is, None when it is deleted."""
    return snapshot(row) if row.deleted_at is None else None


def is_as(row: Item, state: State | None) -> bool:
    """Whether the row is as history says it was; fields that history did not keep then do not count."""
    now = present(row)
    if now is None or state is None:
        return now is state
    return all(now[name] == value for name, value in state.items() if name in now)


def put_back(call: ProjectCall, row: Item, state: State | None) -> Change:
    """Give the row the fields of `state`, delete it for None; the caller records the change. Its text follows."""
    before = present(row)
    row.version += 1
    if state is None:
        row.deleted_at, row.deleted_by = now_ms(), call.username
        return row, "deleted", before, None
    row.deleted_at = row.deleted_by = None
    moved = isinstance(row, Annotation) and (row.start, row.end) != (state["start"], state["end"])
    for name, value in state.items():
        if name not in _KEPT_FIELDS and hasattr(row, name):
            setattr(row, name, value)
    if moved and isinstance(row, Annotation):
        row.text = repository.read_slice(call.session, row.document_id, row.start, row.end)
    after = snapshot(row)
    if before is not None:
        row.modified_at, row.modified_by = now_ms(), call.username
    return row, "restored" if before is None else "updated", before, after


def remembered(row: Item) -> Callable[[], None]:
    """What makes the row again what it is now, when putting it back turns out to be impossible."""
    names = [*snapshot(row), "deleted_at", "deleted_by", "version", "modified_at", "modified_by"]
    if isinstance(row, Annotation):
        names.append("text")
    kept = {name: getattr(row, name) for name in names}

    def again() -> None:
        for name, value in kept.items():
            setattr(row, name, value)

    return again


def origin_of_restoring(call: ProjectCall, row: Item) -> Origin:
    """How bringing a row back came about, asked before it is recorded.

    Who brings back what they deleted themselves takes that act back, as undo does (or redo, when undo deleted it): then
    undo goes on before it, and redo deletes again. What somebody else or a job deleted comes back by a new act.
    """
    last = repository.last_change(call.session, entity_of(row), row.id)
    if last is None or last.action != "deleted" or last.actor != call.username or last.job_id is not None:
        return MADE
    return Origin("redo" if last.kind == "undo" else "undo", last.id)


def obstacle_after(call: ProjectCall, row: Item) -> Obstacle | None:
    """What is wrong with a row that was just put back: its label or an end is gone, or something else stands there."""
    call.session.flush()
    if isinstance(row, Relation):
        return _obstacle_of_relation(call, row)
    if repository.is_label_deleted(call.session, row.label_id):
        return Obstacle(say("kept.ofLabel", "Its label was deleted since"))
    twin = repository.twin_of(call, row)
    if twin is not None:
        return Obstacle(labelled_again(twin), (twin,))
    if isinstance(row, Category) and is_confirmed(row.status, row.creation_mode):
        rivals = repository.rivals_of(call, row)
        if rivals:
            return Obstacle(given_another(rivals[0]), rivals, firm=False)
    return None


def _obstacle_of_relation(call: ProjectCall, row: Relation) -> Obstacle | None:
    ends = relations.ends_of(call.session, (row.source_id, row.target_id))
    if any(end.deleted_at is not None for end in ends.values()):
        return Obstacle(say("kept.ofEnd", "One of its annotations was deleted since"))
    twin = relations.twin_of(call.session, row)
    if twin is None:
        return None
    return Obstacle(say("kept.linked", "{who} linked them so again since", who=twin.created_by), (twin,))


def labelled_again(twin: Annotation | Category) -> Said:
    """Why a row cannot come back where another one says the same."""
    return say("kept.labelled", "{who} labelled it so again since", who=twin.created_by)


def given_another(rival: Annotation | Category) -> Said:
    """Why a category cannot come back beside another one."""
    words = "{who} gave it another category since, and one holds at a time"
    return say("kept.rival", words, who=rival.created_by)


def standing(changes: Iterable[tuple[int, int, int | None]], since: dict[int, int]) -> dict[int, list[int]]:
    """Entity id -> the changes after `since[entity]` that still count, newest first.

    A change that was taken back counts no more, nor does what took it back; a change that was made again counts.

    Args:
        changes: (id, entity_id, id of the change it takes back), newest first.
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
