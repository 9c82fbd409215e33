"""A worker process with job functions that misbehave; run by test_worker.py."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from annotarium.db.models import Job
from annotarium.jobs.context import JobContext, job_function


@job_function("test_deaf")
def deaf(context: JobContext, pid_file: str, seconds: float) -> None:
    """Work on without checking for cancellation."""
    Path(pid_file).write_text(str(os.getpid()))
    time.sleep(seconds)


@job_function("test_crash")
def crash(context: JobContext, trace: str, times: int) -> None:
    """Die `times` times, like a process that ran out of memory."""
    with Path(trace).open("a") as file:
        file.write("run\n")
    if Path(trace).read_text().count("run") <= times:
        os.kill(os.getpid(), signal.SIGKILL)


def die_before_claim(sign: Path) -> None:
    """If the file `sign` exists: kill the slot, and with it its child, after the job was taken and before it starts."""
    from annotarium.jobs import run

    claim = run._claim_job

    def dying(job_id: str) -> Job | None:
        if sign.exists():
            sign.unlink()
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)
        return claim(job_id)

    run._claim_job = dying


if __name__ == "__main__":
    from annotarium.jobs import worker
    from annotarium.server.launch import run_worker
    from annotarium.settings import get_settings

    worker.RENEW_SECONDS = 1
    die_before_claim(get_settings().data / "die-before-claim")
    run_worker(sys.argv[1])
