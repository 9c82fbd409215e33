"""Send one request directly to the ASGI application and count the bytes of its body that were read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

CHUNK_BYTES = 64 * 1024


@dataclass
class SentRequest:
    """The result of a request: its response, and the bytes of the body that the application requested."""

    status: int = 0
    body: bytes = b""
    read: int = 0

    def json(self) -> Any:
        """Return the parsed response."""
        return json.loads(self.body)


def send_request(
    app: Any,
    method: str,
    path: str,
    body: bytes = b"",
    *,
    headers: Mapping[str, str] | None = None,
    kind: str = "application/json",
    announced: int | None = -1,
) -> SentRequest:
    """Send a request.

    Args:
        announced: the `Content-Length`; -1: the true one, None: none (the body is chunked).
    """
    parts = urlsplit(path)
    given = {"host": "studio.test", "content-type": kind} | {k.lower(): v for k, v in (headers or {}).items()}
    if announced is not None:
        given["content-length"] = str(len(body) if announced < 0 else announced)
    else:
        given["transfer-encoding"] = "chunked"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "root_path": "",
        "query_string": parts.query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "client": ("203.0.113.7", 40_000),
        "server": ("studio.test", 80),
        "state": {},
    }
    sent = SentRequest()
    pieces = iter(_chunks(body))

    async def receive() -> dict[str, Any]:
        piece = next(pieces, None)
        if piece is None:
            await asyncio.sleep(3_600)  # no read after the end of the body
        data, more = piece or (b"", False)
        sent.read += len(data)
        return {"type": "http.request", "body": data, "more_body": more}

    async def answer(message: dict[str, Any]) -> None:
        sent.status = message.get("status", sent.status)
        sent.body += message.get("body", b"")

    async def run() -> None:
        async with asyncio.timeout(120):
            await app(scope, receive, answer)

    asyncio.run(run())
    return sent


def _chunks(body: bytes) -> Iterable[tuple[bytes, bool]]:
    for start in range(0, max(len(body), 1), CHUNK_BYTES):
        yield body[start : start + CHUNK_BYTES], start + CHUNK_BYTES < len(body)
