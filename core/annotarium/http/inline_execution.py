"""Inline execution: short writes, such as annotation edits, run in the event loop's thread.

Under load, passing such an operation to a worker thread and its result back costs more than the operation itself: each
SQLite step releases the GIL, and threads queue to get it back (decision 0086). If the write lock is free, the operation
runs in the event loop's thread; otherwise it retries after short pauses and finally runs in a worker thread.
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
"""Pauses in seconds between attempts to get the write lock; meanwhile the loop does other work."""
LONG_SECONDS, REST_SECONDS = 0.04, 0.25
"""An operation that blocks the loop for `LONG_SECONDS` (slow disk, large checkpoint) sends the following ones to
threads for `REST_SECONDS`, so that readers need not wait for them.
"""


class InlineExecutor:
    """Decides whether operations currently run in the loop's thread; shared by all inline endpoints."""

    def __init__(self) -> None:
        self._paused_until = 0.0

    def is_available(self) -> bool:
        """Whether no operation was too slow recently."""
        return time.monotonic() >= self._paused_until

    def run(self, endpoint: Callable[..., Any], request: Request, arguments: dict[str, Any]) -> Any:
        """Run the operation in this thread."""
        begin = time.monotonic()
        try:
            return endpoint(request=request, **arguments)
        finally:
            end = time.monotonic()
            if end - begin > LONG_SECONDS:
                self._paused_until = end + REST_SECONDS


inline_executor = InlineExecutor()


def make_inline_endpoint(endpoint: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """An async endpoint that runs inline if possible. Returns the same object for repeated calls."""
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

    # Shared by routes with the same endpoint and by a route that is declared again with a longer path.
    endpoint.__inline__ = run.__inline__ = run  # type: ignore[attr-defined]
    return run


def _needs_password_hashing(request: Request) -> bool:
    """Whether the request has basic credentials, which are checked by a deliberately slow hash."""
    return request.headers.get("authorization", "")[:6].lower() == "basic "
