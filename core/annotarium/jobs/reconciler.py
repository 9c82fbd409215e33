"""Finds lost jobs and repairs them: the database is authoritative, the queue is brought in line.

Runs in the API process every few seconds. Several may run at the same time: every change is a compare-and-set.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog
from sqlalchemy.exc import DBAPIError

from annotarium.db.disconnected import DatabaseUnavailable, is_disconnected
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs import repository
from annotarium.jobs.cancellation import kill_job_run
from annotarium.jobs.queue_client import (
    get_redis,
    is_taken_by_live_worker,
    list_queued,
    push_job,
    remove_job_from_queue,
)
from annotarium.jobs.serializers import CANCELLED, FAILED, WAS_CANCELLED, emit_job, status_message_columns
from annotarium_schemas.messages import message, message_of

log = structlog.get_logger(__name__)

TICK_SECONDS = 2.0
CANCEL_SECONDS = 4.0
"""How long a running job may take to notice that it was cancelled."""
TAKEN_SECONDS = 10.0
"""How long a worker may take from taking a job out of the queue to starting it."""
ANSWER_MS = 3_600_000
"""How long an interactive job is retained after its end (milliseconds)."""
_YOUNG_MS = 2_000
_GAP_SECONDS = 20.0

_GAVE_UP = {
    "message": message("job.gaveUp", "The job stopped {count:,} times without a result", count=repository.ATTEMPTS_MAX),
    "cause": message("job.wentSilent", "Its process ended unexpectedly, usually because of too little memory"),
    "fix": message("job.moreMemory", "Reduce the work of the job, or add memory to the machine, then start it again"),
}


class Reconciler:
    """One per process; `tick` is called every `TICK_SECONDS`."""

    def __init__(self) -> None:
        self._missing: set[str] = set()
        self._taken: dict[str, float] = {}
        self._cancelling: dict[str, float] = {}
        self._last_tick = time.monotonic()
        self._trust_leases_from = 0.0

    def tick(self) -> None:
        """Check once for expired leases, jobs that do not stop, and jobs missing in the queue."""
        now = time.monotonic()
        if now - self._last_tick > _GAP_SECONDS:
            # The machine was suspended, its workers too: let them renew their leases before they are considered dead.
            self._trust_leases_from = now + _GAP_SECONDS
        self._last_tick = now
        try:
            if now >= self._trust_leases_from:
                self.requeue_lost(before=now_ms())
            self.kill_unresponsive()
        except (DBAPIError, DatabaseUnavailable) as error:
            if is_disconnected(error):  # no worker could renew its lease meanwhile
                self._trust_leases_from = now + _GAP_SECONDS
            raise
        self.push_missing()

    def requeue_lost(self, before: int | None) -> int:
        """Queue jobs whose run is dead again, or end them; returns the number of jobs found.

        Args:
            before: leases that expired before this timestamp (ms); None for every running job, which is correct
                only if no
                worker can be alive.
        """
        with unit_of_work(actor="", write=False) as unit:
            lost = [(job.id, job.queue) for job in repository.list_lost_jobs(unit.session, before)]

        def is_dead(job: Job) -> bool:  # else it has renewed its lease since
            return before is None or (job.lease_until or 0) < before

        requeued = [(job_id, queue) for job_id, queue in lost if _take_job_from_dead_run(job_id, is_dead)]
        for job_id, queue in requeued:
            push_job_again(job_id, queue)
        return len(lost)

    def kill_unresponsive(self) -> None:
        """End running jobs that were cancelled and did not stop by themselves."""
        with unit_of_work(actor="", write=False) as unit:
            asked = {job.id: job.fence for job in repository.list_cancelling_jobs(unit.session)}
        now = time.monotonic()
        self._cancelling = {job_id: self._cancelling.get(job_id, now) for job_id in asked}
        for job_id, since in self._cancelling.items():
            if now - since < CANCEL_SECONDS:
                continue
            kill_job_run(job_id)
            with unit_of_work(actor="", write=True) as unit:
                values = _ended_job_values(CANCELLED, WAS_CANCELLED)
                if repository.revoke_run(unit.session, job_id, asked[job_id], **values):
                    found = repository.find_job(unit.session, job_id)
                    if found is not None:
                        emit_job(unit, *found)

    def push_missing(self) -> None:
        """Queue waiting jobs that the queue does not contain.

        A job counts as missing if it is missing in two consecutive ticks, or if a worker took it `TAKEN_SECONDS` ago
        and has not started it: should it still start, it finds the job running.
        """
        if get_redis() is None:
            return
        with unit_of_work(actor="", write=False) as unit:
            waiting = {job.id: job.queue for job in repository.list_waiting_jobs(unit.session, now_ms() - _YOUNG_MS)}
        if not waiting:
            self._missing, self._taken = set(), {}
            return
        queued, now = list_queued(), time.monotonic()
        absent = {job_id for job_id in waiting if job_id not in queued}
        taken = {job_id: self._taken.get(job_id, now) for job_id in absent if is_taken_by_live_worker(job_id)}
        late = {job_id for job_id, since in taken.items() if now - since >= TAKEN_SECONDS}
        missing = absent - taken.keys()
        for job_id in (missing & self._missing) | late:
            log.warning("job_missing_in_queue", job_id=job_id)
            push_job_again(job_id, waiting[job_id])
        self._missing = missing - self._missing
        self._taken = {job_id: since for job_id, since in taken.items() if job_id not in late}

    def delete_interactive_jobs(self) -> None:
        """Delete interactive jobs that ended more than `ANSWER_MS` ago."""
        before = now_ms() - ANSWER_MS
        with unit_of_work(actor="", write=True) as unit:
            repository.delete_interactive_jobs(unit.session, before)

    def recover(self) -> int:
        """Recover at the start of an installation with its own queue and workers: nothing can be running, so every job
        waits.

        Returns the number of jobs whose run was interrupted.
        """
        interrupted = self.requeue_lost(before=None)
        with unit_of_work(actor="", write=False) as unit:
            waiting = [(job.id, job.queue) for job in repository.list_waiting_jobs(unit.session, now_ms() + 1_000)]
        for job_id, queue in waiting:
            push_job(job_id, queue)
        return interrupted


def settle_ended_run(job_id: str, fence: int | None) -> None:
    """Handle the end of a process that ran a job: if the job has not ended, it ends or is queued again immediately.

    Args:
        fence: of the run; None for any run.
    """
    with unit_of_work(actor="", write=False) as unit:
        found = repository.find_job(unit.session, job_id)
        state, lane = (found[0].state, found[0].queue) if found is not None else ("done", "")
    if state == "running" and _take_job_from_dead_run(job_id, lambda job: fence in (None, job.fence)):
        state = "waiting"
    if state == "waiting":
        push_job_again(job_id, lane)


def _take_job_from_dead_run(job_id: str, is_dead: Callable[[Job], bool]) -> bool:
    """Take a job from its dead run; True if it has to run again."""
    with unit_of_work(actor="", write=True) as unit:
        found = repository.find_job(unit.session, job_id)
        if found is None:
            return False
        job, project = found
        if job.state != "running" or not is_dead(job):
            return False
        again = not job.cancel_requested and job.attempts < repository.ATTEMPTS_MAX
        if not repository.revoke_run(unit.session, job_id, job.fence, **_values_after_dead_run(job, again)):
            return False
        log.warning("job_run_lost", job_id=job_id, attempts=job.attempts, again=again)
        unit.session.refresh(job)
        emit_job(unit, job, project)
        return again


def _values_after_dead_run(job: Job, again: bool) -> dict[str, object]:
    if again:
        return {"state": "waiting"}
    if job.cancel_requested:
        return _ended_job_values(CANCELLED, WAS_CANCELLED)
    error = {"code": 500, "error": "worker_lost"} | _GAVE_UP | {"said": message_of(**_GAVE_UP)}
    return _ended_job_values(FAILED, _GAVE_UP["message"]) | {"error": error}


def _ended_job_values(status: str, message: str) -> dict[str, object]:
    return {"state": "done", "status": status, "completed_at": now_ms()} | status_message_columns(message)


def push_job_again(job_id: str, queue: str) -> None:
    """Queue a job after removing the queue's data about an earlier run, with which it would refuse the job."""
    try:
        remove_job_from_queue(job_id)
        push_job(job_id, queue)
    except Exception as error:  # noqa: BLE001  # the next tick retries
        log.warning("job_not_enqueued", job_id=job_id, error=str(error))
