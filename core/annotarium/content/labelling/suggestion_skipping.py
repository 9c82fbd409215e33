"""Skipping of suggestions: they are removed from the list, stored in the history, and restored by undo."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling import repository
from annotarium.content.labelling.changes import NEW_CHANGE, ChangeOrigin, write_history
from annotarium.db.identifiers import id_timestamp_ms
from annotarium.db.models import History, Suggestion

SUGGESTION = "suggestion"
"""The entity name of suggestions in the history."""
_HISTORY_FIELDS = ("start", "end", "annotations", "categories", "confidence", "priority", "suggester", "created_at")


def public_suggestion_id(identifier: int) -> str:
    """Return 24 hexadecimal digits, of which the first eight are the seconds of creation (C-026)."""
    return f"{id_timestamp_ms(identifier) // 1000:08x}{identifier:016x}"


def skip_suggestion_with_history(call: ProjectCall, row: Suggestion, origin: ChangeOrigin = NEW_CHANGE) -> None:
    """Delete a suggestion without an answer, as an operation of its own in the history of its document."""
    before: dict[str, Any] = {name: getattr(row, name) for name in _HISTORY_FIELDS}
    call.session.delete(row)
    _record_skip_change(call, row.document_id, row.id, "skipped", before, None, origin)


def undo_or_redo_skip(call: ProjectCall, change: History, origin: ChangeOrigin) -> bool:
    """Restore the suggestion that a change skipped, or skip again the one it restored.

    Returns False, without a change, when that is already so, or when the segment has newer suggestions, which take
    precedence.
    """
    row = repository.find_suggestion(call, change.entity_id)
    if change.before is None:
        if row is not None:
            skip_suggestion_with_history(call, row, origin)
        return row is not None
    start, end = change.before["start"], change.before["end"]
    if row is not None or repository.has_suggestions_on_segment(call, change.document_id, start, end):
        return False
    place = {"id": change.entity_id, "project_id": call.project.id, "document_id": change.document_id}
    call.session.add(Suggestion(**place, **change.before))
    _record_skip_change(call, change.document_id, change.entity_id, "restored", None, change.before, origin)
    return True


def _record_skip_change(
    call: ProjectCall,
    document_id: int,
    identifier: int,
    action: str,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    origin: ChangeOrigin,
) -> None:
    write_history(call, document_id, SUGGESTION, identifier, action, before=before, after=after, origin=origin)
    event = {"type": action, "identifier": public_suggestion_id(identifier)}
    call.unit.emit("suggestions", event, project=call.project.name)
