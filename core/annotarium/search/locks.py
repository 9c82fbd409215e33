"""Locks on the index of a project, across processes. Every wait has an end, and a long one is told in the log."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import structlog

from annotarium.errors import ServiceUnavailable
from annotarium.settings import get_settings

log = structlog.get_logger(__name__)
LONG_SECONDS = 900.0
"""How long commands and jobs wait for somebody else's work on the index of a project: a rebuild takes minutes."""
_SAY_SECONDS = 5.0
_POLL_SECONDS = 0.02


def feed_mark(project_id: int) -> Path:
    """A file that a long import locks while it sees to its own outbox rows (see `feeding`)."""
    return Path(get_settings().index_folder) / f"{project_id}.feeding"


def is_fed(project_id: int) -> bool:
    """Whether a long import sees to its own outbox rows at this moment."""
    try:
        with feed_mark(project_id).open("rb") as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


class IndexBusy(ServiceUnavailable):
    """Somebody else works on the index of a project and takes longer than one can wait."""

    def __init__(self, project_id: int, holder: str) -> None:
        super().__init__(
            "The search index of the project is busy", cause=f"It is held by {holder}", fix="Try again in a minute"
        )
        self.project_id = project_id


@contextmanager
def project_lock(project_id: int, seconds: float = LONG_SECONDS) -> Iterator[None]:
    """The index of a project for this process alone.

    The lock ends with the process that holds it, provided none of its forked children lives on: they die with it.

    Raises:
        IndexBusy: not free within `seconds`.
    """
    settings = get_settings()
    folder = Path(settings.index_folder)
    folder.mkdir(parents=True, exist_ok=True)
    # An index on a server may be built while the embedded one is in use: they do not wait for each other.
    name = f"{project_id}.lock" if settings.engine_name == "embedded" else f"{project_id}.{settings.engine_name}.lock"
    with (folder / name).open("a+") as handle:
        _take(handle, project_id, seconds)
        handle.truncate(0)
        handle.write(str(os.getpid()))
        handle.flush()
        yield


def _take(handle: IO[str], project_id: int, seconds: float) -> None:
    begin = time.monotonic()
    said = False
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            waited = time.monotonic() - begin
        if waited >= seconds:
            raise IndexBusy(project_id, _holder(handle))
        if waited >= _SAY_SECONDS and not said:
            said = True
            log.warning("index_lock_waits", project=project_id, holder=_holder(handle))
        time.sleep(_POLL_SECONDS)


def _holder(handle: IO[str]) -> str:
    handle.seek(0)
    return f"process {handle.read().strip() or 'unknown'}"
