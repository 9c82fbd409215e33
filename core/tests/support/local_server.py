"""The application behind a real socket, in a thread of the test's process, so that tests can read its counters."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from annotarium.http.connection_limits import TimedProtocol
from annotarium.server.api_server import ApiServer, server_config


def eventually(holds: Callable[[], Any], what: str, seconds: float = 30.0) -> None:
    """Wait until the condition holds; the bound only ends a hanging test and asserts nothing about speed."""
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, what
        time.sleep(0.02)


class LocalServer:
    """The address of the server and its open connections."""

    def __init__(self, app: Any) -> None:
        config = server_config()
        config.app, config.factory, config.lifespan = app, False, "off"
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listening.getsockname()[1]
        self.ready = threading.Event()
        self.server = ApiServer(config, self.ready.set)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listening]}, daemon=True)

    def connect(self) -> socket.socket:
        """Open a connection without sending anything."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def open_connections(self) -> int:
        """Return the number of HTTP connections that the server has open."""
        return sum(isinstance(one, TimedProtocol) for one in list(self.server.server_state.connections))

    def requests_in_progress(self) -> int:
        """Return the number of requests in progress."""
        return len(self.server.server_state.tasks)

    def answer(self, request: bytes) -> bytes:
        """Send a request on a new connection; returns what was received until the response is complete or the server
        closes it.
        """
        with self.connect() as one:
            one.sendall(request)
            return read_answer(one)


def read_answer(connection: socket.socket) -> bytes:
    """Return status line, headers and body of one response with a length."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65_536)
        if not piece:
            return received
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        piece = connection.recv(65_536)
        if not piece:
            break
        body += piece
    return head + b"\r\n\r\n" + body


@contextmanager
def serve(app: Any) -> Iterator[LocalServer]:
    """Serve an application during the context."""
    one = LocalServer(app)
    one.thread.start()
    assert one.ready.wait(30), "the server did not start"
    try:
        yield one
    finally:
        one.server.should_exit = one.server.force_exit = True
        one.thread.join(20)
        one.listening.close()
