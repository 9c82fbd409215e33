"""One slot of a worker: takes jobs from its lanes, fairly among users, and runs each in a forked child. It notices and
survives the child's death.

Differences from RQ's own worker: the job's lease is renewed by this process, not by the child (a learner may hold the
GIL for minutes); no database connection is open during a fork (SQLite forbids it); a child dies with its worker; an
unreachable queue server does not end a running job; job functions are imported before the slots are forked (`pool`),
heavy libraries at the first heavy job, so that an idle slot stays small and later children share them.
"""

from __future__ import annotations

import gc
import mmap
import os
import struct
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import structlog
from redis.exceptions import RedisError
from rq import Queue, Worker
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.serializers import JSONSerializer
from sqlalchemy.exc import DBAPIError

from annotarium.db.database import get_database
from annotarium.db.disconnected import DatabaseUnavailable
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs import repository, run
from annotarium.jobs.queue_client import connect_to_queue_server, exchange_queued_job
from annotarium.jobs.reconciler import settle_ended_run
from annotarium.settings import get_settings
from annotarium.system.child_processes import die_with_parent
from annotarium.system.lanes import LANES, NICENESS
from annotarium.system.library_threads import limit_loaded_libraries

log = structlog.get_logger(__name__)

WORKER_TTL = 45
"""Seconds; an idle worker checks for dead workers only when its blocking wait (this value minus 15 s) ends."""
RENEW_SECONDS = 10
_HEAVY_LIBRARIES = ("numpy", "scipy.sparse", "sklearn.feature_extraction.text", "sklearn.linear_model", "sklearn.svm")
_FENCE = struct.Struct("q")


class LaneQueue(Queue):
    """RQ's queue without its intermediate list of jobs: the database has the jobs that were taken and not started."""

    @classmethod
    def lmove(cls, connection: Any, queue_key: str, timeout: int | None) -> Any:
        """Pop the next job, blocking until there is one."""
        return cls.lpop([queue_key], timeout, connection=connection)


class JobWorker(Worker):
    """A forking worker for jobs in the database: one slot."""

    queue_class = LaneQueue
    max_connection_wait_time = 2.0
    _lost = 0
    _preloaded = False
    marker: Path | None = None
    """A file with the id of the current job, for the next worker of that name (see `release_job_of_predecessor`)."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)  # shared with the child: the fence of its run, 0 before it begins

    # -- choosing the next job --------------------------------------------------------------------------------------

    def dequeue_job_and_maintain_ttl(self, timeout: int | None, max_idle_time: int | None = None) -> Any:
        """The next job in fair order. The job from the queue only shows that the lane has one."""
        taken = super().dequeue_job_and_maintain_ttl(timeout, max_idle_time)
        if taken is None:
            return None
        job, queue = taken
        try:
            return self._choose_fairly(job, queue), queue
        except (DBAPIError, DatabaseUnavailable) as error:
            log.warning("fair_order_unknown", error=str(error)[:200])
            return job, queue

    def _choose_fairly(self, job: Any, queue: Any) -> Any:
        """The job whose turn it is, exchanged in the queue for the one taken."""
        if self.connection.llen(queue.key) == 0:
            return job  # it is the only one
        try:
            with unit_of_work(actor="", write=False) as unit:
                order = repository.next_waiting_job_of_each_user(unit.session, queue.name)
        finally:
            get_database().dispose()
        for job_id in order:
            if job_id == job.id:
                break
            try:
                wanted = self.job_class.fetch(job_id, connection=self.connection, serializer=self.serializer)
            except NoSuchJobError:
                continue
            if exchange_queued_job(self.connection, queue.name, job_id, job.id):
                return wanted
        return job

    # -- running it -------------------------------------------------------------------------------------------------

    def execute_job(self, job: Any, queue: Any) -> None:
        """Run one job in a child and wait for it."""
        self._require_index(job, queue)
        if queue.name == "heavy" and not self._preloaded:
            self._preloaded = True
            preload_heavy_libraries()
        self._lost = 0
        self._note_fence(0)
        if self.marker is not None:
            self.marker.write_text(job.id, encoding="ascii")
        get_database().dispose()
        try:
            super().execute_job(job, queue)
            self._settle(job.id)
        except SystemExit:
            _requeue_stopped_job(job.id)  # stopped immediately: the child is dead by now
            raise
        finally:
            if self.marker is not None:
                self.marker.unlink(missing_ok=True)

    def _require_index(self, job: Any, queue: Any) -> None:
        """Return the job and exit if the search index was moved to one that this worker does not write to."""
        from annotarium.search.shared_index import IndexDiffers, require_same_index

        try:
            require_same_index()
        except IndexDiffers as differs:
            log.error("worker_ends", reason=differs.one_line())
            queue.push_job_id(job.id, at_front=True)
            self.connection.lrem(queue.intermediate_queue_key, 1, job.id)
            sys.exit(differs.one_line())

    def main_work_horse(self, job: Any, queue: Any) -> None:
        """Run the job in the child process."""
        die_with_parent(os.getppid())
        os.nice(NICENESS.get(queue.name, 0))
        get_database().after_fork()
        run.on_claim = self._note_fence
        super().main_work_horse(job, queue)

    def _note_fence(self, fence: int) -> None:
        self._memory[: _FENCE.size] = _FENCE.pack(fence)

    @property
    def _fence(self) -> int:
        fence: int = _FENCE.unpack(self._memory[: _FENCE.size])[0]
        return fence

    def maintain_heartbeats(self, job: Any) -> None:
        """Renew the job's lease. Called every `RENEW_SECONDS` while the child works."""
        try:
            super().maintain_heartbeats(job)
        except RedisError as error:
            log.warning("queue_away", error=str(error))
        try:
            self._renew(job.id)
        except Exception:
            log.exception("lease_not_renewed", job_id=job.id)
        finally:
            get_database().dispose()

    def _renew(self, job_id: str) -> None:
        if not self._fence:
            return
        with unit_of_work(actor="", write=True) as unit:
            kept = repository.renew_lease(unit.session, job_id, self._fence)
        # A lost lease seen once: the job may just have ended. Seen twice: it was cancelled or assigned to another run.
        self._lost = 0 if kept else self._lost + 1
        if self._lost > 1:
            log.warning("job_run_in_vain", job_id=job_id)
            self.kill_horse()

    # -- its end ----------------------------------------------------------------------------------------------------

    def _settle(self, job_id: str) -> None:
        """Settle a job whose child died, by a signal for example, or was preempted: it ends or is queued immediately.

        A job that did not start is left to the reconciler, so that it is not tried again immediately and repeatedly.
        """
        if not self._fence:
            return
        try:
            settle_ended_run(job_id, self._fence)
        except (DBAPIError, DatabaseUnavailable) as error:
            log.warning("run_not_settled", job_id=job_id, error=str(error)[:200])  # left to the reconciler
        finally:
            get_database().dispose()

    def handle_exception(self, job: Any, *exc_info: Any) -> None:
        """Handle an error around a job in the child. If the queue has lost the job meanwhile this is not an error: the
        database has the job's end.
        """
        error = exc_info[1]
        if isinstance(error, (InvalidJobOperation, NoSuchJobError)):
            log.info("queue_forgot_job", job_id=job.id)
        elif isinstance(error, RedisError):
            log.warning("queue_away", job_id=job.id, error=str(error))
        else:
            super().handle_exception(job, *exc_info)


def _requeue_stopped_job(job_id: str) -> None:
    """Put a job that was stopped on purpose back to waiting; the run does not count as an attempt."""
    with unit_of_work(actor="", write=True) as unit:
        found = repository.find_job(unit.session, job_id)
        if found is not None and found[0].state == "running":
            job = found[0]
            attempts = max(job.attempts - 1, 0)
            repository.revoke_run(unit.session, job_id, job.fence, state="waiting", attempts=attempts)
    get_database().dispose()


def preload_heavy_libraries() -> None:
    """Import libraries that heavy jobs need, to share them with forked children."""
    for name in _HEAVY_LIBRARIES:
        try:
            if find_spec(name.partition(".")[0]) is not None:
                import_module(name)
        except ImportError:
            log.exception("library_not_loaded", library=name)
    limit_loaded_libraries(os.environ)
    gc.collect()
    gc.freeze()


def release_job_of_predecessor(marker: Path) -> None:
    """Settle the job of a killed worker of this name: on Linux its child died with it; elsewhere the lease remains."""
    if not marker.exists():
        return
    if sys.platform == "linux":
        settle_ended_run(marker.read_text(encoding="ascii").strip(), None)
        get_database().dispose()
    marker.unlink(missing_ok=True)


def run_worker(name: str | None = None, *, lanes: Sequence[str] = LANES, burst: bool = False) -> None:
    """Work in one slot until a stop signal. The first SIGTERM waits for the current job, a second one ends it.

    Args:
        name: the stable name assigned by a supervisor; None for a worker started by hand.
        lanes: the lanes to serve; earlier ones take precedence.
        burst: return when the lanes are empty.
    """
    connection = connect_to_queue_server(retries=20, pause=0.2)  # the queue server may be restarting
    if connection is None:
        raise RuntimeError("No queue is configured: set REDIS_URL, or use `annotarium serve`, which starts one")
    worker = JobWorker(
        list(lanes),
        name=f"{name or 'worker'}-{uuid4().hex[:8]}",
        connection=connection,
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL,
        job_monitoring_interval=RENEW_SECONDS,
    )
    worker.log_result_lifespan = False
    if name is not None:
        folder = get_settings().run_folder
        folder.mkdir(parents=True, exist_ok=True)
        worker.marker = folder / f"{name}.job"
        release_job_of_predecessor(worker.marker)
    gc.freeze()
    gc.enable()
    try:
        worker.work(burst=burst, logging_level=None)
    except RedisError as error:
        log.error("queue_lost", error=str(error))
        sys.exit(1)  # the parent process restarts it
