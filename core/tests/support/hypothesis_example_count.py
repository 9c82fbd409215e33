"""The number of examples for properties of the whole application."""

from __future__ import annotations

from support import environment


def hypothesis_example_count(count: int) -> int:
    """Return `count` on SQLite; a quarter of it where the same tests run again on another database."""
    return count if environment.database_kind() == "sqlite" else max(4, count // 4)
