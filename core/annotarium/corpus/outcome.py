"""What became of the items of an import: the lines of its report."""

from __future__ import annotations

from dataclasses import dataclass

IMPORTED, REPLACED, UNCHANGED, REFUSED = "imported", "replaced", "unchanged", "refused"


@dataclass(frozen=True)
class Outcome:
    """What became of one item."""

    item: str
    ordinal: int
    outcome: str
    identifier: str | None = None
    message: str | None = None
    fix: str | None = None
