"""Outcomes of the items of an import: the lines of its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotarium_schemas.messages import Message, message

IMPORTED, REPLACED, UNCHANGED, REFUSED = "imported", "replaced", "unchanged", "refused"
SKIPPED = "skipped"
"""Left out on request: the text is already in the project, or in the import, under another identifier."""
OUTCOMES = (IMPORTED, REPLACED, UNCHANGED, SKIPPED, REFUSED)
GOOD_OUTCOMES = (IMPORTED, REPLACED, UNCHANGED, SKIPPED)


_MESSAGES: dict[str, Callable[[int], Message]] = {
    IMPORTED: lambda count: message("outcome.imported", "{count:,} imported", count=count),
    REPLACED: lambda count: message("outcome.replaced", "{count:,} replaced", count=count),
    UNCHANGED: lambda count: message("outcome.unchanged", "{count:,} unchanged", count=count),
    SKIPPED: lambda count: message("outcome.skipped", "{count:,} skipped", count=count),
    REFUSED: lambda count: message("outcome.refused", "{count:,} refused", count=count),
}


def outcome_message(outcome: str, count: int) -> Message:
    """The message for a number of items with this outcome."""
    return _MESSAGES[outcome](count)


@dataclass(frozen=True)
class Outcome:
    """The outcome of one item of an import."""

    item: str
    ordinal: int
    outcome: str
    identifier: str | None = None
    message: str | None = None
    fix: str | None = None
    facts: dict[str, Any] | None = None
    """Facts about the document when the import is only a check: see `importing.preview.document_summary`."""
    count: int = 1
    """Number of items this stands for: several in a row may have the same error."""
    summed: bool = False
    """Counted only, without a line: the report already has lines of this kind."""
