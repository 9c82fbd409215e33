"""A worker process with job functions that misbehave; run by test_worker.py."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from annotarium.jobs.context import JobContext, job_function


@job_function("test_deaf")
def deaf(context: JobContext, pid_file: str, seconds: float) -> None:
    """Works on without ever asking whether it was cancelled."""
    Path(pid_file).write_text(str(os.getpid()))
    time.sleep(seconds)


@job_function("test_crash")
def crash(context: JobContext, trace: str, times: int) -> None:
    """Dies like a process without memory, `times` times."""
    with Path(trace).open("a") as file:
        file.write("run\n")
    if Path(trace).read_text().count("run") <= times:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    from annotarium.jobs import worker
    from annotarium.process import work

    worker.RENEW_SECONDS = 1
    work(sys.argv[1])
