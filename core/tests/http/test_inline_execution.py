"""Short operations run in the event loop's thread when they can, and in a worker thread when they would have to
wait.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from annotarium.db.database import get_database
from annotarium.db.unit_of_work import unit_of_work
from annotarium.http import inline_execution
from annotarium.http.inline_execution import make_inline_endpoint

pytestmark = pytest.mark.usefixtures("sqlite_only")


@pytest.fixture
def sqlite_only(client: Any) -> None:
    if not get_database().is_sqlite:
        pytest.skip("on PostgreSQL there is no turn: every act is made in a thread")


class InlineApp:
    """An application with one inline operation that records the thread it ran in."""

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.loop_thread = 0
        self.takes = 0.0
        app = FastAPI()

        def operation(*, request: Request) -> dict[str, int]:
            with unit_of_work(actor="tests", write=True):
                time.sleep(self.takes)
            self.threads.append(threading.get_ident())
            return {"made": len(self.threads)}

        async def loop() -> None:
            self.loop_thread = threading.get_ident()

        app.post("/act")(make_inline_endpoint(operation))
        app.get("/loop")(loop)
        self.app = app

    def here(self) -> list[bool]:
        return [thread == self.loop_thread for thread in self.threads]


@pytest.fixture
def inline_app(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(inline_execution, "inline_executor", inline_execution.InlineExecutor())
    monkeypatch.setattr(inline_execution, "LONG_SECONDS", 0.5)
    made = InlineApp()
    with TestClient(made.app) as client:
        made.client = client  # type: ignore[attr-defined]
        client.get("/loop")
        yield made


@contextmanager
def taken_write_lock() -> Iterator[threading.Event]:
    """While a thread holds the write lock, until the event is set, or at the end."""
    done, taken = threading.Event(), threading.Event()

    def hold() -> None:
        with get_database().write_lock():
            taken.set()
            done.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    taken.wait(60)
    try:
        yield done
    finally:
        done.set()
        holder.join()


def test_an_operation_runs_in_the_loop_when_the_write_lock_is_free(inline_app: Any) -> None:
    assert inline_app.client.post("/act").json() == {"made": 1}
    assert inline_app.here() == [True]


def test_an_operation_retries_while_the_write_lock_is_taken(inline_app: Any) -> None:
    with taken_write_lock() as done:
        threading.Timer(0.02, done.set).start()
        assert inline_app.client.post("/act").status_code == 200
    assert len(inline_app.threads) == 1


def test_a_long_wait_for_the_write_lock_runs_in_a_thread(inline_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """During a long write the loop answers other requests."""
    monkeypatch.setattr(inline_execution, "PAUSES", (0.0, 0.001))
    answers: list[int] = []
    waiting = threading.Thread(target=lambda: answers.append(inline_app.client.post("/act").status_code))
    with taken_write_lock():
        waiting.start()
        time.sleep(0.1)
        assert inline_app.client.get("/loop").status_code == 200, "the loop is free"
        assert not answers
    waiting.join(60)
    assert answers == [200]
    assert inline_app.here() == [False]


def test_after_a_slow_operation_the_next_ones_run_in_threads(inline_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a limited time, then in the loop again; detected without a race against the clock."""
    monkeypatch.setattr(inline_execution, "REST_SECONDS", 60.0)
    inline_app.takes = 0.6
    inline_app.client.post("/act")
    inline_app.takes = 0.0
    inline_app.client.post("/act")
    assert inline_app.here() == [True, False]
    monkeypatch.setattr(inline_execution, "inline_executor", inline_execution.InlineExecutor())
    monkeypatch.setattr(inline_execution, "REST_SECONDS", 0.0)
    inline_app.takes = 0.6
    inline_app.client.post("/act")
    inline_app.takes = 0.0
    inline_app.client.post("/act")
    assert inline_app.here()[-2:] == [True, True], "and once that is over in the loop again"


def test_a_password_is_not_hashed_in_the_loop(inline_app: Any) -> None:
    inline_app.client.post("/act", auth=("marie", "secret"))
    assert inline_app.here() == [False]
