"""What a user can undo and redo on a document, computed from the history alone, so that it survives reload and restart.

Undo appends changes that revert the changes of an operation; redo appends changes that revert those of the undo. The
newest operation in force can be undone; the newest undo in force can be redone until a new operation follows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """A history row of one user on one document; `undoes` is the id of the row that it reverts."""

    id: int
    operation_id: int
    kind: str | None
    undoes: int | None


def _effective_steps(steps: Iterable[HistoryStep]) -> Iterable[HistoryStep]:
    """The steps that no later step reverted; expects and yields them newest first."""
    cancelled: set[int] = set()
    for step in steps:
        if step.id in cancelled:
            continue
        if step.undoes is not None:
            cancelled.add(step.undoes)
        yield step


def next_undo(steps: Iterable[HistoryStep]) -> int | None:
    """The operation to undo next, or None; expects the steps newest first."""
    return next((step.operation_id for step in _effective_steps(steps) if step.kind != "undo"), None)


def next_redo(steps: Iterable[HistoryStep]) -> int | None:
    """The undo to revert next; None if there is none or a newer operation followed. Expects the newest step first."""
    for step in _effective_steps(steps):
        if step.kind == "undo":
            return step.operation_id
        if step.kind != "redo":
            return None
    return None
