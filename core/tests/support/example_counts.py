"""How many examples a property over the whole application is tried with."""

from __future__ import annotations

import os


def example_count(count: int) -> int:
    """All of them on the usual record; a quarter where the same tests run once more on another one."""
    return count if os.environ.get("ANNOTARIUM_TEST_DATABASE_KIND", "sqlite") == "sqlite" else max(4, count // 4)
