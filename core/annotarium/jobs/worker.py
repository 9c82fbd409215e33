"""One slot of a worker: takes jobs from its lanes, users in turn, and runs each in a forked child, whose death it
survives and notices.

Differences from RQ's own: the lease of the job is renewed by this process, not by the child (a learner may hold the
interpreter for minutes); no connection of the record is open while it forks (SQLite forbids it); a child dies with
its worker; a queue that is away does not end a running job; job functions are imported before the slots are forked
(`pool`), heavy libraries at the first heavy job, so that an idle slot stays small and later children find them
loaded.
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
"""Seconds; an idle worker looks after dead ones only when its blocking wait (this less 15 s) ends."""
RENEW_SECONDS = 10
_HEAVY_LIBRARIES = ("numpy", "scipy.sparse", "sklearn.feature_extraction.text", "sklearn.linear_model", "sklearn.svm")
_FENCE = struct.Struct("q")


class LaneQueue(Queue):
    """RQ's queue without its list of jobs in between: the record knows of a job that was taken and not begun."""

    @classmethod
    def lmove(cls, connection: Any, queue_key: str, timeout: int | None) -> Any:
        """The next job, waited for."""
        return cls.lpop([queue_key], timeout, connection=connection)


class JobWorker(Worker):
    """A fork worker for rows of the record: one slot."""

    queue_class = LaneQueue
    max_connection_wait_time = 2.0
    _lost = 0
    _preloaded = False
    marker: Path | None = None
    """A file that names the job in work, for the next worker of that name to find (see `release_job_of_predecessor`).
    """

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)  # shared with the child: the fence of its run, 0 before it begins

    # -- which job is next ------------------------------------------------------------------------------------------

    def dequeue_job_and_maintain_ttl(self, timeout: int | None, max_idle_time: int | None = None) -> Any:
        """The next job in turn: what the queue hands out only says that its lane holds one."""
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
        """The job whose turn it is, in exchange for the one taken."""
        if self.connection.llen(queue.key) == 0:
            return job  # there is no choice
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
            _requeue_stopped_job(job.id)  # told to stop at once: the child is dead by now
            raise
        finally:
            if self.marker is not None:
                self.marker.unlink(missing_ok=True)

    def _require_index(self, job: Any, queue: Any) -> None:
        """Leave the job to others and end, when the search index was moved to where this worker does not write."""
        from annotarium.search.shared_index import IndexDiffers, require_same_index

        try:
            require_same_index()
        except IndexDiffers as differs:
            log.error("worker_ends", reason=differs.one_line())
            queue.push_job_id(job.id, at_front=True)
            self.connection.lrem(queue.intermediate_queue_key, 1, job.id)
            sys.exit(differs.one_line())

    def main_work_horse(self, job: Any, queue: Any) -> None:
        """The child."""
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
        """Every `RENEW_SECONDS` while the child works."""
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
        # Seen once it may just have ended; seen twice it was cancelled or given to another run: this one is in vain.
        self._lost = 0 if kept else self._lost + 1
        if self._lost > 1:
            log.warning("job_run_in_vain", job_id=job_id)
            self.kill_horse()

    # -- its end ----------------------------------------------------------------------------------------------------

    def _settle(self, job_id: str) -> None:
        """A job that lost its child, by a signal for example, or gave up its turn, waits or ends at once.

        One that could not even begin is left to the reconciler, so that it is not tried again and again.
        """
        if not self._fence:
            return
        try:
            settle_ended_run(job_id, self._fence)
        except (DBAPIError, DatabaseUnavailable) as error:
            log.warning("run_not_settled", job_id=job_id, error=str(error)[:200])  # the reconciler does it
        finally:
            get_database().dispose()

    def handle_exception(self, job: Any, *exc_info: Any) -> None:
        """Something went wrong around a job in the child. What the queue has forgotten meanwhile is no fault: the
        record says how the job ended.
        """
        error = exc_info[1]
        if isinstance(error, (InvalidJobOperation, NoSuchJobError)):
            log.info("queue_forgot_job", job_id=job.id)
        elif isinstance(error, RedisError):
            log.warning("queue_away", job_id=job.id, error=str(error))
        else:
            super().handle_exception(job, *exc_info)


def _requeue_stopped_job(job_id: str) -> None:
    """A run that was stopped on purpose does not count as an attempt."""
    with unit_of_work(actor="", write=True) as unit:
        found = repository.find_job(unit.session, job_id)
        if found is not None and found[0].state == "running":
            job = found[0]
            attempts = max(job.attempts - 1, 0)
            repository.revoke_run(unit.session, job_id, job.fence, state="waiting", attempts=attempts)
    get_database().dispose()


def preload_heavy_libraries() -> None:
    """Import what heavy jobs need; forked children share it."""
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
    """Release the job a worker of this name was killed with: its child died with it (Linux) or keeps its lease."""
    if not marker.exists():
        return
    if sys.platform == "linux":
        settle_ended_run(marker.read_text(encoding="ascii").strip(), None)
        get_database().dispose()
    marker.unlink(missing_ok=True)


def run_worker(name: str | None = None, *, lanes: Sequence[str] = LANES, burst: bool = False) -> None:
    """Work in one slot until told to stop. One SIGTERM waits for the job in hand, a second one ends it.

    Args:
        name: the stable name a supervisor gave; None for a worker started by hand.
        lanes: those to serve, the first of them that holds a job.
        burst: return when the lanes are empty.
    """
    connection = connect_to_queue_server(retries=20, pause=0.2)  # a queue server that is being started again
    if connection is None:
        raise RuntimeError("No queue is configured: set REDIS_URL, or use `annotarium serve`, which brings its own")
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
        sys.exit(1)  # whoever started this worker starts it again
