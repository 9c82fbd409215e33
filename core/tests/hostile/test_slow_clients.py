"""Clients that send or read too slowly: their connections are closed, others are served meanwhile."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from support.hostile_test_sizes import hostile_test_size
from support.local_server import LocalServer, eventually, read_answer, serve

from annotarium.http import connection_limits
from annotarium.settings import get_settings

LIVE = b"GET /api/health/live HTTP/1.1\r\nhost: x\r\n\r\n"
SIGN_IN = b"POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
LIMITS = {"header_seconds": 0.3, "body_seconds": 0.3, "answer_seconds": 0.5}


@pytest.fixture(scope="module")
def server(app: Any) -> Iterator[LocalServer]:
    patch = pytest.MonkeyPatch()
    for name, value in LIMITS.items():
        patch.setattr(get_settings(), name, value)
    patch.setattr(connection_limits, "LOOK_SECONDS", 0.1)
    with serve(app) as one:
        yield one
    patch.undo()


def _closed(connection: socket.socket) -> bytes:
    """Return what was received until the server closed the connection."""
    received = b""
    try:
        while piece := connection.recv(65_536):
            received += piece
    except ConnectionResetError:
        pass
    return received


HALF_HEADERS = [b"", b"\r\n", b"POST", b"GET /api/health/live HTTP/1.1\r\nhost: x\r\nx-half: ", LIVE[:-2]]
HALF_BODIES = [
    SIGN_IN + b"content-length: 60000\r\n\r\n",
    SIGN_IN + b"content-length: 60000\r\n\r\n" + b'{"email": ' + b" " * 1_000,
    SIGN_IN + b"transfer-encoding: chunked\r\n\r\n",
    SIGN_IN + b"transfer-encoding: chunked\r\n\r\n" + b"10\r\n0123",
    SIGN_IN + b"transfer-encoding: chunked\r\n\r\n" + b"1\r\n{\r\n0\r\nx-trailer: ",
]


@pytest.mark.parametrize("begun", [HALF_HEADERS, HALF_BODIES], ids=["headers", "bodies"])
def test_incomplete_requests_are_closed(server: LocalServer, begun: list[bytes]) -> None:
    """Headers and body have to arrive within the limits, or the connection is closed; other requests are answered."""
    with ExitStack() as stack:
        slow = [stack.enter_context(server.connect()) for _ in range(hostile_test_size(50, 900))]
        for number, one in enumerate(slow):
            one.sendall(begun[number % len(begun)])
        assert server.answer(LIVE).startswith(b"HTTP/1.1 200")
        for one in slow:
            assert _closed(one)[:12] in (b"HTTP/1.1 408", b"HTTP/1.1 429", b"")  # 429: too many in progress
        eventually(lambda: server.open_connections() == 0, "connections stayed open")
        eventually(lambda: server.requests_in_progress() == 0, "requests stayed in progress")


def test_a_request_sent_byte_by_byte_is_closed(server: LocalServer) -> None:
    """Progress alone is not enough: a body needs a rate of some hundred bytes a second, headers have a time limit."""
    for begun in (b"GET / HTTP/1.1\r\nx: ", SIGN_IN + b"content-length: 60000\r\n\r\n"):
        with server.connect() as one:
            one.sendall(begun)
            one.settimeout(0.05)
            sent, closed = 0, False
            while not closed:
                assert sent < 1_000, "a byte at a time goes on for ever"
                try:
                    one.send(b"a")
                    sent += 1
                    one.recv(100)  # a response before the request is complete, or the end
                    closed = True
                except TimeoutError:
                    continue
                except OSError:
                    closed = True
    eventually(lambda: server.open_connections() == 0, "connections stayed open")


def test_the_rest_of_a_refused_body_is_read_for_a_limited_time(server: LocalServer) -> None:
    """A refused sender that continues receives the response; one that neither continues nor disconnects is closed."""
    begun = SIGN_IN + b"content-length: 60000000\r\n\r\n"
    with server.connect() as one:
        one.sendall(begun)
        assert read_answer(one).startswith(b"HTTP/1.1 413")
        _closed(one)
    with server.connect() as one:
        one.sendall(begun)
        piece = bytes(1 << 20)
        for _ in range(57):
            one.sendall(piece)
        one.sendall(bytes(60_000_000 - 57 * len(piece)))
        assert read_answer(one).startswith(b"HTTP/1.1 413")
        one.sendall(LIVE)  # the connection is still usable
        assert read_answer(one).startswith(b"HTTP/1.1 200")
    eventually(lambda: server.open_connections() == 0, "connections stayed open")


def test_an_unread_response_closes_the_connection(server: LocalServer) -> None:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        one.connect(("127.0.0.1", server.port))
        one.settimeout(30)
        asked = b"GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n"
        one.sendall(asked * 200)
        eventually(lambda: server.open_connections() == 1, "it did not connect")
        eventually(lambda: server.open_connections() == 0, "an unread answer holds the connection")
    eventually(lambda: server.requests_in_progress() == 0, "requests stayed in progress")


@pytest.mark.parametrize(
    "request_",
    [
        b"x: " + b"a" * 300_000,
        b"x: y\r\n" * 1_000,
        b"a" * 300_000,
        b"".join(b"x: " + b"a" * 4_000 + b"\r\n" for _ in range(80)),
    ],
)
def test_headers_are_bounded(server: LocalServer, request_: bytes) -> None:
    with server.connect() as one:
        try:
            one.sendall(b"GET /api/health/live HTTP/1.1\r\n" + request_ + b"\r\n\r\n")
        except OSError:
            return  # it was closed while the test was sending
        assert _closed(one)[:12] in (b"HTTP/1.1 431", b"HTTP/1.1 400", b"")


def test_connections_of_one_address_are_bounded(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits.TimedProtocol, "most_per_network", 10)
    with ExitStack() as stack:
        held = [stack.enter_context(server.connect()) for _ in range(30)]
        eventually(lambda: server.open_connections() <= 10, "all are held")
        for one in held:
            one.close()
    eventually(lambda: server.open_connections() == 0, "connections stayed open")
    assert not connection_limits.open_by_network
    assert server.answer(LIVE).startswith(b"HTTP/1.1 200")


def test_long_responses_and_idle_connections_are_not_closed(server: LocalServer) -> None:
    """Slowness of the server closes no connection: an idle connection stays open for the next request."""
    with server.connect() as one:
        one.sendall(LIVE)
        assert read_answer(one).startswith(b"HTTP/1.1 200")
        one.settimeout(1.0)
        with pytest.raises(TimeoutError):
            one.recv(1)
        one.settimeout(30)
        one.sendall(LIVE)
        assert read_answer(one).startswith(b"HTTP/1.1 200")
