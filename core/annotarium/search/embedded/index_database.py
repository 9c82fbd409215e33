"""SQLite files of the index: schema, a connection per thread, read snapshots, and immediate write transactions."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path

from annotarium.errors import ServiceUnavailable
from annotarium.search.index_and_search_types import INDEX_VERSION
from annotarium_schemas.messages import message

BUSY_SECONDS = 30
_RETRY_SECONDS = 0.002
_PAUSE_SECONDS = 0.01
_WAITED_SECONDS = 0.5
OPEN_PER_THREAD = 6
_WAL_PAGES, _MAX_WAL_BYTES = 4_000, 8 << 20
"""Checkpoint after so many pages (32 MB), to sync to disk less often; then the write-ahead log is truncated to 8 MB."""
_WRITER_KB, _READER_KB = 2_000, 256
"""Page cache of a connection in kB, while writing and otherwise. Files are memory-mapped, so readers find most pages
without a copy of their own. There is a connection per thread and index; with 2 MB each, they took most of the memory of
an API process.
"""
_BATCH = 50
SYSTEM = "\x01"
"""Field name of internal bitmaps: `all` (every item) and `vector:<vectorizer>`."""

_SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('schema', {INDEX_VERSION}), ('next_n', 1), ('next_value', 1), ('ver', 0),
  ('applied_seq', 0), ('retired', 0), ('changes_from', 0), ('uid', abs(random()));
CREATE TABLE field (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, ver INTEGER NOT NULL,
  size INTEGER NOT NULL, UNIQUE (name, kind));
CREATE TABLE value (id INTEGER PRIMARY KEY, field INTEGER NOT NULL, text TEXT NOT NULL, card INTEGER NOT NULL,
  ver INTEGER NOT NULL, bitmap BLOB NOT NULL, UNIQUE (field, text));
CREATE TABLE num (field INTEGER, n INTEGER, k INTEGER, value REAL NOT NULL, PRIMARY KEY (field, n, k)) WITHOUT ROWID;
CREATE TABLE doc (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, vals BLOB, nums BLOB);
CREATE TABLE change (ver INTEGER, n INTEGER, PRIMARY KEY (ver, n)) WITHOUT ROWID;
CREATE TABLE word (surface TEXT, term TEXT, PRIMARY KEY (surface, term)) WITHOUT ROWID;
CREATE TABLE vector (name TEXT PRIMARY KEY, dimension INTEGER NOT NULL, epoch INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE fts USING fts5 (title, text, tokenize = 'ascii');
CREATE VIRTUAL TABLE df USING fts5vocab ('fts', 'row');
INSERT INTO fts (fts, rank) VALUES ('hashsize', 16777216);
INSERT INTO fts (fts, rank) VALUES ('automerge', 8);
"""
_BLOCKS = """
CREATE TABLE IF NOT EXISTS block (field INTEGER, first INTEGER, items BLOB NOT NULL, numbers BLOB NOT NULL,
  PRIMARY KEY (field, first));
CREATE TABLE IF NOT EXISTS moved (field INTEGER, n INTEGER, PRIMARY KEY (field, n)) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS inst USING fts5vocab ('fts', 'instance');
"""
"""See `number_storage` and `postings`. Separate from `_SCHEMA`, because files without these tables get them when they
are opened.
"""
_NEWEST = "inst"


class GenerationReplaced(Exception):
    """The file was replaced by a newer generation while this process waited to write. Look up the generation in use
    again.
    """


class ThreadConnections(threading.local):
    """Open connections of one thread, least recently used first. Never used in a forked process."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.open: OrderedDict[str, tuple[int, sqlite3.Connection]] = OrderedDict()


class IndexConnections:
    """Opens and caches connections to index files."""

    def __init__(self) -> None:
        self._local = ThreadConnections()

    def connection(self, path: Path, create: bool) -> sqlite3.Connection | None:
        """Return this thread's connection to a file. None when there is no such file and `create` is false."""
        local = self._local
        if local.pid != os.getpid():
            local.pid, local.open = os.getpid(), OrderedDict()
        name = str(path)
        try:
            inode = os.stat(name).st_ino
        except FileNotFoundError:
            inode = 0
        known = local.open.pop(name, None)
        if known and known[0] == inode:
            local.open[name] = known
            return known[1]
        if known:
            known[1].close()
        if not inode and not create:
            return None
        connection = _open_connection(path)
        local.open[name] = os.stat(name).st_ino, connection
        while len(local.open) > OPEN_PER_THREAD:
            local.open.popitem(last=False)[1][1].close()
        return connection

    def close(self) -> None:
        """Close the connections of this thread."""
        while self._local.open:
            self._local.open.popitem()[1][1].close()


@contextmanager
def read_transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Give all statements within the block the same snapshot of the index."""
    connection.execute("BEGIN")
    try:
        yield connection
    finally:
        connection.execute("ROLLBACK")


@contextmanager
def write_transaction(connection: sqlite3.Connection, path: Path) -> Iterator[sqlite3.Connection]:
    """Run the block as one write transaction, committed at its end and rolled back on an exception.

    Raises:
        ServiceUnavailable: another process has held the write lock for `BUSY_SECONDS`.
        GenerationReplaced: the file is no longer in use.
    """
    _begin_write(connection, path)
    try:
        if read_meta(connection, "retired"):
            raise GenerationReplaced
        connection.execute(f"PRAGMA cache_size = -{_WRITER_KB}")
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.execute(f"PRAGMA cache_size = -{_READER_KB}")


def _begin_write(connection: sqlite3.Connection, path: Path) -> None:
    """Take the write lock. A writer that has to wait leaves a mark for `yield_to_waiting_writers`."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        _retry_while_locked(connection, "BEGIN IMMEDIATE", lambda: _waiting_mark_path(path).touch())
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")


def _retry_while_locked(connection: sqlite3.Connection, statement: str, waiting: Callable[[], None]) -> None:
    """Execute a statement that needs a lock, with frequent retries while others hold it.

    SQLite's own waiting grows to a tenth of a second between tries, so it misses the short pauses of a busy writer, and
    it does not wait at all while a file is switched to a write-ahead log.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise ServiceUnavailable(message("busy.index", "The search index is busy"), cause=str(error)) from error
        waiting()
        time.sleep(_RETRY_SECONDS)


def yield_to_waiting_writers(path: Path) -> None:
    """Pause briefly between two transactions of a long write when other writers were waiting lately."""
    with suppress(FileNotFoundError):
        if time.time() - os.stat(_waiting_mark_path(path)).st_mtime < _WAITED_SECONDS:
            time.sleep(_PAUSE_SECONDS)


def _waiting_mark_path(path: Path) -> Path:
    return path.with_suffix(".waiting")


def insert_rows(connection: sqlite3.Connection, into: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert rows, many per statement, which takes half the time of one statement per row.

    Args:
        into: the statement up to `VALUES`.
    """
    if not rows:
        return
    one = f"({','.join('?' * len(rows[0]))})"
    whole = len(rows) // _BATCH * _BATCH
    parts = (tuple(chain.from_iterable(rows[at : at + _BATCH])) for at in range(0, whole, _BATCH))
    connection.executemany(f"{into} VALUES {','.join([one] * _BATCH)}", parts)
    connection.executemany(f"{into} VALUES {one}", rows[whole:])


def read_meta(connection: sqlite3.Connection, key: str) -> int:
    """Return a number from the index's own metadata."""
    value: int = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0]
    return value


def write_meta(connection: sqlite3.Connection, key: str, value: int) -> None:
    """Set a number in the index's own metadata."""
    connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))


def _open_connection(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA cache_size = -{_READER_KB}")
        connection.execute("PRAGMA mmap_size = 268435456")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        connection.execute(f"PRAGMA journal_size_limit = {_MAX_WAL_BYTES}")
        if not _has_table(connection, "meta"):
            connection.execute("PRAGMA page_size = 8192")
            _retry_while_locked(connection, "PRAGMA journal_mode = WAL", lambda: None)
        if not _has_table(connection, _NEWEST):
            _create_tables(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _has_table(connection: sqlite3.Connection, table: str) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is not None


def _create_tables(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in (("" if _has_table(connection, "meta") else _SCHEMA) + _BLOCKS).strip().split(";\n"):
            connection.execute(statement)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise ServiceUnavailable(
            "The search index cannot be made", cause=str(error), fix="Use a Python whose sqlite3 has FTS5"
        ) from error
