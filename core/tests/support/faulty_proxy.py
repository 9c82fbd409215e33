"""A proxy to the search server that can be closed, blocked, cut, or return errors.

`support.faulty_proxy.FaultyProxy`.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit


class FaultyProxy:
    """Forwards connections on its own port to a server, depending on its mode.

    `mode`: `open` forwards; `silent` accepts connections and never responds; an HTTP status, like `429`, is returned
    for every request. `close` refuses connections and ends the open ones; `reopen` returns to forwarding. `cut_after`
    ends the connection that carries a request containing these bytes, once.
    """

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 80)
        self.mode = "open"
        self.cut_after: bytes | None = None
        self.requests = 0
        self._connections: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self._port = 0
        self.reopen()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def reopen(self) -> None:
        self.mode = "open"
        if self._listener is not None:
            return
        listener = socket.create_server(("127.0.0.1", self._port))
        self._port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def close(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for connection in list(self._connections):
            _close(connection)

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                self._connections.add(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        far: socket.socket | None = None
        try:
            while data := near.recv(65_536):
                self.requests += data.startswith((b"GET", b"POST", b"PUT", b"DELETE"))
                if self.mode.isdigit():
                    body = b'{"error":{"type":"es_rejected_execution_exception","reason":"no"},"status":%s}'
                    body %= self.mode.encode()
                    head = f"HTTP/1.1 {self.mode} No\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
                    near.sendall(head.encode() + b"\r\n\r\n" + body)
                elif self.mode == "open":
                    if self.cut_after is not None and self.cut_after in data:
                        self.cut_after = None
                        return
                    if far is None:
                        far = self._reach(near)
                    far.sendall(data)
        except OSError:
            return
        finally:
            for one in (near, far):
                if one is not None:
                    _close(one)

    def _reach(self, near: socket.socket) -> socket.socket:
        far = socket.create_connection(self._target)
        self._connections.add(far)

        def back() -> None:
            with suppress(OSError):
                while data := far.recv(65_536):
                    near.sendall(data)
            _close(near)

        threading.Thread(target=back, daemon=True).start()
        return far


def _close(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
