"""Operations that the database aborts because of another transaction: short ones are retried once; no wait is
unbounded.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import Field
from sqlalchemy import text, update
from sqlalchemy.exc import OperationalError

from annotarium.access import guard
from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.db import database
from annotarium.db.database import get_database
from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.http.error_handlers import install_error_handlers
from annotarium.http.routing import DomainRouter
from annotarium_schemas.shape import Command

BOTH = pytest.mark.parametrize("database_kind", ["sqlite", "postgresql"], indirect=True, scope="module")


class Refused(Exception):
    """What a driver raises when the database aborts a transaction."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


class Body(Command):
    refusals: list[str] = Field(default_factory=list)


class RetriedApp:
    """An application with short operations and a long one; each run raises the next of the requested failures."""

    def __init__(self) -> None:
        self.runs = 0
        router = DomainRouter()

        @router.post("/projects/{project_name}/short")
        @guarded(project="write", idempotent=True)
        def short(call: ProjectCall, body: Body) -> dict[str, int]:
            return self.operation(call, body)

        @router.post("/projects/{project_name}/brief")
        @guarded(project="write", inline=True)
        def inline(call: ProjectCall, body: Body) -> dict[str, int]:
            return self.operation(call, body)

        @router.post("/projects/{project_name}/long")
        @guarded(project="write")
        def long(call: ProjectCall, body: Body) -> dict[str, int]:
            return self.operation(call, body)

        self.app = FastAPI()
        self.app.router.routes += router.routes
        install_error_handlers(self.app)

    def operation(self, call: ProjectCall, body: Body) -> dict[str, int]:
        """Change a row, then fail if the body requests it."""
        run, self.runs = self.runs, self.runs + 1
        query = update(Project).where(Project.id == call.project.id)
        call.session.execute(query.values(description=Project.description + "x"))
        if run < len(body.refusals):
            raise OperationalError("UPDATE", (), Refused(body.refusals[run]))
        return {"runs": self.runs}


@pytest.fixture
def retried_app() -> RetriedApp:
    return RetriedApp()


@pytest.fixture
def caller(
    retried_app: RetriedApp, client: Any, data_folder: Path, as_user: Any, make_project: Any
) -> Iterator[tuple[Any, Any]]:
    """A user who may write in a project, and the project."""
    project = make_project(writers=("writer",))
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.get_one(Project, project.id).description = ""
    with type(client)(retried_app.app) as small:
        yield as_user(small, "writer"), project


def written(project: Any) -> str:
    with unit_of_work(actor="tests", write=False) as unit:
        return str(unit.session.get_one(Project, project.id).description)


@BOTH
@pytest.mark.parametrize("state", ["40P01", "40001", "55P03"])
@pytest.mark.parametrize("kind", ["short", "brief"])
def test_a_short_operation_is_retried_once(
    retried_app: RetriedApp, caller: tuple[Any, Any], kind: str, state: str
) -> None:
    user, project = caller
    answer = user.post(f"/projects/{project.name}/{kind}", json={"refusals": [state]})
    assert (answer.status_code, answer.json()) == (200, {"runs": 2})
    assert written(project) == "x", "of the first attempt nothing is left"


@BOTH
@pytest.mark.parametrize(
    ("kind", "refusals", "status", "runs"),
    [
        ("short", ["40P01", "40001"], 409, 2),
        ("short", ["40P01", "55P03"], 503, 2),
        ("short", ["57014"], 503, 1),
        ("long", ["40P01"], 409, 1),
        ("long", ["55P03"], 503, 1),
    ],
)
def test_failures_that_are_not_retried_return_an_error(
    retried_app: RetriedApp, caller: tuple[Any, Any], kind: str, refusals: list[str], status: int, runs: int
) -> None:
    user, project = caller
    answer = user.post(f"/projects/{project.name}/{kind}", json={"refusals": refusals})
    assert (answer.status_code, retried_app.runs, written(project)) == (status, runs, "")
    assert answer.json()["fix"]


@contextmanager
def concurrent_change(project: Any) -> Iterator[Callable[[], None]]:
    """Another connection has changed the project; its transaction ends when the yielded function is called, or with the
    context.
    """
    taken, release = threading.Event(), threading.Event()

    def hold() -> None:
        with unit_of_work(actor="other", write=True) as unit:
            unit.session.execute(update(Project).where(Project.id == project.id).values(description="y"))
            taken.set()
            release.wait(60)

    holder = threading.Thread(target=hold)

    def end() -> None:
        release.set()
        holder.join(60)

    holder.start()
    try:
        assert taken.wait(60)
        yield end
    finally:
        end()


@pytest.fixture
def short_lock_timeouts(caller: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connections wait at most a tenth of a second for locks."""
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.1)
    monkeypatch.setattr(database, "WRITE_LOCK_SECONDS", 0.1)
    get_database().dispose()
    yield
    get_database().dispose()


@BOTH
@pytest.mark.usefixtures("short_lock_timeouts")
def test_waiting_for_a_long_change_ends_with_a_message(caller: tuple[Any, Any]) -> None:
    """The same on both databases: SQLite waits for the write lock, PostgreSQL for the row."""
    user, project = caller
    with concurrent_change(project):
        answer = user.post(f"/projects/{project.name}/short", json={})
    assert (answer.status_code, answer.json()["message"]) == (503, "The database is busy")
    assert written(project) == "y"


@pytest.mark.parametrize("database_kind", ["postgresql"], indirect=True, scope="module")
@pytest.mark.usefixtures("short_lock_timeouts")
def test_a_retried_operation_succeeds_after_the_other_transaction_ended(
    caller: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    user, project = caller
    known = guard.is_serialization_failure
    with concurrent_change(project) as end:

        def waited(error: BaseException) -> bool:
            end()  # the first attempt timed out; the other transaction ends before the second attempt
            return known(error)

        monkeypatch.setattr(guard, "is_serialization_failure", waited)
        answer = user.post(f"/projects/{project.name}/short", json={})
    assert (answer.status_code, written(project)) == (200, "yx")


@pytest.mark.parametrize("database_kind", ["postgresql"], indirect=True, scope="module")
def test_every_connection_has_a_lock_timeout(data_folder: Path) -> None:
    """A rollback does not remove the limit."""
    with get_database().read_engine.connect() as connection:
        connection.rollback()
        limit = connection.execute(text("SHOW lock_timeout")).scalar_one()
    assert limit == "20s"
