"""Client of an entity-fishing server. Only the administrator sets its address; it is never taken from a request."""

from __future__ import annotations

import json
import os
import time
import uuid
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from annotarium_plugins.base.component import ComponentError

ADDRESS = "ANNOTARIUM_ENTITY_FISHING"
"""Environment variable with the server's address and, if needed, a path: `http://linking.example.org:8090`."""
_PATH = "/service/disambiguate"
_SECONDS = 60.0
"""For the connection and each wait, and for the whole answer."""
_NOT_ACCEPTABLE = 406
_MOST_BYTES = 32 * 1024 * 1024
_FIX = f"Ask an administrator to look after the server that {ADDRESS} names."


def address() -> str:
    """Return the address of the server, empty when it is not set or not a valid address."""
    given = os.environ.get(ADDRESS, "").strip().rstrip("/")
    parts = urlsplit(given)
    return given if parts.scheme in ("http", "https") and parts.hostname else ""


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirects, because their target was not configured by the administrator."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Refuse every redirect."""


def _read_limited(answer: HTTPResponse, deadline: float) -> bytes:
    """At most one byte more than allowed. Raises TimeoutError where the server sends it too slowly."""
    body = bytearray()
    while len(body) <= _MOST_BYTES and (part := answer.read1(1 << 16)):
        body += part
        if time.monotonic() > deadline:
            raise TimeoutError(f"It took more than {_SECONDS:.0f} seconds to answer")
    return bytes(body)


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
    request = Request(
        base + _PATH,
        data=head + content + f"\r\n--{boundary}--\r\n".encode(),
        headers={"Content-Type": f"multipart/form-data; boundary={boundary}", "Accept": "application/json"},
        method="POST",
    )
    try:
        with build_opener(ProxyHandler({}), _NoRedirect()).open(request, timeout=_SECONDS) as answer:
            body = _read_limited(answer, time.monotonic() + _SECONDS)
    except HTTPError as error:
        error.close()
        cause, fix = f"It answered with the status {error.code}", _FIX
        if error.code == _NOT_ACCEPTABLE:
            cause, fix = "It does not read the language of the text", "Use it in projects of a language that it reads."
        raise ComponentError("The entity-fishing server refused a text.", cause=cause, fix=fix) from error
    except (URLError, OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise ComponentError("The entity-fishing server does not answer.", cause=str(reason), fix=_FIX) from error
    try:
        found = json.loads(body) if len(body) <= _MOST_BYTES else None
    except (ValueError, RecursionError):  # no JSON, or nested too deep
        found = None
    if not isinstance(found, dict):
        raise ComponentError("The entity-fishing server answers what cannot be read.", fix=_FIX)
    return found
