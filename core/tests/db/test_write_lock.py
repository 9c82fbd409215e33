"""Only one writer at a time, and no unbounded wait."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from annotarium.db import database
from annotarium.db.database import Database
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import ServiceUnavailable


def test_a_write_lock_timeout_is_an_error_with_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "WRITE_LOCK_SECONDS", 0.1)
    database_ = Database(f"sqlite:///{tmp_path / 'record.sqlite'}")
    release = threading.Event()
    taken = threading.Event()

    def hold() -> None:
        with database_.write_lock():
            taken.set()
            release.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    taken.wait(60)
    with pytest.raises(ServiceUnavailable) as refused, database_.write_lock():
        raise AssertionError("two at a time")
    assert refused.value.fix
    release.set()
    holder.join()
    with database_.write_lock():
        pass
    with pytest.raises(ZeroDivisionError), database_.write_lock():
        raise ZeroDivisionError
    with database_.write_lock():
        pass
    database_.dispose()


def test_a_database_locked_by_another_process_is_reported_as_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PRAGMAS", (*database._PRAGMAS, "PRAGMA busy_timeout=50"))
    path = tmp_path / "record.sqlite"
    database_ = Database(f"sqlite:///{path}")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    busy = pytest.raises(ServiceUnavailable, match="busy")
    with busy as refused, unit_of_work(actor="", write=True, database=database_):
        raise AssertionError("two at a time")
    assert "locked" in refused.value.cause
    with unit_of_work(actor="", write=False, database=database_):
        pass  # readers are not blocked
    other.execute("ROLLBACK")
    with unit_of_work(actor="", write=True, database=database_):
        pass
    other.close()
    database_.dispose()


def test_a_free_write_lock_is_acquired_immediately_and_released_after_the_transaction(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'record.sqlite'}")
    with database.try_write_lock() as free:
        assert free
        with unit_of_work(actor="", write=True, database=database):
            assert not _free_elsewhere(database), "one writer at a time"
        assert _free_elsewhere(database), "others do not wait for what follows the commit"
        with unit_of_work(actor="", write=True, database=database):
            pass  # a second transaction waits for the write lock itself
    with database.try_write_lock() as free:
        assert free, "it was given back"
    wrong = pytest.raises(ZeroDivisionError)
    with database.try_write_lock(), wrong, unit_of_work(actor="", write=True, database=database):
        raise ZeroDivisionError
    assert _free_elsewhere(database)
    database.dispose()


def test_try_write_lock_does_not_wait(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    database, other = Database(f"sqlite:///{path}"), Database(f"sqlite:///{path}")
    # The other database object has its own file descriptor and lock, like another process.
    with other.write_lock(), database.try_write_lock() as free:
        assert not free
    with database.try_write_lock() as free:
        assert free
    database.dispose()
    other.dispose()


def test_try_write_lock_fails_while_connections_are_scarce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database_ = Database(f"sqlite:///{tmp_path / 'record.sqlite'}")
    monkeypatch.setattr(database, "_ENOUGH_CONNECTIONS", 1)
    with database_.read_engine.connect(), database_.try_write_lock() as free:
        assert not free
    with database_.try_write_lock() as free:
        assert free
    database_.dispose()


def _free_elsewhere(database: Database) -> bool:
    """Whether another thread could take the write lock immediately."""
    found: list[bool] = []

    def ask() -> None:
        with database.try_write_lock() as free:
            found.append(free)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join(60)
    return found == [True]
