"""Identifiers made without asking the database: 63-bit, time-ordered integers; strings on the wire."""

from __future__ import annotations

import os
import secrets
import threading
import time

_EPOCH_MS = 1_735_689_600_000  # 2025-01-01, so that 41 bits of milliseconds last until 2094
_lock = threading.Lock()
_state = {"last": 0, "sequence": 0, "process": 0, "node": 0}


def now_ms() -> int:
    """Milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def new_id() -> int:
    """A new identifier: 41 bits of milliseconds, 10 random bits of this process, 12 bits of sequence."""
    with _lock:
        if _state["process"] != os.getpid():  # a forked worker must not repeat its parent's numbers
            _state["process"] = os.getpid()
            _state["node"] = secrets.randbits(10)
        moment = max(now_ms() - _EPOCH_MS, _state["last"])
        if moment == _state["last"]:
            _state["sequence"] += 1
            if _state["sequence"] >= 4096:
                moment += 1
                _state["sequence"] = 0
        else:
            _state["sequence"] = 0
        _state["last"] = moment
        return (moment << 22) | (_state["node"] << 12) | _state["sequence"]


def new_ids(count: int) -> list[int]:
    """Many identifiers in ascending order."""
    return [new_id() for _ in range(count)]


def id_moment_ms(identifier: int) -> int:
    """When an identifier was made, in milliseconds since the Unix epoch."""
    return (identifier >> 22) + _EPOCH_MS
