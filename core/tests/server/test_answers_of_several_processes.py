"""Answers that continue after the response are read and stopped through any API process (T-014)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.api_processes import BrowserTab, ServeProcess, wait_for
from support.language_model_server import WORDS, Model, served_models

TEXT = "The canal is 66 km long. Its lock gates were made of oak by local carpenters."
BODY = {
    "search": {"query": "What were the lock gates made of?"},
    "questionAnswering": {"enabled": True, "generator": "language_model_answerer"},
}


@pytest.fixture(scope="module")
def models() -> Iterator[list[Model]]:
    with served_models() as models:
        yield models


@pytest.fixture(scope="module")
def server(models: list[Model], tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    server = ServeProcess(tmp_path_factory.mktemp("served"))
    yield server
    server.stop()


@pytest.fixture
def model(models: list[Model]) -> Iterator[Model]:
    models[0] = Model()
    yield models[0]
    models[0].allow()


@pytest.fixture(scope="module")
def path(server: ServeProcess) -> str:
    return server.make_project("canals", 1, TEXT, 0)


def ask(window: BrowserTab, path: str) -> str:
    return str(window.call("POST", f"{path}/segments/_do_search?asyncAnswer=true", BODY)["resultID"])


def state(window: BrowserTab, path: str, result: str) -> dict[str, Any]:
    found: dict[str, Any] = window.call("GET", f"{path}/answers/{result}")
    return found


def test_an_answer_is_read_and_stopped_through_the_other_process(server: ServeProcess, path: str, model: Model) -> None:
    with server.windows() as (first, second):
        result = ask(first, path)
        model.allow(2)
        wait_for(lambda: state(second, path, result)["text"] == WORDS[0] + WORDS[1])
        assert state(second, path, result)["passages"] and state(first, path, result)["status"] == "running"
        second.call("POST", f"{path}/answers/{result}/_stop")
        wait_for(lambda: state(first, path, result)["status"] == "stopped")
        assert state(second, path, result)["text"] == WORDS[0] + WORDS[1]
        done = ask(second, path)
        model.allow()
        wait_for(lambda: state(first, path, done)["status"] == "done")
        assert state(first, path, done)["citations"]


def test_an_answer_of_a_killed_process_has_failed(server: ServeProcess, path: str, model: Model) -> None:
    """The other process reports it, with the text that came, as soon as the mark of life has ended."""
    with server.windows() as (first, second):
        result = ask(first, path)
        model.allow(2)
        wait_for(lambda: state(second, path, result)["text"] == WORDS[0] + WORDS[1])
        victim = server.process_of(first)
        next(one for one in server.serving() if one.pid == victim).kill()
        wait_for(lambda: state(second, path, result)["status"] == "failed")
        last = state(second, path, result)
        assert last["text"] == WORDS[0] + WORDS[1] and last["error"]["fix"]
