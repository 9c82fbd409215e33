"""When API keys were last used: noted in memory with each request, written to the database once an hour."""

from __future__ import annotations

from annotarium.access import repository
from annotarium.db.identifiers import now_ms
from annotarium.db.unit_of_work import unit_of_work

WRITTEN_EVERY_MS = 3_600_000
CHECK_SECONDS = 60.0
"""Interval in seconds of the periodic task that calls `write_noted_uses`."""
_used: dict[int, int] = {}
_written: dict[int, int] = {}


def note_use(key_id: int) -> None:
    """Note that a key is used now. Costs one dictionary access."""
    _used[key_id] = now_ms()


def write_noted_uses() -> int:
    """Write the noted uses of keys that were not written within the last hour; returns the number of keys written."""
    due = {
        key_id: used_at
        for key_id, used_at in list(_used.items())
        if used_at - _written.get(key_id, 0) >= WRITTEN_EVERY_MS
    }
    _used.clear()
    if not due:
        return 0
    with unit_of_work(actor="", write=True) as unit:
        for key_id, used_at in due.items():
            repository.update_api_key_usage(unit.session, key_id, used_at)
    _written.update(due)
    return len(due)


def forget_noted_uses() -> None:
    """Clear all noted and written uses."""
    _used.clear()
    _written.clear()
