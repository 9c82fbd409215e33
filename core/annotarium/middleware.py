"""What surrounds every request: an id for logs and errors, the body limit, security headers."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

import structlog
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from annotarium.access.guard import STREAMS
from annotarium.errors import TooLarge
from annotarium.settings import get_settings
from annotarium_schemas.said import say

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
}
NO_CONTENT = 204
_REQUEST_ID = re.compile(r"^[A-Za-z0-9._-]{1,64}$")
# Multipart uploads are streamed and counted by their own endpoint, once it has let the caller in.
_STREAMED = ("multipart/form-data",)


class RequestFrame:
    """Pure ASGI, so that streaming answers and uploads pass through untouched."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request with its id bound to the log context."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.match(given) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)

        async def send_framed(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer["x-request-id"] = request_id
                for name, value in SECURITY_HEADERS.items():
                    answer.setdefault(name, value)
                if message["status"] == NO_CONTENT:
                    del answer["content-type"]  # FastAPI names the type of the body it then leaves out
            await send(message)

        streamed = headers.get("content-type", "").startswith(_STREAMED)
        limit = get_settings().body_limit
        if not streamed and int(headers.get("content-length") or 0) > limit:
            error = TooLarge(say("limit.body", "The request body is over {size} bytes", size=limit))
            await JSONResponse(error.body(), status_code=error.status)(scope, receive, send_framed)
            return
        await self.app(scope, _limited(receive, limit, scope["state"] if streamed else {}), send_framed)


def _limited(receive: Receive, limit: int, state: Mapping[str, Any]) -> Receive:
    """Count a body that came without a length, or that calls itself an upload where nothing takes one."""
    received = 0

    async def receive_counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit and not state.get(STREAMS):
            error = TooLarge(say("limit.body", "The request body is over {size} bytes", size=limit))
            raise HTTPException(error.status) from error  # FastAPI lets no other error out of the reading of a body
        return message

    return receive_counted


def install_middleware(app: FastAPI) -> None:
    """Register the frame around all requests."""
    app.add_middleware(RequestFrame)
