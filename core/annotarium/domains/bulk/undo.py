"""Taking a job back, change by change, the last one first.

Nobody's later work is overwritten: what was changed since stays as it is and is reported with the reason. What hangs on
a document that was deleted since is taken back too: it comes back with its document.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import (
    ChangeOrigin,
    history_snapshot_of_row,
    mark_ranges_for_indexing,
    notify_bulk_change,
    write_history,
)
from annotarium.content.labelling.repository import LABELLED_TABLES, Labelled, range_and_fragments_of
from annotarium.content.labelling.restoring import other_category_reason, relabelled_reason
from annotarium.content.training_data import training_data_changed
from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation, Category, History
from annotarium.db.row_marks import mark_deleted, mark_modified, mark_restored
from annotarium.domains.bulk import repository
from annotarium.domains.bulk.undo_labels import ENTITIES, undo_label_changes
from annotarium.domains.bulk.undo_relations import NAME, undo_relation_changes, undo_relation_name_changes
from annotarium.importing.repository import count_manual_changes
from annotarium.importing.writer import REPLACED_BY
from annotarium_schemas.messages import message

_DOCUMENT, _RELATION = "document", "relation"


@dataclass
class UndoOutcome:
    """What became of some changes: how many were taken back, which ones stay and why (by history row)."""

    taken: int = 0
    skipped: list[tuple[History, str]] = field(default_factory=list)

    def add(self, skipped: dict[History, str | None]) -> None:
        """What became of each change: the reason why it stays, None when it was taken back."""
        self.skipped += [(change, reason) for change, reason in skipped.items() if reason is not None]
        self.taken += sum(reason is None for reason in skipped.values())


def undo_changes(call: ProjectCall, changes: Sequence[History], job_id: str) -> UndoOutcome:
    """Take back some changes of a job, given last first. Writes history, outbox and live events."""
    outcome = UndoOutcome()
    by_entity: dict[str, list[History]] = {}
    for change in changes:
        by_entity.setdefault(change.entity, []).append(change)
    # First: what comes back to a label needs the label.
    outcome.add(undo_label_changes(call, [change for change in changes if change.entity in ENTITIES], job_id))
    if NAME in by_entity:
        outcome.add(undo_relation_name_changes(call, by_entity[NAME]))
    for entity, table in LABELLED_TABLES.items():
        if entity in by_entity:
            _LabellingUndo(call, table, entity, by_entity[entity], job_id).run(outcome)
    if _RELATION in by_entity:
        outcome.add(
            undo_relation_changes(
                call, by_entity[_RELATION], _find_later_changes(call, _RELATION, by_entity[_RELATION], job_id)
            )
        )
    if _DOCUMENT in by_entity:
        _undo_document_changes(call, by_entity[_DOCUMENT], job_id, outcome)
    return outcome


def _find_later_changes(
    call: ProjectCall, entity: str, changes: Sequence[History], job_id: str
) -> dict[int, tuple[str, int]]:
    first = {change.entity_id: change.id for change in reversed(changes)}
    return repository.find_later_changes(call.session, entity, first, (job_id, call.job_id))


def _record_undo(call: ProjectCall, change: History, action: str, before: Any, after: Any) -> None:
    undoes = ChangeOrigin("undo", change.id)
    write_history(
        call, change.document_id, change.entity, change.entity_id, action, before=before, after=after, origin=undoes
    )


class _LabellingUndo:
    """Changes of annotations, or of categories."""

    def __init__(
        self, call: ProjectCall, table: Labelled, entity: str, changes: Sequence[History], job_id: str
    ) -> None:
        self._call, self._changes = call, changes
        documents = {change.document_id for change in changes}
        self._documents = repository.reachable_document_ids(call, documents)
        self._rows = repository.labelling_rows_by_id(call, table, [change.entity_id for change in changes])
        self._later = _find_later_changes(call, entity, changes, job_id)
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
            _record_undo(self._call, change, "deleted", before, None)
            return
        if change.action == "updated":
            row.label_id = (change.before or {})["label_id"]
            mark_modified(row, self._call.username)
            _record_undo(self._call, change, "updated", before, history_snapshot_of_row(row))
            return
        mark_restored(row)
        self._live.setdefault(_position_key(row), []).append(row)
        _record_undo(self._call, change, "restored", None, before)

    def _reason_to_skip(self, change: History) -> str | None:
        """Why a change stays, None when it can be taken back."""
        row = self._rows.get(change.entity_id)
        if row is None:
            return message("kept.gone", "It is not there any more")
        if change.document_id not in self._documents:
            return message("kept.outOfReach", "It is out of your reach")
        if change.entity_id in self._later:
            return message("kept.changedBy", "{who} changed it since", who=self._later[change.entity_id][0])
        if change.action == "created":
            return None if row.deleted_at is None else message("kept.deleted", "It was deleted since")
        if change.action == "updated":
            label_id = (change.before or {})["label_id"]
            return (
                message("kept.deleted", "It was deleted since")
                if row.deleted_at is not None
                else self._find_obstacle(row, label_id)
            )
        if row.deleted_at is None:
            return message("kept.restored", "It was restored since")
        return self._find_obstacle(row, row.label_id)

    def _find_obstacle(self, row: Annotation | Category, label_id: int) -> str | None:
        """What keeps a row from coming back, or from having a label again."""
        if label_id not in self._labels:
            return message("kept.ofLabel", "Its label was deleted since")
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


def _undo_document_changes(call: ProjectCall, changes: Sequence[History], job_id: str, outcome: UndoOutcome) -> None:
    rows = repository.document_rows(call, [change.document_id for change in changes])
    later = _find_later_changes(call, _DOCUMENT, changes, job_id)
    taken_names = repository.live_identifiers(call, [row.identifier for row in rows.values()])
    tagged: list[dict[str, Any]] = []
    restored: list[dict[str, Any]] = []
    replacements = _ReplacementDocuments(call, changes)
    for change in changes:
        row = rows.get(change.document_id)
        if row is None:
            reason: str | None = message("kept.gone", "It is not there any more")
        elif change.action == "tagged":
            reason = _restore_metadata_value(call, change, row, tagged)
        else:
            reason = replacements.skipped(change)
            if reason is None:
                taken = taken_names - replacements.identifiers(change)
                reason = _restore_document(call, change, row, later, taken, restored)
            if reason is None:
                replacements.remove(change)
                taken_names.add(row.identifier)
        if reason is not None:
            outcome.skipped.append((change, reason))
    for written in (tagged, replacements.removed, restored):  # an identifier is free before it is taken
        repository.update_document_rows(call.session, written)
    done = len(tagged) + len(restored)
    outcome.taken += done
    if restored:
        training_data_changed.send(call)
    if done:
        arg = {"type": "undone", "count": done, "by": call.username}
        call.unit.emit("documents", arg, project=call.project.name)


class _ReplacementDocuments:
    """Documents of an import that stand in the place of others, which come back."""

    def __init__(self, call: ProjectCall, changes: Sequence[History]) -> None:
        self._call = call
        ids = [new for change in changes if (new := _replacement_document_id(change)) is not None]
        self._rows = repository.document_rows(call, ids) if ids else {}
        self._worked_on = count_manual_changes(call.session, ids) if ids else {}
        self.removed: list[dict[str, Any]] = []
        """Rows for `repository.update_document_rows`."""

    def skipped(self, change: History) -> str | None:
        """Why the replacement stays, and so the change; None when it is gone, or may go."""
        new = _replacement_document_id(change)
        if new is None:
            return None
        row = self._rows.get(new)
        if row is None:
            return message("kept.outOfReach", "It is out of your reach")
        if row.deleted_at is not None:
            return None
        count = self._worked_on.get(new)
        if count:
            text = "People have worked on the document that replaced it ({count} changes)"
            return message("kept.workedOn", text, count=count)
        return None

    def identifiers(self, change: History) -> set[str]:
        """The identifier that becomes free when the replacement goes."""
        row = self._live(change)
        return set() if row is None else {row.identifier}

    def remove(self, change: History) -> None:
        """Delete the replacement."""
        row = self._live(change)
        if row is not None:
            values = {"id": row.id, "version": row.version + 1, "deleted_at": now_ms()}
            self.removed.append(values | {"deleted_by": self._call.username})
            self._call.unit.touch(self._call.project.id, "delete", document_id=row.id)

    def _live(self, change: History) -> Any:
        new = _replacement_document_id(change)
        row = None if new is None else self._rows.get(new)
        return row if row is not None and row.deleted_at is None else None


def _replacement_document_id(change: History) -> int | None:
    """Id of the document that an import put in the place of one."""
    found = (change.before or {}).get(REPLACED_BY)
    return found if isinstance(found, int) else None


def _restore_metadata_value(call: ProjectCall, change: History, row: Any, written: list[dict[str, Any]]) -> str | None:
    """Give a metadata value back what it was, when it still is what the job made of it."""
    assert change.before is not None
    assert change.after is not None
    name = change.after["name"]
    present = {name: row.metadata_[name]} if name in (row.metadata_ or {}) else {}
    if present != change.after["metadata"]:
        return message("kept.value", "The value of {name} was changed since", name=name)
    metadata = {key: value for key, value in (row.metadata_ or {}).items() if key != name}
    metadata |= change.before["metadata"]
    values = {"id": row.id, "version": row.version + 1, "metadata_": metadata}
    written.append(values | {"modified_at": now_ms(), "modified_by": call.username})
    call.unit.touch(call.project.id, "facets", document_id=row.id)
    _record_undo(call, change, "tagged", change.after, change.before)
    return None


def _restore_document(
    call: ProjectCall,
    change: History,
    row: Any,
    later: dict[int, tuple[str, int]],
    taken_names: Set[str],
    written: list[dict[str, Any]],
) -> str | None:
    if row.deleted_at is None:
        return message("kept.restored", "It was restored since")
    if row.id in later:
        return message("kept.changedBy", "{who} changed it since", who=later[row.id][0])
    if row.identifier in taken_names:
        return message("kept.identifier", "Another document has this identifier since")
    written.append({"id": row.id, "version": row.version + 1, "deleted_at": None, "deleted_by": None})
    call.unit.touch(call.project.id, "document", document_id=row.id)
    _record_undo(call, change, "restored", None, {"identifier": row.identifier})
    return None
