"""Brief acts: changes of a few rows, of which annotating is made.

Handing such an act to a worker thread and its answer back costs more than the act under load: each step of SQLite gives
the interpreter away, and the threads queue to have it back (decision 0086). When the turn to write is free, the act is
made in the thread of the event loop; else it asks again a moment later, and at last waits in a thread like any other.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from annotarium.db.database import get_database

PAUSES = (0.0, 0.0, *(0.001,) * 8, *(0.002,) * 40)
"""Seconds after which the turn is asked for again; in between the loop does what else there is."""
LONG_SECONDS, REST_SECONDS = 0.04, 0.25
"""An act that held the loop for so long (a slow disk, a large checkpoint) sends those after it to threads for a while:
whoever only reads must not wait for them."""


class InlineExecutor:
    """Says whether acts are made in the loop's thread at the moment; one for all brief endpoints of a process."""

    def __init__(self) -> None:
        self._paused_until = 0.0

    def is_available(self) -> bool:
        """Whether the last acts were as brief as they should be."""
        return time.monotonic() >= self._paused_until

    def run(self, endpoint: Callable[..., Any], request: Request, arguments: dict[str, Any]) -> Any:
        """Make the act in this thread."""
        begin = time.monotonic()
        try:
            return endpoint(request=request, **arguments)
        finally:
            end = time.monotonic()
            if end - begin > LONG_SECONDS:
                self._paused_until = end + REST_SECONDS


inline_executor = InlineExecutor()


def make_inline_endpoint(endpoint: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """An endpoint that makes the act here when it can; the same one each time it is asked for."""
    made = getattr(endpoint, "__inline__", None)
    if made is not None:
        return made  # type: ignore[no-any-return]

    @wraps(endpoint)
    async def run(*, request: Request, **arguments: Any) -> Any:
        pauses = iter(() if _needs_password_hashing(request) else PAUSES)
        while inline_executor.is_available() and (pause := next(pauses, None)) is not None:
            with get_database().try_write_lock() as free:
                if free:
                    return inline_executor.run(endpoint, request, arguments)
            await asyncio.sleep(pause)
        return await run_in_threadpool(endpoint, request=request, **arguments)

    # Routes with the same endpoint, and a route that is declared again with a longer path, share one.
    endpoint.__inline__ = run.__inline__ = run  # type: ignore[attr-defined]
    return run


def _needs_password_hashing(request: Request) -> bool:
    """Basic credentials are checked by a hash that takes long on purpose."""
    return request.headers.get("authorization", "")[:6].lower() == "basic "
