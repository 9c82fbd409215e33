"""The worker: takes jobs from the queue and runs each in a forked child, whose death it survives and notices.

Differences from RQ's own: the lease of the job is renewed by this process, not by the child (a learner may hold the
interpreter for minutes); no connection of the record is open while it forks (SQLite forbids it); a child dies with its
worker; a queue that is away does not end a running job; job functions are imported before the fork at the first job and
heavy libraries at the first heavy one, so that an idle worker stays small and later children find them loaded.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import structlog
from redis.exceptions import RedisError
from rq import Worker
from rq.serializers import JSONSerializer

from annotarium.db.engine import get_database
from annotarium.db.unit import unit_of_work
from annotarium.jobs import repository
from annotarium.jobs.connection import QUEUES, connect
from annotarium.jobs.parts import die_with_parent
from annotarium.jobs.run import load_common, load_functions
from annotarium.settings import get_settings

log = structlog.get_logger(__name__)

WORKER_TTL = 45
"""Seconds; an idle worker looks after dead ones only when its blocking wait (this less 15 s) ends."""
RENEW_SECONDS = 10
_HEAVY_LIBRARIES = ("numpy", "scipy.sparse", "sklearn.feature_extraction.text", "sklearn.linear_model", "sklearn.svm")


class JobWorker(Worker):
    """A fork worker for rows of the record."""

    max_connection_wait_time = 2.0
    _fence: int | None = None
    _lost = 0
    _loaded = False
    _preloaded = False
    marker: Path | None = None
    """A file that names the job in work, for the next worker of that name to find (see `bury_predecessor`)."""

    def execute_job(self, job: Any, queue: Any) -> None:
        """Run one job in a child and wait for it."""
        self._load(heavy=queue.name == "heavy")
        self._require_index(job, queue)
        self._fence, self._lost = None, 0
        if self.marker is not None:
            self.marker.write_text(job.id, encoding="ascii")
        get_database().dispose()
        try:
            super().execute_job(job, queue)
        except SystemExit:
            _give_back(job.id)  # told to stop at once: the child is dead by now
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
            log.error("worker_ends", reason=differs.told())
            queue.push_job_id(job.id, at_front=True)
            self.connection.lrem(queue.intermediate_queue_key, 1, job.id)
            sys.exit(differs.told())

    def _load(self, *, heavy: bool) -> None:
        """Import before the fork what this and later jobs need."""
        if not self._loaded:
            self._loaded = True
            load_functions()
            load_common()
            gc.freeze()
        if heavy and not self._preloaded:
            self._preloaded = True
            preload()

    def main_work_horse(self, job: Any, queue: Any) -> None:
        """The child."""
        die_with_parent(os.getppid())
        get_database().after_fork()
        super().main_work_horse(job, queue)

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
        with unit_of_work(actor="", write=True) as unit:
            if self._fence is None:
                found = repository.find_job(unit.session, job_id)
                if found is None:
                    return
                self._fence = found[0].fence
            kept = repository.renew(unit.session, job_id, self._fence)
        # Seen once it may just have ended; seen twice it was cancelled or given to another run: this one is in vain.
        self._lost = 0 if kept else self._lost + 1
        if self._lost > 1:
            log.warning("job_run_in_vain", job_id=job_id)
            self.kill_horse()

    def handle_work_horse_killed(self, job: Any, retpid: Any, ret_val: Any, rusage: Any) -> None:
        """The child died of a signal: somebody else may have the job at once."""
        super().handle_work_horse_killed(job, retpid, ret_val, rusage)  # type: ignore[no-untyped-call]
        _expire(job.id)


def _expire(job_id: str) -> None:
    with unit_of_work(actor="", write=True) as unit:
        repository.expire_lease(unit.session, job_id)
    get_database().dispose()


def _give_back(job_id: str) -> None:
    """A run that was stopped on purpose does not count as an attempt."""
    with unit_of_work(actor="", write=True) as unit:
        found = repository.find_job(unit.session, job_id)
        if found is not None and found[0].state == "running":
            job = found[0]
            attempts = max(job.attempts - 1, 0)
            repository.take_away(unit.session, job_id, job.fence, state="waiting", attempts=attempts)
    get_database().dispose()


def preload() -> None:
    """Import what heavy jobs need; forked children share it."""
    for name in _HEAVY_LIBRARIES:
        try:
            if find_spec(name.partition(".")[0]) is not None:
                import_module(name)
        except ImportError:
            log.exception("library_not_loaded", library=name)
    gc.collect()
    gc.freeze()


def bury_predecessor(marker: Path) -> None:
    """Release the job a worker of this name was killed with: its child died with it (Linux) or keeps its lease."""
    if not marker.exists():
        return
    if sys.platform == "linux":
        _expire(marker.read_text(encoding="ascii").strip())
    marker.unlink(missing_ok=True)


def run_worker(name: str | None = None, *, burst: bool = False) -> None:
    """Work until told to stop. One SIGTERM waits for the job in hand, a second one ends it.

    Args:
        name: the stable name a supervisor gave; None for a worker started by hand.
        burst: return when the queues are empty.
    """
    connection = connect(retries=20, pause=0.2)  # a queue server that is being started again
    if connection is None:
        raise RuntimeError("No queue is configured: set REDIS_URL, or use `annotarium serve`, which brings its own")
    worker = JobWorker(
        list(QUEUES),
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
        bury_predecessor(worker.marker)
    gc.freeze()
    gc.enable()
    try:
        worker.work(burst=burst, logging_level=None)
    except RedisError as error:
        log.error("queue_lost", error=str(error))
        sys.exit(1)  # whoever started this worker starts it again
