"""Taking back what a job did to annotations and categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import (
    history_snapshot_of_row,
    mark_ranges_for_indexing,
    notify_bulk_change,
)
from annotarium.content.labelling.repository import Labelled, range_and_fragments_of
from annotarium.content.labelling.restoring import other_category_reason, relabelled_reason
from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.models import Annotation, Category, History
from annotarium.db.row_marks import mark_deleted, mark_modified, mark_restored
from annotarium.domains.bulk import repository
from annotarium.domains.bulk.undo_outcome import UndoOutcome, find_later_changes, record_undo
from annotarium_schemas.messages import message


class LabellingUndo:
    """Changes of annotations, or of categories."""

    def __init__(
        self, call: ProjectCall, table: Labelled, entity: str, changes: Sequence[History], job_id: str
    ) -> None:
        self._call, self._changes = call, changes
        documents = {change.document_id for change in changes}
        self._documents = repository.reachable_document_ids(call, documents)
        self._rows = repository.labelling_rows_by_id(call, table, [change.entity_id for change in changes])
        self._later = find_later_changes(call, entity, changes, job_id)
        self._labels = repository.label_sets_of_live_labels(call)
        # By place: a document may carry thousands.
        self._live: dict[tuple[Any, ...], list[Annotation | Category]] = {}
        for row in repository.live_labelling(call, table, documents, (row.start for row in self._rows.values())):
            self._live.setdefault(_position_key(row), []).append(row)

    def run(self, outcome: UndoOutcome) -> None:
        """Take back what can be."""
        touched: dict[int, None] = {}
        for change in self._changes:
            reason = self._reason_to_skip(change)
            if reason is not None:
                outcome.skipped.append((change, reason))
                continue
            self._revert(change, self._rows[change.entity_id])
            outcome.taken += 1
            touched[change.document_id] = None
        for document_id in touched:
            mark_ranges_for_indexing(self._call, document_id, [])
        if touched:
            notify_bulk_change(self._call, "undone", len(touched))

    def _revert(self, change: History, row: Annotation | Category) -> None:
        before = history_snapshot_of_row(row)
        if change.action == "created":
            mark_deleted(row, self._call.username)
            record_undo(self._call, change, "deleted", before, None)
            return
        if change.action == "updated":
            before_change = change.before or {}
            row.label_id = before_change["label_id"]
            if isinstance(row, Annotation):
                row.terms = before_change.get("terms")
            mark_modified(row, self._call.username)
            record_undo(self._call, change, "updated", before, history_snapshot_of_row(row))
            return
        mark_restored(row)
        self._live.setdefault(_position_key(row), []).append(row)
        record_undo(self._call, change, "restored", None, before)

    def _reason_to_skip(self, change: History) -> str | None:
        """Why a change stays, None when it can be taken back."""
        row = self._rows.get(change.entity_id)
        if row is None:
            return message("kept.gone", "It no longer exists")
        if change.document_id not in self._documents:
            return message("kept.outOfReach", "You do not have access to it")
        if change.entity_id in self._later:
            return message("kept.changedBy", "{who} has changed it since", who=self._later[change.entity_id][0])
        if change.action == "created":
            return None if row.deleted_at is None else message("kept.deleted", "It has been deleted since")
        if change.action == "updated":
            label_id = (change.before or {})["label_id"]
            return (
                message("kept.deleted", "It has been deleted since")
                if row.deleted_at is not None
                else self._find_obstacle(row, label_id)
            )
        if row.deleted_at is None:
            return message("kept.restored", "It has been restored since")
        return self._find_obstacle(row, row.label_id)

    def _find_obstacle(self, row: Annotation | Category, label_id: int) -> str | None:
        """What keeps a row from coming back, or from having a label again."""
        if label_id not in self._labels:
            return message("kept.ofLabel", "Its label has been deleted since")
        label_set, exclusive = self._labels[label_id]
        confirmed = is_confirmed(row.status, row.creation_mode)
        for other in self._live.get(_position_key(row), ()):
            if other is row or other.deleted_at is not None:
                continue
            if other.label_id == label_id and (isinstance(row, Category) or other.created_by == row.created_by):
                return relabelled_reason(other)
            rivals = isinstance(row, Category) and exclusive and confirmed
            if rivals and is_confirmed(other.status, other.creation_mode) and self._set_of(other) == label_set:
                return other_category_reason(other)
        return None

    def _set_of(self, row: Annotation | Category) -> int | None:
        return self._labels.get(row.label_id, (None, False))[0]


def _position_key(row: Annotation | Category) -> tuple[Any, ...]:
    """Document and place of a row, as a key."""
    start, end, pieces = range_and_fragments_of(row)
    return row.document_id, start, end, str(pieces)
