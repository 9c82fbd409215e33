"""Brief acts are made in the loop's thread when they can, and elsewhere when somebody would have to wait."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from annotarium.access import brief
from annotarium.access.brief import briefly
from annotarium.db.engine import get_database
from annotarium.db.unit import unit_of_work

pytestmark = pytest.mark.usefixtures("sqlite_only")


@pytest.fixture
def sqlite_only(client: Any) -> None:
    if not get_database().is_sqlite:
        pytest.skip("on PostgreSQL there is no turn: every act is made in a thread")


class Office:
    """An application whose one brief act notes the thread it was made in."""

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.loop_thread = 0
        self.takes = 0.0
        app = FastAPI()

        def act(*, request: Request) -> dict[str, int]:
            with unit_of_work(actor="tests", write=True):
                time.sleep(self.takes)
            self.threads.append(threading.get_ident())
            return {"made": len(self.threads)}

        async def loop() -> None:
            self.loop_thread = threading.get_ident()

        app.post("/act")(briefly(act))
        app.get("/loop")(loop)
        self.app = app

    def here(self) -> list[bool]:
        return [thread == self.loop_thread for thread in self.threads]


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(brief, "desk", brief.Desk())
    monkeypatch.setattr(brief, "LONG_SECONDS", 0.5)
    made = Office()
    with TestClient(made.app) as client:
        made.client = client  # type: ignore[attr-defined]
        client.get("/loop")
        yield made


def test_an_act_whose_turn_is_free_is_made_in_the_loop(office: Any) -> None:
    assert office.client.post("/act").json() == {"made": 1}
    assert office.here() == [True]


def test_an_act_that_finds_the_turn_taken_comes_again(office: Any) -> None:
    release = threading.Timer(0.02, lambda: done.set())
    done, taken = threading.Event(), threading.Event()

    def hold() -> None:
        with get_database().write_turn():
            taken.set()
            done.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    taken.wait(60)
    release.start()
    assert office.client.post("/act").status_code == 200
    holder.join()
    assert len(office.threads) == 1


def test_a_long_wait_is_spent_in_a_thread(office: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody writes for long the loop answers others."""
    monkeypatch.setattr(brief, "PAUSES", (0.0, 0.001))
    done, taken = threading.Event(), threading.Event()

    def hold() -> None:
        with get_database().write_turn():
            taken.set()
            done.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    taken.wait(60)
    answers: list[int] = []
    waiting = threading.Thread(target=lambda: answers.append(office.client.post("/act").status_code))
    waiting.start()
    time.sleep(0.1)
    assert office.client.get("/loop").status_code == 200, "the loop is free"
    assert not answers
    done.set()
    waiting.join(60)
    holder.join()
    assert answers == [200]
    assert office.here() == [False]


def test_after_an_act_that_took_long_the_next_ones_are_made_in_threads(
    office: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a while, and then in the loop again; the two are told apart without a race against the clock."""
    monkeypatch.setattr(brief, "REST_SECONDS", 60.0)
    office.takes = 0.6
    office.client.post("/act")
    office.takes = 0.0
    office.client.post("/act")
    assert office.here() == [True, False]
    monkeypatch.setattr(brief, "desk", brief.Desk())
    monkeypatch.setattr(brief, "REST_SECONDS", 0.0)
    office.takes = 0.6
    office.client.post("/act")
    office.takes = 0.0
    office.client.post("/act")
    assert office.here()[-2:] == [True, True], "and once that is over in the loop again"


def test_a_password_is_not_hashed_in_the_loop(office: Any) -> None:
    office.client.post("/act", auth=("marie", "secret"))
    assert office.here() == [False]
