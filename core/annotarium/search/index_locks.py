"""Locks on the index of a project, across processes. Every wait has a timeout, and long waits are logged."""

from __future__ import annotations

import fcntl
import os
import time
from array import array
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import structlog

from annotarium.errors import ServiceUnavailable
from annotarium.search.index_and_search_types import KINDS, Kind
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

log = structlog.get_logger(__name__)
LOCK_TIMEOUT = 900.0
"""Seconds for which commands and jobs wait for another process that writes a project's index: a rebuild takes minutes.
"""
_WARN_AFTER_SECONDS = 5.0
_POLL_SECONDS = 0.02
_HOLDER_BYTES = 20
"""Bytes in a lock file for the id of the process that holds the lock, or held it last."""
_MAX_APPLIED_BYTES = 32_768
"""Bytes of a project's list of applied rows: 4,096 rows, which many people write in some seconds."""


def import_lock_path(project_id: int) -> Path:
    """Return the path of the file that a long import locks while it indexes its own rows (see `import_indexing`).

    Each line of the file is the node number of such a process, which its identifiers contain
    (`db.identifiers.node_of_id`).
    """
    return Path(get_settings().index_folder) / f"{project_id}.feeding"


def node_ids_of_indexing_imports(project_id: int) -> frozenset[int]:
    """Return the node numbers of the imports that index their own outbox rows now; empty without a long import."""
    try:
        with import_lock_path(project_id).open("rb") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return frozenset(int(line) for line in handle.read().split() if line.isdigit())
    except FileNotFoundError:
        pass
    return frozenset()


def is_import_indexing(project_id: int) -> bool:
    """Return whether a long import indexes its own outbox rows now."""
    return bool(node_ids_of_indexing_imports(project_id))


class IndexBusy(ServiceUnavailable):
    """Another process or thread has locked the index of a project for longer than the timeout."""

    def __init__(self, project_id: int, holder: str) -> None:
        super().__init__(
            "The search index of the project is busy",
            cause=message("busy.heldBy", "It is in use by {holder}", holder=holder),
            fix="Try again in a minute",
        )
        self.project_id = project_id


def _path_next_to_index(project_id: int, ending: str) -> Path:
    # An index on a server may be built while the embedded one is in use, so the two have separate locks.
    settings = get_settings()
    engine = "" if settings.engine_name == "embedded" else f"{settings.engine_name}."
    return Path(settings.index_folder) / f"{project_id}.{engine}{ending}"


def recently_applied_outbox_rows(project_id: int) -> set[int]:
    """Return ids of outbox rows that some process has applied recently, and may not have deleted yet."""
    try:
        content = _path_next_to_index(project_id, "applied").read_bytes()
    except FileNotFoundError:
        return set()
    return set(memoryview(content[: len(content) // 8 * 8]).cast("q"))


def note_applied_outbox_rows(project_id: int, rows: Iterable[int]) -> None:
    """Record for all processes which outbox rows are applied. The caller holds the `project_index_lock`.

    Old records may be dropped: their rows are then applied once more, which is harmless.
    """
    path = _path_next_to_index(project_id, "applied")
    applied = array("q", rows).tobytes()
    with path.open("ab") as handle:
        if handle.tell() + len(applied) > _MAX_APPLIED_BYTES:
            handle.truncate(0)
        handle.write(applied[-_MAX_APPLIED_BYTES:])


def clear_applied_outbox_notes() -> None:
    """Delete all records of applied rows.

    Called at a start: after a power failure the index may lack what they state.
    """
    for path in Path(get_settings().index_folder).glob("*.applied"):
        path.unlink(missing_ok=True)


@contextmanager
def project_index_lock(
    project_id: int, seconds: float = LOCK_TIMEOUT, *, kinds: Collection[Kind] = KINDS
) -> Iterator[None]:
    """Lock the index of a project, or only its indexes of some kinds, for this process.

    The lock ends with the process, as long as no forked child survives it; ours die with their parent.

    Raises:
        IndexBusy: another process holds the lock for more than `seconds`.
    """
    limit = time.monotonic() + seconds
    with ExitStack() as locks:
        for kind in sorted(kinds):  # always in the same order: no deadlocks
            descriptor = _open(_path_next_to_index(project_id, f"{kind}.lock"))
            locks.callback(os.close, descriptor)
            _acquire(descriptor, project_id, limit - time.monotonic())
            _write_holder(descriptor)
        yield


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, flags, 0o600)


def _acquire(descriptor: int, project_id: int, seconds: float) -> None:
    begin = time.monotonic()
    said = False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            waited = time.monotonic() - begin
        if waited >= seconds:
            raise IndexBusy(project_id, _read_holder(descriptor))
        if waited >= _WARN_AFTER_SECONDS and not said:
            said = True
            log.warning("index_lock_waits", project=project_id, holder=_read_holder(descriptor))
        time.sleep(_POLL_SECONDS)


def _write_holder(descriptor: int) -> None:
    """Write this process's id to the file, for the messages of those who wait.

    The file is overwritten, not truncated, and only when another process held the lock before: closing a truncated file
    syncs it to disk, which takes longer than indexing a document.
    """
    mine = f"{os.getpid():<{_HOLDER_BYTES}}".encode()
    if os.pread(descriptor, _HOLDER_BYTES, 0) != mine:
        os.pwrite(descriptor, mine, 0)


def _read_holder(descriptor: int) -> str:
    holder = os.pread(descriptor, _HOLDER_BYTES, 0).decode(errors="replace").strip()
    return f"process {holder or 'unknown'}"
