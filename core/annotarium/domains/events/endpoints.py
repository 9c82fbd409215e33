"""Endpoints of live events: a token by HTTP, then a WebSocket (B-001, B-002)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from contextlib import suppress
from typing import Annotated

import anyio
from fastapi import Query, WebSocket
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketDisconnect, WebSocketState

from annotarium.access.call import Call
from annotarium.access.guard import Rule, guarded, with_access_rule
from annotarium.errors import TooManyRequests
from annotarium.events import repository
from annotarium.events.hub import POLICY, TRY_AGAIN, Connection, get_hub
from annotarium.events.presence import parse_location
from annotarium.events.tokens import TOKEN_SECONDS, LiveClaims, make_live_token, use_live_token
from annotarium.http.in_flight import in_flight
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["shell"])
MAX_CONNECTION_SECONDS = 7 * 86_400.0
CONNECTIONS_PER_USER = 50
"""Live connections that one user may have open; each tab of the web app opens one."""
MESSAGES_AT_ONCE, MESSAGES_PER_SECOND = 30, 5


class EventbusLogin(BaseModel):
    """A token that opens one live connection; `ttl` is in milliseconds (C-002)."""

    access_token: str
    ttl: int


@router.get("/eventbus-login")
@guarded(write=False)
def eventbus_login(call: Call) -> EventbusLogin:
    """Issue a token for `WS /api/events?token=...`."""
    token = make_live_token(call.access, repository.find_credential_expiry(call.session, call.access))
    return EventbusLogin(access_token=token, ttl=TOKEN_SECONDS * 1000)


@router.websocket("/events")
@with_access_rule(Rule(write=False))
async def live_events(websocket: WebSocket, token: Annotated[str, Query()] = "") -> None:
    """Send events as JSON texts until the credential ends, the server closes or the client disconnects.

    The client may report the user's location: `{"present": {"project": ..., "document": ..., "session": ...}}`, or
    `{"present": null}`; all other messages are ignored. Close codes: `POLICY` for an invalid token, `TRY_AGAIN` for too
    many connections of the user.
    """
    connection = await run_in_threadpool(_open_connection, token, asyncio.get_running_loop())
    if connection is None:
        await websocket.close(POLICY)
        return
    try:
        with in_flight.counted("live", ("user", connection.access.user_id), CONNECTIONS_PER_USER):
            await websocket.accept()
            async with anyio.create_task_group() as tasks:
                tasks.cancel_scope.deadline = anyio.current_time() + _seconds_until_credential_ends(connection)
                for work in (_receive_locations(websocket, connection), _send_events(websocket, connection)):
                    tasks.start_soon(_end_others_when_done, work, tasks.cancel_scope)
    except TooManyRequests:
        await websocket.close(TRY_AGAIN)
        return
    finally:
        get_hub().close(connection)
    if websocket.application_state is WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect):  # the client may have disconnected first
            await websocket.close(connection.code)


def _seconds_until_credential_ends(connection: Connection) -> float:
    """Seconds until the sign-in or API key of the connection ends, at most `MAX_CONNECTION_SECONDS`."""
    ends_at = connection.claims.ends_at
    return MAX_CONNECTION_SECONDS if ends_at is None else min(max(ends_at - time.time(), 0.0), MAX_CONNECTION_SECONDS)


async def _end_others_when_done(work: Awaitable[None], others: anyio.CancelScope) -> None:
    """Await the work, then cancel the other task of the connection."""
    await work
    others.cancel()


def _open_connection(token: str, loop: asyncio.AbstractEventLoop) -> Connection | None:
    claims: LiveClaims | None = use_live_token(token)
    return get_hub().open(claims, loop) if claims is not None else None


async def _receive_locations(websocket: WebSocket, connection: Connection) -> None:
    """Receive the client's messages; read more slowly above a rate, as each location may be sent to many users."""
    at_once = float(MESSAGES_AT_ONCE)
    before = time.monotonic()
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            message = await websocket.receive()
            now = time.monotonic()
            at_once = min(at_once + (now - before) * MESSAGES_PER_SECOND, MESSAGES_AT_ONCE) - 1
            before = now
            if at_once < 0:
                await asyncio.sleep(-at_once / MESSAGES_PER_SECOND)
            is_location, location = parse_location(message.get("text"))
            if is_location:
                await run_in_threadpool(get_hub().move, connection, location)


async def _send_events(websocket: WebSocket, connection: Connection) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            message = await connection.queue.get()
            if message is None:
                return
            await websocket.send_text(message.decode())
