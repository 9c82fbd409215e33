"""Identifiers made without asking the database: 63-bit, time-ordered integers; strings on the wire."""

from __future__ import annotations

import os
import secrets
import threading
import time

_EPOCH_MS = 1_735_689_600_000  # 2025-01-01, so that 41 bits of milliseconds last until 2094
_SEQUENCES = 4096
_lock = threading.Lock()
_state = {"last": 0, "sequence": 0, "process": 0, "node": 0}


def now_ms() -> int:
    """Milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def new_id() -> int:
    """A new identifier: 41 bits of milliseconds, 10 random bits of this process, 12 bits of sequence."""
    return new_ids(1)[0]


def new_ids(count: int) -> list[int]:
    """Many identifiers in ascending order."""
    found: list[int] = []
    with _lock:
        if _state["process"] != os.getpid():  # a forked worker must not repeat its parent's numbers
            _state["process"] = os.getpid()
            _state["node"] = secrets.randbits(10)
        while len(found) < count:
            moment = max(now_ms() - _EPOCH_MS, _state["last"])
            first = _state["sequence"] + 1 if moment == _state["last"] else 0
            if first >= _SEQUENCES:
                moment, first = moment + 1, 0
            past = min(first + count - len(found), _SEQUENCES)
            begin = (moment << 22) | (_state["node"] << 12)
            found += range(begin + first, begin + past)
            _state["last"], _state["sequence"] = moment, past - 1
    return found


def id_moment_ms(identifier: int) -> int:
    """When an identifier was made, in milliseconds since the Unix epoch."""
    return (identifier >> 22) + _EPOCH_MS
