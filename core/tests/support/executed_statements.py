"""The SQL that is executed: `from support.executed_statements import recorded_statements`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from annotarium.db.database import get_database


@contextmanager
def recorded_statements() -> Iterator[list[tuple[str, Any]]]:
    """Statements with their parameters, in the order in which they are executed."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        found.append((statement, parameters))

    engines = {get_database().read_engine, get_database().write_engine}
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)
