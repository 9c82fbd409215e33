"""Locks on temporary files and folders: locked while a process uses them, removed when no process does any more.

The lock ends with the process that took it, however it ends. Unlocked files can therefore be removed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog

log = structlog.get_logger(__name__)
GRACE_SECONDS = 5.0
"""Time between creation and locking; younger files are not removed."""


def lock_descriptor(descriptor: int) -> None:
    """Lock an open file or folder until it is closed or this process ends."""
    with suppress(OSError):  # a file system without locks: files there are not removed either
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked_folder(folder: Path) -> Iterator[Path]:
    """Keep a folder locked inside the `with` block."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        lock_descriptor(descriptor)
        yield folder
    finally:
        os.close(descriptor)


def remove_unlocked(folder: Path, patterns: Iterable[str]) -> int:
    """Remove unlocked files and folders below `folder` that match one of the patterns; returns their number."""
    removed = 0
    for pattern in patterns:
        for path in folder.glob(pattern):
            with suppress(FileNotFoundError):  # its owner removed it first
                removed += _remove_abandoned_work(path)
    if removed:
        log.info("leftovers_removed", folder=str(folder), removed=removed)
    return removed


def remove_old(folder: Path, pattern: str, seconds: float) -> int:
    """Remove files directly in `folder` that match and are older than `seconds`; returns their number."""
    removed = 0
    for path in folder.glob(pattern):
        with suppress(FileNotFoundError):
            if path.is_file() and time.time() - path.lstat().st_mtime > seconds:
                path.unlink()
                removed += 1
    if removed:
        log.info("old_files_removed", folder=str(folder), removed=removed)
    return removed


def _remove_abandoned_work(path: Path) -> bool:
    if time.time() - path.lstat().st_mtime < GRACE_SECONDS or path.is_symlink():
        return False
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
        return True
    finally:
        os.close(descriptor)
