"""Writers take turns, and no one waits without end."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from annotarium.db import engine
from annotarium.db.engine import Database
from annotarium.db.unit import unit_of_work
from annotarium.errors import ServiceUnavailable


def test_a_turn_that_does_not_come_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "TURN_SECONDS", 0.1)
    database = Database(f"sqlite:///{tmp_path / 'record.sqlite'}")
    release = threading.Event()
    taken = threading.Event()

    def hold() -> None:
        with database.write_turn():
            taken.set()
            release.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    taken.wait(60)
    with pytest.raises(ServiceUnavailable) as refused, database.write_turn():
        raise AssertionError("two at a time")
    assert refused.value.fix
    release.set()
    holder.join()
    with database.write_turn():
        pass
    with pytest.raises(ZeroDivisionError), database.write_turn():
        raise ZeroDivisionError
    with database.write_turn():
        pass
    database.dispose()


def test_a_record_another_process_writes_to_is_busy_not_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PRAGMAS", (*engine._PRAGMAS, "PRAGMA busy_timeout=50"))
    path = tmp_path / "record.sqlite"
    database = Database(f"sqlite:///{path}")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    busy = pytest.raises(ServiceUnavailable, match="busy")
    with busy as refused, unit_of_work(actor="", write=True, database=database):
        raise AssertionError("two at a time")
    assert "locked" in refused.value.cause
    with unit_of_work(actor="", write=False, database=database):
        pass  # who reads is not in anybody's way
    other.execute("ROLLBACK")
    with unit_of_work(actor="", write=True, database=database):
        pass
    other.close()
    database.dispose()


def test_a_free_turn_is_had_at_once_and_ends_with_the_transaction(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'record.sqlite'}")
    with database.turn_at_once() as free:
        assert free
        with unit_of_work(actor="", write=True, database=database):
            assert not _free_elsewhere(database), "one writer at a time"
        assert _free_elsewhere(database), "others do not wait for what follows the commit"
        with unit_of_work(actor="", write=True, database=database):
            pass  # a second transaction waits for its own turn
    with database.turn_at_once() as free:
        assert free, "it was given back"
    wrong = pytest.raises(ZeroDivisionError)
    with database.turn_at_once(), wrong, unit_of_work(actor="", write=True, database=database):
        raise ZeroDivisionError
    assert _free_elsewhere(database)
    database.dispose()


def test_a_turn_somebody_has_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    database, other = Database(f"sqlite:///{path}"), Database(f"sqlite:///{path}")
    # The other has a descriptor and a lock of its own, as another process.
    with other.write_turn(), database.turn_at_once() as free:
        assert not free
    with database.turn_at_once() as free:
        assert free
    database.dispose()
    other.dispose()


def test_no_turn_at_once_while_connections_are_scarce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = Database(f"sqlite:///{tmp_path / 'record.sqlite'}")
    monkeypatch.setattr(engine, "_PLENTY", 1)
    with database.read_engine.connect(), database.turn_at_once() as free:
        assert not free
    with database.turn_at_once() as free:
        assert free
    database.dispose()


def _free_elsewhere(database: Database) -> bool:
    """Whether another thread could have the turn at once."""
    found: list[bool] = []

    def ask() -> None:
        with database.turn_at_once() as free:
            found.append(free)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join(60)
    return found == [True]
