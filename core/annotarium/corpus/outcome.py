"""What became of the items of an import: the lines of its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotarium_schemas.said import Said, say

IMPORTED, REPLACED, UNCHANGED, REFUSED = "imported", "replaced", "unchanged", "refused"
SKIPPED = "skipped"
"""Left out because the import was asked to: its text is there already under another identifier."""
OUTCOMES = (IMPORTED, REPLACED, UNCHANGED, SKIPPED, REFUSED)
GOOD = (IMPORTED, REPLACED, UNCHANGED, SKIPPED)


_SAYING: dict[str, Callable[[int], Said]] = {
    IMPORTED: lambda count: say("outcome.imported", "{count:,} imported", count=count),
    REPLACED: lambda count: say("outcome.replaced", "{count:,} replaced", count=count),
    UNCHANGED: lambda count: say("outcome.unchanged", "{count:,} unchanged", count=count),
    SKIPPED: lambda count: say("outcome.skipped", "{count:,} skipped", count=count),
    REFUSED: lambda count: say("outcome.refused", "{count:,} refused", count=count),
}


def say_outcome(outcome: str, count: int) -> Said:
    """So many items had this outcome."""
    return _SAYING[outcome](count)


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
    """Of the document, from a check of an import: see `corpus.preview.facts_of`."""
    count: int = 1
    """Items this stands for: several in a row may have one fault."""
    summed: bool = False
    """Counted only: the report has lines of its kind already."""
