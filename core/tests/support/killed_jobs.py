"""Workers that die in the middle of a job."""

from __future__ import annotations

import pytest

from annotarium.db.models import Job
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs import repository as job_record
from annotarium.jobs.context import JobContext
from annotarium.jobs.run import run_job


class Killed(BaseException):
    """Simulates the death of a worker."""


def kill_job_after(monkeypatch: pytest.MonkeyPatch, job_id: str, after: int) -> None:
    """Run a job until its worker dies in the progress call number `after` + 1; then the job waits again."""
    calls = 0
    progress = JobContext.progress

    def dying(self: JobContext, step: int, total: int, message: str) -> None:
        nonlocal calls
        calls += 1
        if calls > after:
            raise Killed
        progress(self, step, total, message)

    monkeypatch.setattr(JobContext, "progress", dying)
    with pytest.raises(Killed):
        run_job(job_id)
    monkeypatch.setattr(JobContext, "progress", progress)
    with unit_of_work(actor="tests", write=True) as unit:
        job = unit.session.get_one(Job, job_id)
        assert job_record.revoke_run(unit.session, job_id, job.fence, state="waiting")
