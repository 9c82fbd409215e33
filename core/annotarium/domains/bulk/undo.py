"""Undoing a job, change by change, newest first.

Later changes are never overwritten: items that were changed since stay and are reported with the reason. Labelling of
documents that were deleted since is undone too, so that it is correct when its document is restored.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.repository import LABELLED_TABLES
from annotarium.db.models import History
from annotarium.domains.bulk.undo_documents import DOCUMENT, undo_document_changes
from annotarium.domains.bulk.undo_labelling import LabellingUndo
from annotarium.domains.bulk.undo_labels import ENTITIES, undo_label_changes
from annotarium.domains.bulk.undo_outcome import UndoOutcome, find_later_changes
from annotarium.domains.bulk.undo_relations import NAME, undo_relation_changes, undo_relation_name_changes

_RELATION = "relation"


def undo_changes(call: ProjectCall, changes: Sequence[History], job_id: str) -> UndoOutcome:
    """Undo changes of a job, which are passed newest first. Writes history, outbox and live events."""
    outcome = UndoOutcome()
    by_entity: dict[str, list[History]] = {}
    for change in changes:
        by_entity.setdefault(change.entity, []).append(change)
    # Labels first, because restored labelling needs its label.
    outcome.add(undo_label_changes(call, [change for change in changes if change.entity in ENTITIES], job_id))
    if NAME in by_entity:
        outcome.add(undo_relation_name_changes(call, by_entity[NAME]))
    for entity, table in LABELLED_TABLES.items():
        if entity in by_entity:
            LabellingUndo(call, table, entity, by_entity[entity], job_id).run(outcome)
    if _RELATION in by_entity:
        outcome.add(
            undo_relation_changes(
                call, by_entity[_RELATION], find_later_changes(call, _RELATION, by_entity[_RELATION], job_id)
            )
        )
    if DOCUMENT in by_entity:
        undo_document_changes(call, by_entity[DOCUMENT], job_id, outcome)
    return outcome
