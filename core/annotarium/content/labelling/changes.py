"""What a labelling change leaves: history row, outbox row, live event, the signal `labelling_changed`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.events import notify_change
from annotarium.content.labelling.repository import HISTORY_FIELDS
from annotarium.content.relations.events import (
    increment_versions_of_relations,
    notify_relation_change,
    notify_relations_of_annotation,
)
from annotarium.db.identifiers import new_id
from annotarium.db.models import Annotation, Category, History, Relation
from annotarium.db.row_marks import mark_deleted
from annotarium.db.signals import Signal

Labelled = Annotation | Category
Item = Labelled | Relation
"""What is on documents and has a history."""
labelling_changed = Signal[[ProjectCall, int]]("labelling_changed")
"""Annotations or categories changed; sent inside the transaction with the number of answers given."""
_EXISTENCE_ACTIONS = ("deleted", "restored")


@dataclass(frozen=True)
class ChangeOrigin:
    """The origin of a change: `kind` as in the history (`undo`, `redo`), `undoes` the history row it reverts."""

    kind: str | None = None
    undoes: int | None = None


NEW_CHANGE = ChangeOrigin()


def history_entity_of_row(row: Item) -> str:
    """Return the name of the row's type in the history: `annotation`, `category` or `relation`."""
    if isinstance(row, Relation):
        return "relation"
    return "annotation" if isinstance(row, Annotation) else "category"


def write_history(
    call: ProjectCall,
    document_id: int,
    entity: str,
    entity_id: int,
    action: str,
    *,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    origin: ChangeOrigin = NEW_CHANGE,
) -> None:
    """Append a history row. All history rows about single items on documents are written here."""
    values = {"id": new_id(), "project_id": call.project.id, "document_id": document_id, "entity": entity}
    values |= {"entity_id": entity_id, "action": action, "actor": call.username, "job_id": call.job_id}
    values |= {"act_id": call.unit.act_id, "kind": origin.kind, "batch_id": origin.undoes}
    call.unit.append(History, values | {"before": before, "after": after})


def history_snapshot_of_row(row: Item) -> dict[str, Any]:
    """Return the fields of a row that the history stores."""
    return {name: getattr(row, name) for name in HISTORY_FIELDS if hasattr(row, name)}


def record_change(
    call: ProjectCall,
    row: Item,
    action: str,
    *,
    document_identifier: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    origin: ChangeOrigin = NEW_CHANGE,
    label_name: str | None = None,
) -> None:
    """Write history and outbox of one change, emit its live event, and notify the listeners.

    A caller that knows the name of the label passes it, which saves a query. The index stores names of relations with
    the document. Relations of an annotation are deleted and restored with it, without history rows of their own.
    """
    entity = history_entity_of_row(row)
    write_history(call, row.document_id, entity, row.id, action, before=before, after=after, origin=origin)
    if isinstance(row, Relation):
        mark_ranges_for_indexing(call, row.document_id, _EMPTY_RANGE)
        notify_relation_change(call, row, action, document_identifier)
        return
    mark_ranges_for_indexing(
        call, row.document_id, [(state["start"], state["end"]) for state in (before, after) if state]
    )
    notify_change(call, row, action, document_identifier, label_name)
    if isinstance(row, Annotation) and action in _EXISTENCE_ACTIONS:
        notify_relations_of_annotation(call, row, action, document_identifier)
    labelling_changed.send(call, 1)


_EMPTY_RANGE = ((0, 0),)
"""Used for relations: they are indexed with the document, not with its segments."""


class Change(NamedTuple):
    """What was done to a row: an action of the history, and the fields before and after."""

    row: Item
    action: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


def delete_row(call: ProjectCall, row: Item) -> Change:
    """Mark a row as deleted; the change is what `record_changes` takes."""
    before = history_snapshot_of_row(row)
    mark_deleted(row, call.username)
    return Change(row, "deleted", before, None)


def record_changes(call: ProjectCall, changes: Sequence[Change], origins: Sequence[ChangeOrigin] | None = None) -> None:
    """Like `record_change` for many rows: a history row each, an outbox row per document, one live event."""
    if not changes:
        return
    for (row, action, before, after), origin in zip(changes, origins or [NEW_CHANGE] * len(changes), strict=True):
        write_history(
            call, row.document_id, history_entity_of_row(row), row.id, action, before=before, after=after, origin=origin
        )
    labelled = [row for row, *_ in changes if not isinstance(row, Relation)]
    annotation_ids = [
        row.id for row, action, *_ in changes if isinstance(row, Annotation) and action in _EXISTENCE_ACTIONS
    ]
    if annotation_ids:
        increment_versions_of_relations(call, annotation_ids)
    whole = {row.document_id for row in labelled}
    for document_id in dict.fromkeys(row.document_id for row, *_ in changes):
        mark_ranges_for_indexing(call, document_id, [] if document_id in whole else _EMPTY_RANGE)
    notify_bulk_change(call, changes[0].action, len(changes), answers=len(labelled))


def notify_bulk_change(call: ProjectCall, action: str, count: int, *, answers: int | None = None) -> None:
    """Emit one live event for many changes of the labelling, and notify the listeners.

    Args:
        answers: how many of the changes are of annotations and categories; None = all.
    """
    call.unit.emit("labelling", {"type": action, "count": count, "by": call.username}, project=call.project.name)
    given = count if answers is None else answers
    if given:
        labelling_changed.send(call, given)


def mark_ranges_for_indexing(
    call: ProjectCall, document_id: int, ranges: Sequence[tuple[int | None, int | None]]
) -> None:
    """Write one outbox row that covers all the ranges; no ranges, or one without offsets, mean the whole document."""
    starts = [start for start, _ in ranges]
    ends = [end for _, end in ranges]
    whole = not ranges or None in starts or None in ends
    call.unit.touch(
        call.project.id,
        "facets",
        document_id=document_id,
        start=None if whole else min(start for start in starts if start is not None),
        end=None if whole else max(end for end in ends if end is not None),
    )
