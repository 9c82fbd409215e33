"""What became of the items of an import: the lines of its report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

IMPORTED, REPLACED, UNCHANGED, REFUSED = "imported", "replaced", "unchanged", "refused"
SKIPPED = "skipped"
"""Left out because the import was asked to: its text is there already under another identifier."""
OUTCOMES = (IMPORTED, REPLACED, UNCHANGED, SKIPPED, REFUSED)
GOOD = (IMPORTED, REPLACED, UNCHANGED, SKIPPED)


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
