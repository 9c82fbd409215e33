"""What undoing the parts of a job shares: the outcome, later changes, the history of what is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import (
    ChangeOrigin,
    write_history,
)
from annotarium.db.models import History
from annotarium.domains.bulk import repository


@dataclass
class UndoOutcome:
    """What became of some changes: how many were taken back, which ones stay and why (by history row)."""

    taken: int = 0
    skipped: list[tuple[History, str]] = field(default_factory=list)

    def add(self, skipped: dict[History, str | None]) -> None:
        """What became of each change: the reason why it stays, None when it was taken back."""
        self.skipped += [(change, reason) for change, reason in skipped.items() if reason is not None]
        self.taken += sum(reason is None for reason in skipped.values())


def find_later_changes(
    call: ProjectCall, entity: str, changes: Sequence[History], job_id: str
) -> dict[int, tuple[str, int]]:
    """Who changed the rows after the job, by the id of the row; neither the job nor its undo counts."""
    first = {change.entity_id: change.id for change in reversed(changes)}
    return repository.find_later_changes(call.session, entity, first, (job_id, call.job_id))


def record_undo(call: ProjectCall, change: History, action: str, before: Any, after: Any) -> None:
    """Write the history row of a change that was taken back."""
    undoes = ChangeOrigin("undo", change.id)
    write_history(
        call, change.document_id, change.entity, change.entity_id, action, before=before, after=after, origin=undoes
    )
