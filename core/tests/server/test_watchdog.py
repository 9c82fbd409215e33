"""A process that no longer responds logs its stack traces, and ends when nothing else helps."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import asyncio, sys, threading, time
from starlette.concurrency import run_in_threadpool
from annotarium.server.watchdog import watch_event_loop

async def main(how):
    stuck, starved = (4, 1.5) if how != "works" else (40, 20)  # a busy machine is neither
    watching = asyncio.create_task(watch_event_loop(stuck=stuck, starved=starved, pause=0.1))
    await asyncio.sleep(0.2)
    if how == "stands still":
        time.sleep(30)
    elif how == "no thread":
        import anyio.to_thread
        limiter = anyio.to_thread.current_default_thread_limiter()
        hurry = [asyncio.create_task(run_in_threadpool(time.sleep, 3.5)) for _ in range(int(limiter.total_tokens))]
        await asyncio.gather(*hurry)
    else:
        await asyncio.sleep(1.5)
    watching.cancel()
    print("ended well")

asyncio.run(main(sys.argv[1]))
"""


def run(how: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", CODE, how], capture_output=True, text=True, timeout=60, check=False)


def test_a_stuck_loop_is_ended_and_logged() -> None:
    done = run("stands still")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Timeout" in done.stderr
    assert "in main" in done.stderr


def test_a_shortage_of_threads_is_logged_once_and_survived() -> None:
    done = run("no thread")
    assert done.returncode == 0
    assert done.stdout.endswith("ended well\n")
    assert done.stdout.count("no_thread_free") == 1
    assert "Current thread" in done.stderr


def test_a_responsive_process_is_left_alone() -> None:
    done = run("works")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended well\n", "")
