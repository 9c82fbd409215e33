"""Moves relations from deleted annotations to those that replace them."""

from __future__ import annotations

from collections.abc import Mapping

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import Change, history_snapshot_of_row
from annotarium.content.relations import repository
from annotarium.db.identifiers import now_ms


def redirect_relations(call: ProjectCall, replacements: Mapping[int, int]) -> list[Change]:
    """Move relations to the replacing annotations; the caller must record the returned changes.

    Relations that would then link an annotation to itself, or duplicate another relation, are deleted.

    Args:
        replacements: ids of the replacing annotations by id of the replaced ones.
    """
    changes: list[Change] = []
    for row in repository.lock_relations_of(call.session, list(replacements)):
        before = history_snapshot_of_row(row)
        ends = row.source_id, row.target_id
        row.source_id, row.target_id = (replacements.get(end, end) for end in ends)
        row.version += 1
        if row.source_id == row.target_id or repository.duplicate_of(call.session, row) is not None:
            row.source_id, row.target_id = ends
            row.deleted_at, row.deleted_by = now_ms(), call.username
            changes.append(Change(row, "deleted", before, None))
            continue
        row.modified_at, row.modified_by = now_ms(), call.username
        changes.append(Change(row, "updated", before, history_snapshot_of_row(row)))
    return changes
