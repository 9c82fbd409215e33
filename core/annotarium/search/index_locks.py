"""Locks on the index of a project, across processes. Every wait has an end, and a long one is told in the log."""

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
"""How long commands and jobs wait for somebody else's work on the index of a project: a rebuild takes minutes."""
_WARN_AFTER_SECONDS = 5.0
_POLL_SECONDS = 0.02
_HOLDER_BYTES = 20
"""Of a lock's file: the number of the process that holds it, or held it last."""
_MAX_APPLIED_BYTES = 32_768
"""Bytes of the notes of a project: 4,096 rows, some seconds of many people's work."""


def import_lock_path(project_id: int) -> Path:
    """A file that a long import locks while it sees to its own outbox rows (see `feeding`).

    It holds, one a line, the number in the identifiers that each such process makes (`db.identifiers.node_of_id`).
    """
    return Path(get_settings().index_folder) / f"{project_id}.feeding"


def node_ids_of_indexing_imports(project_id: int) -> frozenset[int]:
    """The numbers of the processes that see to their own outbox rows at this moment; none without a long import."""
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
    """Whether a long import sees to its own outbox rows at this moment."""
    return bool(node_ids_of_indexing_imports(project_id))


class IndexBusy(ServiceUnavailable):
    """Somebody else works on the index of a project and takes longer than one can wait."""

    def __init__(self, project_id: int, holder: str) -> None:
        super().__init__(
            "The search index of the project is busy",
            cause=message("busy.heldBy", "It is held by {holder}", holder=holder),
            fix="Try again in a minute",
        )
        self.project_id = project_id


def _path_next_to_index(project_id: int, ending: str) -> Path:
    # An index on a server may be built while the embedded one is in use: they do not wait for each other.
    settings = get_settings()
    engine = "" if settings.engine_name == "embedded" else f"{settings.engine_name}."
    return Path(settings.index_folder) / f"{project_id}.{engine}{ending}"


def recently_applied_outbox_rows(project_id: int) -> set[int]:
    """Outbox rows that some process has applied lately, and may not have deleted yet."""
    try:
        content = _path_next_to_index(project_id, "applied").read_bytes()
    except FileNotFoundError:
        return set()
    return set(memoryview(content[: len(content) // 8 * 8]).cast("q"))


def note_applied_outbox_rows(project_id: int, rows: Iterable[int]) -> None:
    """Tell all processes which outbox rows are applied. The caller holds the `project_index_lock`.

    Forgetting some is harmless: they are applied once more.
    """
    path = _path_next_to_index(project_id, "applied")
    applied = array("q", rows).tobytes()
    with path.open("ab") as handle:
        if handle.tell() + len(applied) > _MAX_APPLIED_BYTES:
            handle.truncate(0)
        handle.write(applied[-_MAX_APPLIED_BYTES:])


def clear_applied_outbox_notes() -> None:
    """At a start: after a power failure the index may lack what was noted as applied."""
    for path in Path(get_settings().index_folder).glob("*.applied"):
        path.unlink(missing_ok=True)


@contextmanager
def project_index_lock(
    project_id: int, seconds: float = LOCK_TIMEOUT, *, kinds: Collection[Kind] = KINDS
) -> Iterator[None]:
    """The index of a project, or only that of some kinds of entries, for this process alone.

    The lock ends with the process that holds it, provided none of its forked children lives on: they die with it.

    Raises:
        IndexBusy: not free within `seconds`.
    """
    limit = time.monotonic() + seconds
    with ExitStack() as locks:
        for kind in sorted(kinds):  # in one order: two who want both never wait for each other
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
    """Leave the number of this process in the file, for those who wait.

    It is written over what is there, and only by another process than the last: a file that is cut first is brought to
    the disk when it is closed, which takes longer than indexing a document.
    """
    mine = f"{os.getpid():<{_HOLDER_BYTES}}".encode()
    if os.pread(descriptor, _HOLDER_BYTES, 0) != mine:
        os.pwrite(descriptor, mine, 0)


def _read_holder(descriptor: int) -> str:
    holder = os.pread(descriptor, _HOLDER_BYTES, 0).decode(errors="replace").strip()
    return f"process {holder or 'unknown'}"
