"""Taking back what a job did to documents: deleted ones, replaced ones, values of metadata."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.training_data import training_data_changed
from annotarium.db.identifiers import now_ms
from annotarium.db.models import History
from annotarium.domains.bulk import repository
from annotarium.domains.bulk.undo_outcome import UndoOutcome, find_later_changes, record_undo
from annotarium.importing.repository import count_manual_changes
from annotarium.importing.writer import REPLACED_BY
from annotarium_schemas.messages import message

DOCUMENT = "document"


def undo_document_changes(call: ProjectCall, changes: Sequence[History], job_id: str, outcome: UndoOutcome) -> None:
    """Take back what can be; the rest is added to the outcome with the reason."""
    rows = repository.document_rows(call, [change.document_id for change in changes])
    later = find_later_changes(call, DOCUMENT, changes, job_id)
    taken_names = repository.live_identifiers(call, [row.identifier for row in rows.values()])
    tagged: list[dict[str, Any]] = []
    restored: list[dict[str, Any]] = []
    replacements = _ReplacementDocuments(call, changes)
    for change in changes:
        row = rows.get(change.document_id)
        if row is None:
            reason: str | None = message("kept.gone", "It no longer exists")
        elif change.action == "tagged":
            reason = _restore_metadata_value(call, change, row, tagged)
        else:
            reason = replacements.reason_to_keep(change)
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

    def reason_to_keep(self, change: History) -> str | None:
        """Why the replacement stays, and so the change; None when it is gone, or may go."""
        new = _replacement_document_id(change)
        if new is None:
            return None
        row = self._rows.get(new)
        if row is None:
            return message("kept.outOfReach", "You do not have access to it")
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
        return message("kept.value", "The value of {name} has been changed since", name=name)
    metadata = {key: value for key, value in (row.metadata_ or {}).items() if key != name}
    metadata |= change.before["metadata"]
    values = {"id": row.id, "version": row.version + 1, "metadata_": metadata}
    written.append(values | {"modified_at": now_ms(), "modified_by": call.username})
    call.unit.touch(call.project.id, "facets", document_id=row.id)
    record_undo(call, change, "tagged", change.after, change.before)
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
        return message("kept.restored", "It has been restored since")
    if row.id in later:
        return message("kept.changedBy", "{who} has changed it since", who=later[row.id][0])
    if row.identifier in taken_names:
        return message("kept.identifier", "Another document has had this identifier since")
    written.append({"id": row.id, "version": row.version + 1, "deleted_at": None, "deleted_by": None})
    call.unit.touch(call.project.id, "document", document_id=row.id)
    record_undo(call, change, "restored", None, {"identifier": row.identifier})
    return None
