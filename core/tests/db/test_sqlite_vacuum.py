"""Deleted rows release their space to the file system."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotarium.db import sqlite_vacuum
from annotarium.db.database import Database

KIBIBYTE, MEBIBYTE = 1 << 10, 1 << 20
ROWS = 100


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.sqlite"


@pytest.fixture
def database(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setattr(sqlite_vacuum, "REWRITE_FROM", 4 * MEBIBYTE)
    database = Database(f"sqlite:///{path}")
    yield database
    database.dispose()


def _size(database: Database, path: Path) -> int:
    with database.write_engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.exec_driver_sql("BEGIN")
    return path.stat().st_size


def _run(database: Database, *statements: str) -> None:
    with database.write_lock(), database.write_engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
        connection.commit()


def _fill(database: Database) -> None:
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS})"
    _run(
        database,
        "CREATE TABLE kept (i INTEGER, b BLOB)",
        "CREATE TABLE lines (i INTEGER, b BLOB)",
        f"{numbers} INSERT INTO lines SELECT i, zeroblob({100 * KIBIBYTE}) FROM n",
        f"{numbers} INSERT INTO kept SELECT i, zeroblob({KIBIBYTE}) FROM n",
    )


def test_pages_of_deleted_rows_are_returned_to_the_file_system(database: Database, path: Path) -> None:
    _fill(database)
    full = _size(database, path)
    assert full > ROWS * 100 * KIBIBYTE
    assert sqlite_vacuum.shrink_database(database) == 0
    _run(database, "DELETE FROM lines")
    assert _size(database, path) == full
    given = sqlite_vacuum.shrink_database(database)
    assert given >= full - 3 * MEBIBYTE
    assert _size(database, path) <= 3 * MEBIBYTE
    assert sqlite_vacuum.shrink_database(database) == 0


def test_a_mostly_free_database_is_rewritten(database: Database, path: Path) -> None:
    _fill(database)
    _run(database, f"DELETE FROM lines WHERE i < {ROWS // 4}")
    assert sqlite_vacuum.shrink_database(database) == 0
    _run(database, "DELETE FROM lines")
    assert sqlite_vacuum.shrink_database(database) > 0
    assert _size(database, path) <= 2 * MEBIBYTE
    with database.read_engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM kept").scalar() == ROWS


def test_connections_do_not_wait_for_a_writer(database: Database) -> None:
    """A writing pragma would make every new connection wait for the current writer."""
    _fill(database)
    with database.write_lock(), database.write_engine.connect():
        database.read_engine.dispose()
        with database.read_engine.connect() as reader:
            assert reader.exec_driver_sql("SELECT count(*) FROM kept").scalar() == ROWS
