"""Live events that units of work emit, for tests of what clients hear."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from annotarium.db.unit_of_work import Event, UnitOfWork, committed


@contextmanager
def collected_events() -> Iterator[list[Event]]:
    """Events of all units that are committed in the block."""
    found: list[Event] = []

    def collect(unit: UnitOfWork) -> None:
        found.extend(unit.events)

    with committed.listening(collect):
        yield found


def args_of(events: list[Event], mutation: str) -> list[Any]:
    """What the events of a kind say."""
    return [event.arg for event in events if event.mutation == mutation]
