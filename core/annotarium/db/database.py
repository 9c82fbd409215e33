"""Database engines: SQLite (WAL) by default, PostgreSQL by URL, the same models on both.

SQLite has two engines on one file. The writing one begins with `BEGIN IMMEDIATE` (measured: a deferred begin fails with
"database is locked" under several writers despite the busy timeout), the reading one with a plain `BEGIN`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session
from sqlalchemy.pool import QueuePool

from annotarium.db.corruption import parse_stored_json
from annotarium.db.write_lock import WriteLock
from annotarium.errors import InvalidInput, ServiceUnavailable
from annotarium.files.private_files import make_private
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

WRITE_LOCK_SECONDS = 40.0
"""Longer than SQLite's own wait for other processes, so that the holder of the write lock gives up first."""
LOCK_SECONDS = 20.0
"""How long a statement waits for rows locked by another transaction (PostgreSQL). An operation that is repeated once
waits as long as for the write lock.
"""
_POOL, _OVERFLOW = 16, 48
_PREPARING = 4_711_000_001
"""PostgreSQL's advisory lock number for `lock_database_preparation`."""
_ENOUGH_CONNECTIONS = 32
"""With more connections in use, a free one is not guaranteed."""
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=30000",
    "PRAGMA cache_size=-32768",
    "PRAGMA temp_store=MEMORY",
)


def _dumps(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()


def _sqlite_engine(url: str, *, begin: str) -> Engine:
    engine = create_engine(
        url,
        json_serializer=_dumps,
        json_deserializer=parse_stored_json,
        connect_args={"check_same_thread": False},
        pool_size=_POOL,
        pool_use_lifo=True,  # the most recently used connection has the newest pages and statements cached
        max_overflow=_OVERFLOW,
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in _PRAGMAS:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _limit_lock_waits(engine: Engine) -> None:
    """Limit waits for row locks: a row locked for hours would block one thread after the other (decision 0024)."""

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {round(LOCK_SECONDS * 1000)}")
        connection.commit()


def lock_database_preparation(connection: Connection) -> None:
    """Lock the preparation of the database until the transaction ends, for processes that start at the same time.

    Waits without limit, since a migration may take long. SQLite has only one writer at a time anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_PREPARING})")
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(LOCK_SECONDS * 1000)}")


def _parse_url(url: str) -> URL:
    """Parse and check a database URL.

    Raises:
        InvalidInput: it is not a valid URL, or for an unsupported kind of database.
    """
    fix = "Write DATABASE_URL as postgresql://user@host/name, or unset it to use a database in the data folder"
    try:
        found = make_url(url)
    except ArgumentError as error:
        raise InvalidInput("DATABASE_URL is not a valid database address", fix=fix) from error
    if found.get_backend_name() not in ("sqlite", "postgresql"):
        raise InvalidInput(f"Databases of type {found.get_backend_name()} are not supported", fix=fix)
    return found


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        cause = f"{error.strerror or error}"
        raise InvalidInput(
            f"Cannot write to the folder {folder}", cause=cause, fix="Choose another with --data"
        ) from error


class Database:
    """The database: creates sessions for reading and writing."""

    def __init__(self, url: str) -> None:
        self.url = _parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        # Writers wait here, first those of one process, then the processes: SQLite's own busy wait polls.
        self._write_lock = threading.Lock() if self.is_sqlite else None
        self._lock_file = WriteLock(Path(f"{self.url.database}.turn")) if self.is_sqlite and self.url.database else None
        self._inline_lock_file = WriteLock(Path(f"{self.url.database}.brief")) if self._lock_file is not None else None
        self._preacquired_by: int | None = None  # id of the thread that acquired the lock before its transaction
        if self.is_sqlite:
            if self.url.database:
                _make_folder(Path(self.url.database).parent)
                for ending in ("", "-wal", "-shm"):  # may be outside the data folder, from an earlier version
                    make_private(Path(f"{self.url.database}{ending}"))
            self.write_engine = _sqlite_engine(url, begin="BEGIN IMMEDIATE")
            self.read_engine = _sqlite_engine(url, begin="BEGIN")
        else:
            normalised = self.url.set(drivername="postgresql+psycopg")
            self.write_engine = create_engine(
                normalised,
                json_serializer=_dumps,
                json_deserializer=parse_stored_json,
                pool_size=max(5, 40 // get_settings().api_processes),
                max_overflow=10,
                pool_pre_ping=True,
            )
            _limit_lock_waits(self.write_engine)
            self.read_engine = self.write_engine

    def session(self, *, write: bool) -> Session:
        """A new session; only `db.unit_of_work` commits it."""
        return Session(self.write_engine if write else self.read_engine, expire_on_commit=False)

    @contextmanager
    def write_lock(self) -> Iterator[None]:
        """Hold the write lock during a writing transaction (one writer at a time on SQLite; no effect on PostgreSQL).

        Raises:
            ServiceUnavailable: not acquired within `WRITE_LOCK_SECONDS`. Without a limit, waiting writers would occupy
                all threads, until none is left for readers.
        """
        lock = self._write_lock
        if lock is None:
            yield
            return
        if self._preacquired_by == threading.get_ident():  # by `try_write_lock`; released with this transaction
            self._preacquired_by = None
        else:
            if not lock.acquire(timeout=WRITE_LOCK_SECONDS):
                raise ServiceUnavailable(
                    message("busy.record", "The database is busy"),
                    cause=message("busy.change", "Another change is taking a long time"),
                    fix="Try again in a minute",
                )
            if self._lock_file is not None:
                self._lock_file.acquire()
        try:
            yield
        finally:
            self._release_write_lock(lock)

    def _release_write_lock(self, lock: threading.Lock) -> None:
        if self._lock_file is not None:
            self._lock_file.release()
        lock.release()

    @contextmanager
    def try_write_lock(self) -> Iterator[bool]:
        """Acquire the write lock for this thread's next writing transaction if it is free; yields whether it was.

        If another process is running an inline operation, this waits for its end: such operations are short, and the
        kernel wakes the waiting process immediately. Always False on PostgreSQL, which has no write lock and where each
        statement waits for the network, and while connections are so scarce that the operation may have to wait for
        one.
        """
        lock = self._write_lock
        if lock is None or self._is_scarce() or not lock.acquire(blocking=False):
            yield False
            return
        if not self._try_lock_files():
            lock.release()
            yield False
            return
        self._preacquired_by = threading.get_ident()
        try:
            yield True
        finally:
            if self._inline_lock_file is not None:
                self._inline_lock_file.release()
            if self._preacquired_by == threading.get_ident():  # no transaction was begun
                self._preacquired_by = None
                self._release_write_lock(lock)

    def _try_lock_files(self) -> bool:
        if self._lock_file is None or self._inline_lock_file is None:
            return True
        self._inline_lock_file.acquire()
        if self._lock_file.try_acquire():
            return True
        self._inline_lock_file.release()
        return False

    def _is_scarce(self) -> bool:
        pool = self.read_engine.pool
        return isinstance(pool, QueuePool) and pool.checkedout() >= _ENOUGH_CONNECTIONS

    def is_idle(self) -> bool:
        """Whether this process has no connection in use."""
        pools = {id(one): one.pool for one in (self.write_engine, self.read_engine)}.values()
        return not any(isinstance(pool, QueuePool) and pool.checkedout() for pool in pools)

    def release_idle_connections(self) -> None:
        """Close connections that are not in use, to free the pages that each of them caches (SQLite only)."""
        pool = self.read_engine.pool
        if self.is_sqlite and isinstance(pool, QueuePool) and pool.checkedin():
            self.read_engine.dispose()  # a connection in use is closed when it is returned

    def after_fork(self) -> None:
        """Discard the parent's connections in a forked child, without closing them."""
        self.write_engine.dispose(close=False)
        self.read_engine.dispose(close=False)
        if self._write_lock is not None:
            self._write_lock = threading.Lock()
        self._close_lock_files()

    def _close_lock_files(self) -> None:
        for turn in (self._lock_file, self._inline_lock_file):
            if turn is not None:
                turn.close()

    def dispose(self) -> None:
        """Close all connections and lock files."""
        self.write_engine.dispose()
        self.read_engine.dispose()
        self._close_lock_files()


@lru_cache(maxsize=1)
def get_database() -> Database:
    """The database of this process."""
    return Database(get_settings().sql_url)
