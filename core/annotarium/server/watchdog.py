"""Ends an API process that no longer responds, and logs the stacks of its threads.

A process with a blocked event loop answers no request but looks alive from outside. The interpreter's own watchdog,
which needs neither the loop nor the GIL, prints all threads and ends the process; the supervisor then starts another
one.
"""

from __future__ import annotations

import asyncio
import faulthandler

import structlog
from starlette.concurrency import run_in_threadpool

log = structlog.get_logger(__name__)
STUCK_SECONDS = 60.0
STARVED_SECONDS = 15.0
_PAUSE_SECONDS = 5.0


async def watch_event_loop(
    *, stuck: float = STUCK_SECONDS, starved: float = STARVED_SECONDS, pause: float = _PAUSE_SECONDS
) -> None:
    """Watch the running loop until cancelled.

    Args:
        stuck: seconds the loop may be blocked before the process is ended.
        starved: seconds a call may wait for a worker thread before the threads are printed, once per shortage.
        pause: seconds between checks.
    """
    short = False
    try:
        while True:
            faulthandler.dump_traceback_later(stuck, exit=True)
            await asyncio.sleep(pause)
            had_thread = await _gets_thread(starved)
            if not had_thread and not short:
                log.warning("no_thread_free", seconds=starved)
                faulthandler.dump_traceback(all_threads=True)
            short = not had_thread
    finally:
        faulthandler.cancel_dump_traceback_later()


async def _gets_thread(seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await run_in_threadpool(lambda: None)
    except TimeoutError:
        return False
    return True
