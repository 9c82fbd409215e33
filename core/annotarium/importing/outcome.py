"""What became of the items of an import: the lines of its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotarium_schemas.messages import Message, message

IMPORTED, REPLACED, UNCHANGED, REFUSED = "imported", "replaced", "unchanged", "refused"
SKIPPED = "skipped"
"""Left out because the import was asked to: its text is there already under another identifier."""
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
    """So many items had this outcome."""
    return _MESSAGES[outcome](count)


@dataclass(frozen=True)
class Outcome:
    """What became of one item."""

    item: str
    ordinal: int
    outcome: str
    identifier: str | None = None
    message: str | None = None
    fix: str | None = None
    facts: dict[str, Any] | None = None
    """Of the document, from a check of an import: see `importing.preview.document_summary`."""
    count: int = 1
    """Items this stands for: several in a row may have one fault."""
    summed: bool = False
    """Counted only: the report has lines of its kind already."""
