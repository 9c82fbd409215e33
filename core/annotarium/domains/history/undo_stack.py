"""What a person can undo and redo on a document, read from the history alone: it holds after a reload and a restart.

Undoing an act appends changes that take its changes back; redoing appends changes that take those back. The newest act
that still counts can be undone; the newest undo that still counts can be redone until a new act follows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """A history row of one person on one document. `operation_id`: its act, `undoes`: the row it takes back."""

    id: int
    operation_id: int
    kind: str | None
    undoes: int | None


def _effective_steps(steps: Iterable[HistoryStep]) -> Iterable[HistoryStep]:
    """Those steps that nothing took back, newest first as given."""
    cancelled: set[int] = set()
    for step in steps:
        if step.id in cancelled:
            continue
        if step.undoes is not None:
            cancelled.add(step.undoes)
        yield step


def next_undo(steps: Iterable[HistoryStep]) -> int | None:
    """The act that is undone next, given the steps newest first; None when there is none."""
    return next((step.operation_id for step in _effective_steps(steps) if step.kind != "undo"), None)


def next_redo(steps: Iterable[HistoryStep]) -> int | None:
    """The undo that is taken back next; None when there is none, or a new act came since."""
    for step in _effective_steps(steps):
        if step.kind == "undo":
            return step.operation_id
        if step.kind != "redo":
            return None
    return None
