"""States of answers: in the queue server for all API processes, else in this one."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from annotarium.events import bus
from annotarium.search import answer_states
from annotarium.search.answer_states import AnswerState, AnswerStates
from annotarium.settings import get_settings
from annotarium.system.child_processes import find_queue_server, queue_process, send_queue_command

ANSWER = "0123456789abcdef"


def state(status: str = "running", text: str = "", result_id: str = ANSWER) -> AnswerState:
    return AnswerState(7, 9, {"resultID": result_id, "status": status, "text": text, "error": None})


def wait_for(condition: Callable[[], Any]) -> None:
    limit = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def server(data_folder: Path) -> Iterator[Any]:
    program = find_queue_server()
    if program is None:
        pytest.skip("no queue server is installed")
    with (
        tempfile.TemporaryDirectory(prefix="an-", dir="/tmp", ignore_cleanup_errors=True) as name,
        pytest.MonkeyPatch.context() as patch,
    ):
        path = Path(name) / "q.sock"
        process = queue_process(program, path, Path(name))
        process.start()
        wait_for(lambda: send_queue_command(path, b"PING").startswith(b"+PONG"))
        patch.setenv("ANNOTARIUM_REDIS_URL", f"unix://{path}")
        get_settings.cache_clear()
        yield process
        process.kill()
        bus.get_queue_server_client().close()
        bus._clients.clear()
    get_settings.cache_clear()


class TestWithoutAQueueServer:
    @pytest.fixture(autouse=True)
    def none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(answer_states, "get_queue_server_client", lambda: None)

    def test_a_state_is_found_and_stopped(self) -> None:
        states = AnswerStates()
        assert states.find(ANSWER) is None and not states.is_stopped(ANSWER)
        states.stop(ANSWER)
        assert not states.is_stopped(ANSWER), "an answer that does not exist takes memory"
        states.store(state(text="Oak"))
        states.renew(ANSWER)
        assert states.find(ANSWER) == state(text="Oak") and not states.is_stopped(ANSWER)
        states.stop(ANSWER)
        assert states.is_stopped(ANSWER)
        states.store(state("stopped"))
        assert states.find(ANSWER) == state("stopped") and not states.is_stopped(ANSWER)

    def test_it_expires(self, monkeypatch: pytest.MonkeyPatch) -> None:
        states = AnswerStates()
        monkeypatch.setattr(answer_states, "KEPT_SECONDS", -1)
        states.store(state("done"))
        assert states.find(ANSWER) is None

    def test_their_number_is_limited(self) -> None:
        states = AnswerStates()
        for number in range(300):
            states.store(state("done", result_id=str(number)))
        assert len(states._local) == answer_states._MAX_LOCAL and states.find("299") is not None


class TestWithAQueueServer:
    @pytest.fixture(autouse=True)
    def empty(self, server: Any) -> None:
        bus.get_queue_server_client().flushdb()

    def test_every_process_finds_and_stops_it(self) -> None:
        mine, other = AnswerStates(), AnswerStates()
        mine.store(state(text="Oak"))
        assert other.find(ANSWER) == state(text="Oak")
        other.stop(ANSWER)
        assert mine.is_stopped(ANSWER)
        mine.store(state("stopped", "Oak"))
        assert other.find(ANSWER) == state("stopped", "Oak")
        client = bus.get_queue_server_client()
        assert all(0 < client.ttl(key) <= answer_states.KEPT_SECONDS for key in client.keys("annotarium:answer*"))

    def test_a_killed_process_leaves_a_failed_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        AnswerStates().store(state(text="The gates"))
        client = bus.get_queue_server_client()
        assert client.ttl("annotarium:answer-alive:" + ANSWER) <= answer_states.ALIVE_SECONDS
        client.delete("annotarium:answer-alive:" + ANSWER)  # its life ends without renewal
        found = AnswerStates().find(ANSWER)
        assert found is not None and found.details["status"] == "failed" and found.details["text"] == "The gates"
        assert found.details["error"]["message"] and found.details["error"]["fix"]
        AnswerStates().renew(ANSWER)
        revived = AnswerStates().find(ANSWER)
        assert revived is not None and revived.details["status"] == "running"

    def test_a_failing_queue_server_is_replaced_by_this_process(self, monkeypatch: pytest.MonkeyPatch) -> None:
        states = AnswerStates()
        states.store(state(text="The"))

        def fail() -> Any:
            class Broken:
                def __getattr__(self, name: str) -> Any:
                    raise ConnectionError

            return Broken()

        with monkeypatch.context() as patch:
            patch.setattr(answer_states, "get_queue_server_client", fail)
            states.store(state(text="The gates"))
            assert states.find(ANSWER) == state(text="The gates")
            states.stop(ANSWER)
            assert states.is_stopped(ANSWER)
        states.store(state("done", "The gates were"))
        assert AnswerStates().find(ANSWER) == state("done", "The gates were")
