"""How many examples a property over the whole application is tried with."""

from __future__ import annotations

from support import environment


def hypothesis_example_count(count: int) -> int:
    """All of them on SQLite; a quarter where the same tests run once more on another database."""
    return count if environment.database_kind() == "sqlite" else max(4, count // 4)
