"""Events through a real queue server, from one process to the connections of another."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from annotarium.db.models import User
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.events import bus, hub, tokens
from annotarium.events.hub import RESTART, Connection, Hub
from annotarium.events.tokens import LiveClaims
from annotarium.settings import get_settings
from annotarium.system.child_processes import ManagedProcess, find_queue_server, queue_process, send_queue_command


def wait_for(condition: Callable[[], Any], seconds: float = 60.0) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture
def queue(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ManagedProcess]:
    program = find_queue_server()
    if program is None:
        pytest.skip("no queue server is installed")
    with tempfile.TemporaryDirectory(prefix="an-", dir="/tmp", ignore_cleanup_errors=True) as name:
        path = Path(name) / "q.sock"
        part = queue_process(program, path, Path(name))
        part.start()
        wait_for(lambda: send_queue_command(path, b"PING").startswith(b"+PONG"))
        monkeypatch.setenv("ANNOTARIUM_REDIS_URL", f"unix://{path}")
        get_settings.cache_clear()
        yield part
        part.kill()
        bus.get_queue_server_client().close()
        bus._clients.clear()
    monkeypatch.undo()
    get_settings.cache_clear()


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()


@pytest.fixture
def listening(queue: ManagedProcess, loop: asyncio.AbstractEventLoop) -> Iterator[tuple[Hub, Connection]]:
    with unit_of_work(actor="tests", write=True) as unit:
        user = unit.session.query(User).filter_by(username="lea").one_or_none()
        if user is None:
            user = User(username="lea", password_hash="x")
            unit.session.add(user)
            unit.session.flush()
        user_id = user.id
    own = Hub()
    own.start()
    connection = own.open(LiveClaims(user_id, None), loop)
    assert connection is not None
    wait_for(lambda: dict(bus.get_queue_server_client().pubsub_numsub(bus.CHANNEL)).get(bus.CHANNEL.encode()))
    yield own, connection
    asyncio.run(own.stop())


def next_message(connection: Connection) -> Any:
    future = asyncio.run_coroutine_threadsafe(connection.queue.get(), connection.loop)
    message = future.result(60)
    return None if message is None else orjson.loads(message)


PUBLISH = """
from annotarium.db.unit_of_work import committed, unit_of_work
from annotarium.events.bus import publish_events_of_unit
committed.connect(publish_events_of_unit)
with unit_of_work(actor="other", write=True) as unit:
    unit.emit("far", {"n": 1}, user="lea")
    unit.emit("far", {"n": 2}, user="somebody else")
    unit.emit("far", {"n": 3})
"""


def test_an_event_of_another_process_arrives(listening: tuple[Hub, Connection]) -> None:
    subprocess.run([sys.executable, "-c", PUBLISH], check=True, timeout=60)
    received = [next_message(listening[1]) for _ in range(2)]
    assert received == [
        {"user": "lea", "mutation": "far", "arg": {"n": 1}},
        {"global": True, "mutation": "far", "arg": {"n": 3}},
    ]


def test_clients_must_reload_after_an_interruption(
    listening: tuple[Hub, Connection], queue: ManagedProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "_RETRY_SECONDS", 0.05)
    queue.kill()
    queue.start()
    assert next_message(listening[1]) is None
    assert listening[1].code == RESTART


def test_a_commit_survives_the_loss_of_the_queue_server(
    listening: tuple[Hub, Connection], queue: ManagedProcess
) -> None:
    queue.kill()
    with unit_of_work(actor="tests", write=True) as unit:
        unit.emit("near", None)
    bus.publish_events_of_unit(unit)  # reaches the connections of this process without the queue server
    assert next_message(listening[1])["mutation"] == "near"


def test_a_live_token_is_accepted_once_over_all_processes(
    queue: ManagedProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    from annotarium.access.rights import Access

    token = tokens.make_live_token(Access(user_id=7, username="lea", session_id=9))
    assert tokens.use_live_token(token) == LiveClaims(7, 9)
    monkeypatch.setattr(tokens, "_used", {})
    assert tokens.use_live_token(token) is None


@pytest.mark.parametrize("message", [b"", b"{}", b"[1]", b'[["a"]', b'[["m", null, null, null, null, "too many"]]'])
def test_foreign_messages_are_dropped(message: bytes) -> None:
    assert bus.decode_events(message) == []


def test_encoded_events_are_decoded_unchanged() -> None:
    events = [Event("m", {"é": [1, None]}, project="p"), Event("n", None, user="u"), Event("o", 1, user_group="g")]
    assert bus.decode_events(bus.encode_events(events)) == events
