"""Client of an entity-fishing server. Only the administrator sets its address; it is never taken from a request."""

from __future__ import annotations

import json
import os
import socket
import threading
import uuid
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from ssl import SSLSocket, create_default_context
from typing import Any
from urllib.parse import urlsplit

from annotarium_plugins.base.component import ComponentError

ADDRESS = "ANNOTARIUM_ENTITY_FISHING"
"""Environment variable with the server's address and, if needed, a path: `http://linking.example.org:8090`."""
_PATH = "/service/disambiguate"
_SECONDS = 60.0
"""For the whole exchange, from the connection to the end of the answer."""
_NOT_ACCEPTABLE = 406
_MOST_BYTES = 32 * 1024 * 1024
_FIX = f"Ask an administrator to look after the server that {ADDRESS} names."


def address() -> str:
    """Return the address of the server, empty when it is not set or not a valid address."""
    given = os.environ.get(ADDRESS, "").strip().rstrip("/")
    parts = urlsplit(given)
    return given if parts.scheme in ("http", "https") and parts.hostname else ""


class _Exchange:
    """One request and its whole answer within a time, from the connection to the last byte.

    The timeout of a socket bounds each wait only: a server could send a header a minute. Redirects are not followed and
    no proxy is used, as the administrator configured neither.
    """

    def __init__(self, base: str, seconds: float) -> None:
        parts = urlsplit(base)
        self._path, self._seconds = parts.path + _PATH, seconds
        secure = parts.scheme == "https"
        self._connection = HTTPConnection(parts.hostname or "", parts.port or (443 if secure else 80))
        self._tls = create_default_context() if secure else None
        self._socket: socket.socket | None = None
        self._late = False

    def run(self, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        """Return the status and at most one byte more than allowed.

        Raises:
            TimeoutError: it took longer than the time in all.
            OSError, HTTPException: the server cannot be reached, or does not answer by the protocol.
        """
        timer = threading.Timer(self._seconds, self._interrupt)
        timer.daemon = True
        timer.start()
        try:
            self._connect()
            self._connection.request("POST", self._path, body, headers)
            with self._connection.getresponse() as answer:
                content = answer.read(_MOST_BYTES + 1)
            if self._late:  # an interrupted answer without a length looks complete
                raise TimeoutError(self._too_slow())
            return answer.status, content
        except (OSError, HTTPException) as error:
            if self._late:
                raise TimeoutError(self._too_slow()) from error
            raise
        finally:
            timer.cancel()
            self._connection.close()
            if self._socket is not None:
                self._socket.close()

    def _connect(self) -> None:
        host, port = self._connection.host, self._connection.port
        self._socket = socket.create_connection((host, port), timeout=self._seconds)
        if self._tls is not None:
            self._socket = self._tls.wrap_socket(self._socket, server_hostname=host, do_handshake_on_connect=False)
        self._connection.sock = self._socket
        if isinstance(self._socket, SSLSocket):
            self._socket.do_handshake()

    def _interrupt(self) -> None:
        self._late = True
        if self._socket is not None:
            with suppress(OSError):  # closed, or not connected yet
                self._socket.shutdown(socket.SHUT_RDWR)

    def _too_slow(self) -> str:
        return f"It took more than {self._seconds:.0f} seconds to answer"


def send_query(query: dict[str, Any]) -> dict[str, Any]:
    """Send a query in the server's format and return its response.

    Raises:
        ComponentError: no server is configured, it cannot be reached or returns an invalid response.
    """
    base = address()
    if not base:
        raise ComponentError("There is no entity-fishing server.", fix=_FIX)
    # The address is the administrator's own choice, so it may be in a private network; nothing that a project or a user
    # writes becomes a part of it.
    boundary = uuid.uuid4().hex
    content = json.dumps(query, ensure_ascii=False).encode()
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="query"\r\n\r\n'.encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Accept": "application/json"}
    try:
        status, body = _Exchange(base, _SECONDS).run(head + content + f"\r\n--{boundary}--\r\n".encode(), headers)
    except (OSError, HTTPException) as error:
        raise ComponentError("The entity-fishing server does not answer.", cause=str(error), fix=_FIX) from error
    if not 200 <= status < 300:
        cause, fix = f"It answered with the status {status}", _FIX
        if status == _NOT_ACCEPTABLE:
            cause, fix = "It does not read the language of the text", "Use it in projects of a language that it reads."
        raise ComponentError("The entity-fishing server refused a text.", cause=cause, fix=fix)
    try:
        found = json.loads(body) if len(body) <= _MOST_BYTES else None
    except (ValueError, RecursionError):  # no JSON, or nested too deep
        found = None
    if not isinstance(found, dict):
        raise ComponentError("The entity-fishing server answers what cannot be read.", fix=_FIX)
    return found
