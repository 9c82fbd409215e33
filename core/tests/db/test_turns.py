"""Writers take turns, and no one waits without end."""

from __future__ import annotations

import sqlite3
import threading
import time
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
            release.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    taken.wait(5)
    begin = time.monotonic()
    with pytest.raises(ServiceUnavailable) as refused, database.write_turn():
        raise AssertionError("two at a time")
    assert time.monotonic() - begin < 2
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
