"""For tests of other packages: runs waiting jobs in this thread, without a queue."""

from __future__ import annotations

from annotarium.db.identifiers import now_ms
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs import repository
from annotarium.jobs.run import run_job


def run_pending_jobs(limit: int = 100) -> list[str]:
    """Run waiting jobs, and those they start, oldest first, in this thread; returns their ids.

    Must be called outside any transaction.
    """
    done: list[str] = []
    while len(done) < limit:
        with unit_of_work(actor="", write=False) as unit:
            waiting = [job.id for job in repository.list_waiting_jobs(unit.session, now_ms() + 1_000)]
        waiting = [job_id for job_id in waiting if job_id not in done]
        if not waiting:
            break
        for job_id in waiting:
            run_job(job_id)
            done.append(job_id)
    return done
