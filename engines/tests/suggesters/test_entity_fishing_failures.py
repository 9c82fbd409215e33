"""The suggester EntityFishing against a server that fails, hangs, redirects or answers nonsense."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from support.entity_fishing_server import VARIABLE, EntityFishingServer, entity_fishing_server

from annotarium_engines.annotators import entity_fishing_client
from annotarium_engines.suggesters.entity_fishing_suggester import EntityFishingSuggester
from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import Document


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EntityFishingServer]:
    with entity_fishing_server() as state:
        monkeypatch.setenv(VARIABLE, state.address)
        yield state


def suggest(text: str = "In Paris.") -> list[Any]:
    suggester = EntityFishingSuggester(EntityFishingSuggester.parameters_model.model_validate({}))
    return list(suggester.suggest(suggester.find_candidates([Document(text=text)], "en"), labels=("location",)))


PARIS = {"rawName": "Paris", "offsetStart": 3, "offsetEnd": 8, "type": "LOCATION", "confidence_score": 0.75}


def entities(*found: Any) -> bytes:
    return json.dumps({"entities": list(found)}).encode()


@pytest.mark.parametrize("status", [400, 401, 404, 406, 429, 500, 502, 503])
def test_a_status_that_is_no_answer_is_reported(server: EntityFishingServer, status: int) -> None:
    server.answer = (status, b"<html>secret of the server</html>")
    with pytest.raises(ComponentError) as refused:
        suggest()
    assert "secret" not in f"{refused.value} {refused.value.cause}"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b'"text"',
        b"{",
        b"[" * 200_000,
        b'{"entities":' * 100_000,
        b"\xff\xfe{}",
        json.dumps({"entities": {"rawName": "Paris"}}).encode(),
        json.dumps({"entities": "Paris"}).encode(),
        entities("Paris"),
        entities(None),
        entities([1, 2]),
        entities(PARIS | {"offsetStart": "three"}),
        entities(PARIS | {"offsetStart": -5}),
        entities(PARIS | {"offsetStart": 3.5}),
        entities(PARIS | {"offsetEnd": 10**30}),
        entities(PARIS | {"offsetEnd": True}),
    ],
)
def test_a_malformed_answer_is_reported_as_such(server: EntityFishingServer, body: bytes) -> None:
    server.answer = (200, body)
    with pytest.raises(ComponentError):
        suggest()


@pytest.mark.parametrize(
    "change",
    [
        {"confidence_score": float("nan")},
        {"confidence_score": float("inf")},
        {"confidence_score": -1},
        {"confidence_score": {"a": 1}},
        {"confidence_score": "1e999"},
        {"wikidataId": ["Q90"]},
        {"wikidataId": "Q" * 100_000},
        {"type": 7},
        {"domains": "Geography"},
        {"domains": [1, None]},
    ],
)
def test_strange_values_give_no_strange_suggestions(server: EntityFishingServer, change: dict[str, Any]) -> None:
    """Either it is reported, or what is proposed can be stored."""
    server.answer = (200, entities(PARIS | change))
    try:
        found = suggest()
    except ComponentError:
        return
    for one in found:
        assert 0 <= one.confidence <= 1
        assert 0 <= one.priority <= 1
        for item in one.annotations:
            assert item.score is None or 0 <= item.score <= 1
            assert item.label_name == "location"
            assert all(len(term.identifier) <= 255 for term in item.terms or ())


class Recorder(BaseHTTPRequestHandler):
    """A service in a private network that notes who asks it."""

    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_a_private_address_is_not_followed(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    Recorder.asked = []
    private = ThreadingHTTPServer(("127.0.0.1", 0), Recorder)

    class Redirecting(Recorder):
        def do_POST(self) -> None:
            self.send_response(status)
            self.send_header("Location", f"http://127.0.0.1:{private.server_port}/latest/meta-data")
            self.send_header("Content-Length", "0")
            self.end_headers()

    public = ThreadingHTTPServer(("127.0.0.1", 0), Redirecting)
    for one in (private, public):
        threading.Thread(target=one.serve_forever, args=(0.05,), daemon=True).start()
    monkeypatch.setenv(VARIABLE, f"http://127.0.0.1:{public.server_port}")
    try:
        with pytest.raises(ComponentError):
            suggest()
    finally:
        for one in (private, public):
            one.shutdown()
            one.server_close()
    assert Recorder.asked == []


@pytest.mark.parametrize(
    "said", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{", b"SSH-2.0-x\r\n", b"HTTP/1.1 200"]
)
def test_a_server_that_hangs_is_left_after_the_time(monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(entity_fishing_client, "_SECONDS", 0.3)
    held: list[socket.socket] = []

    def answer() -> None:
        connection, _ = listener.accept()
        connection.sendall(said)
        held.append(connection)

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=answer, daemon=True).start()
        monkeypatch.setenv(VARIABLE, f"http://127.0.0.1:{listener.getsockname()[1]}")
        before = time.monotonic()
        with pytest.raises(ComponentError):
            suggest()
        assert time.monotonic() - before < 10
    for one in held:
        one.close()


@pytest.mark.parametrize(
    ("begin", "drip"),
    [
        (b"", b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: 1\r\n" % number for number in range(200))),
        (b"HTTP/1.1 200 OK\r\n", b"X: " + b"x" * 400),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"{" + b" " * 400),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n", b"{" + b" " * 400),
    ],
    ids=["headers", "one header", "body until the end", "body of a length"],
)
def test_a_server_that_answers_byte_by_byte_is_left_after_the_time(
    monkeypatch: pytest.MonkeyPatch, begin: bytes, drip: bytes
) -> None:
    """C-074: each wait is short, but the time is for the whole exchange."""
    monkeypatch.setattr(entity_fishing_client, "_SECONDS", 0.5)

    def answer() -> None:
        connection, _ = listener.accept()
        with closing(connection), suppress(OSError):
            connection.sendall(begin)
            for number in range(len(drip)):
                connection.sendall(drip[number : number + 1])
                time.sleep(0.05)

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=answer, daemon=True).start()
        monkeypatch.setenv(VARIABLE, f"http://127.0.0.1:{listener.getsockname()[1]}")
        before = time.monotonic()
        with pytest.raises(ComponentError) as refused:
            suggest()
        assert time.monotonic() - before < 8
    assert "seconds to answer" in str(refused.value.cause)


def test_a_server_that_is_not_there_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
    monkeypatch.setenv(VARIABLE, f"http://127.0.0.1:{port}")
    with pytest.raises(ComponentError, match="does not answer"):
        suggest()
