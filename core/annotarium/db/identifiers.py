"""Identifiers generated without a database query: 63-bit, time-ordered integers, serialised as strings."""

from __future__ import annotations

import fcntl
import os
import secrets
import threading
import time
from pathlib import Path

from annotarium.settings import get_settings

_EPOCH_MS = 1_735_689_600_000  # 2025-01-01, so that 41 bits of milliseconds last until 2094
_SEQUENCES, _NODES = 4096, 1024
_LONGEST, _LIMIT = 19, 1 << 63
_lock = threading.Lock()
_state = {"last": 0, "sequence": 0, "process": 0, "node": 0}
_lock_files: dict[Path, int] = {}


def now_ms() -> int:
    """Milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def new_id() -> int:
    """A new identifier: 41 bits of milliseconds, 10 bits for this process, 12 bits of sequence."""
    return new_ids(1)[0]


def new_ids(count: int) -> list[int]:
    """New identifiers in ascending order."""
    found: list[int] = []
    with _lock:
        _claim_node()
        while len(found) < count:
            timestamp = max(now_ms() - _EPOCH_MS, _state["last"])
            first = _state["sequence"] + 1 if timestamp == _state["last"] else 0
            if first >= _SEQUENCES:
                timestamp, first = timestamp + 1, 0
            past = min(first + count - len(found), _SEQUENCES)
            begin = (timestamp << 22) | (_state["node"] << 12)
            found += range(begin + first, begin + past)
            _state["last"], _state["sequence"] = timestamp, past - 1
    return found


def timestamp_of_id(identifier: int) -> int:
    """When an identifier was generated, in milliseconds since the Unix epoch."""
    return (identifier >> 22) + _EPOCH_MS


def first_id_of(moment: int) -> int:
    """The lowest identifier that can be generated at a time (milliseconds since the Unix epoch)."""
    return max(0, moment - _EPOCH_MS) << 22


def own_node() -> int:
    """The number of this process, part of the identifiers it generates."""
    with _lock:
        _claim_node()
        return _state["node"]


def node_of_id(identifier: int) -> int:
    """The number of the process that generated an identifier."""
    return (identifier >> 12) & (_NODES - 1)


def _claim_node() -> None:
    if _state["process"] != os.getpid():  # a forked worker must not reuse its parent's number
        _state["process"], _state["node"] = os.getpid(), _find_free_node()


def _find_free_node() -> int:
    """A number that no other living process of the data folder uses, claimed by locking one byte of a file."""
    first = secrets.randbits(10)
    folder = get_settings().run_folder
    if not folder.is_dir():
        return first
    path = folder / "nodes.lock"
    if path not in _lock_files:
        # Never closed: closing any descriptor of the file would release the byte. A forked child uses it to lock
        # another byte.
        _lock_files[path] = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    for step in range(_NODES):
        node = (first + step) % _NODES
        try:
            fcntl.lockf(_lock_files[path], fcntl.LOCK_EX | fcntl.LOCK_NB, 1, node)
        except OSError:  # in use by another process
            continue
        return node
    return first


def parse_id(text: str, base: int = 10) -> int | None:
    """Parse an identifier from a request, None if it is invalid: only plain digits, within 63 bits."""
    digits = "0123456789abcdef"[:base]
    if not text or len(text) > _LONGEST or not set(text.lower()) <= set(digits):
        return None
    number = int(text, base)
    return number if number < _LIMIT else None


def id_timestamp_ms(identifier: int) -> int:
    """When an identifier was generated, in milliseconds since the Unix epoch."""
    return (identifier >> 22) + _EPOCH_MS
