"""A database server that is restarted: requests during the outage get an error, and succeed once it is back."""

from __future__ import annotations

import errno
import os
import sqlite3
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from annotarium.db import disconnected
from annotarium.db.database import Database, get_database
from annotarium.db.disconnected import DatabaseRetry, is_disconnected
from annotarium.db.disk_full import is_disk_full


class Disconnected(sqlite3.OperationalError):
    """What the driver of PostgreSQL raises when there is no connection."""

    sqlstate = None


def test_callers_get_an_error_when_the_database_is_disconnected(
    client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    marie = as_user(client, "marie", "ProjectManager")
    assert marie.get("/api/projects").status_code == 200

    def refuse(*_: Any) -> None:
        raise Disconnected("connection to server at 10.0.0.7 failed")

    with monkeypatch.context() as patch:
        for engine in (get_database().read_engine, get_database().write_engine):
            patch.setattr(engine.pool, "connect", refuse)
        for answer in (marie.get("/api/projects"), marie.post("/api/projects", json={"label": "New"})):
            assert answer.status_code == 503, answer.text
            assert answer.json()["message"] == "The database does not respond"
            assert "10.0.0.7" not in answer.text
    assert marie.get("/api/projects").status_code == 200


def test_only_a_server_can_be_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_disconnected(OperationalError("", {}, Disconnected("server closed the connection unexpectedly")))
    assert not is_disconnected(OperationalError("", {}, sqlite3.OperationalError("disk I/O error")))
    monkeypatch.setattr(disconnected.time, "sleep", lambda _: None)
    patience = DatabaseRetry(times=2, seconds=60)
    assert patience.wait() and patience.wait()
    patience.reset()
    assert patience.wait()
    patience.reset()
    assert not patience.wait()


def test_a_session_ended_by_the_server_is_recognised() -> None:
    server = os.environ.get("ANNOTARIUM_TEST_DATABASE_URL")
    if not server:
        pytest.skip("ANNOTARIUM_TEST_DATABASE_URL names no PostgreSQL server")
    steward, database = Database(server), Database(server)
    with database.write_engine.connect() as connection, steward.write_engine.connect() as other:
        (pid,) = connection.exec_driver_sql("SELECT pg_backend_pid()").one()
        other.exec_driver_sql(f"SELECT pg_terminate_backend({pid})")
        with pytest.raises(DBAPIError) as ended:
            connection.exec_driver_sql("SELECT 1")
    assert is_disconnected(ended.value)
    missing = Database(make_url(server).set(port=1).render_as_string(hide_password=False))
    with pytest.raises(DBAPIError) as refused:
        missing.write_engine.connect()
    assert is_disconnected(refused.value)
    with steward.write_engine.connect() as connection, pytest.raises(DBAPIError) as wrong:
        connection.exec_driver_sql(f"SELECT * FROM t{uuid4().hex}")
    assert not is_disconnected(wrong.value)
    for one in (steward, database, missing):
        one.dispose()


@pytest.mark.parametrize("path", ["uploads", "projects"])
def test_a_full_disk_has_its_own_error(client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    marie = as_user(client, "marie", "ProjectManager")
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left") if path == "uploads" else OperationalError("INSERT", {}, full)

    target = "annotarium.domains.imports.endpoints.uploads.register"
    monkeypatch.setattr(target if path == "uploads" else "sqlalchemy.orm.Session.commit", refuse)
    if path == "uploads":
        answer = marie.post("/api/uploads", files={"file": ("a.txt", b"bytes")})
    else:
        answer = marie.post("/api/projects", json={"label": "New"})
    assert (answer.status_code, answer.json()["cause"]) == (503, "The disk that holds the data is full")
    assert is_disk_full(full) is False  # driver errors reach the application wrapped by SQLAlchemy
