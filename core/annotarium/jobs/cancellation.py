"""Cancels jobs: a request first, a kill if the job does not react."""

from __future__ import annotations

import structlog

from annotarium.db.unit_of_work import UnitOfWork
from annotarium.jobs import repository
from annotarium.jobs.queue_client import get_redis, remove_job_from_queue
from annotarium.jobs.serializers import CANCELLED, WAS_CANCELLED, emit_job, status_message_columns

log = structlog.get_logger(__name__)


def request_job_cancellation(unit: UnitOfWork, job_id: str) -> bool:
    """Request that a job stops, in this transaction. Returns False if it has already ended.

    A waiting job ends immediately. A running job notices the request at its next `progress`; otherwise the reconciler
    kills it some seconds later.
    """
    if not repository.request_cancel(unit.session, job_id):
        return False
    if repository.end_waiting_job(unit.session, job_id, CANCELLED, **status_message_columns(WAS_CANCELLED)):
        found = repository.find_job(unit.session, job_id)
        if found is not None:
            emit_job(unit, *found)
        unit.after_commit(lambda: remove_job_from_queue(job_id))
    return True


def kill_job_run(job_id: str) -> None:
    """Make the worker kill the process group of a running job, if the queue knows the job."""
    connection = get_redis()
    if connection is None:
        return
    from rq.command import send_stop_job_command
    from rq.serializers import JSONSerializer

    try:
        send_stop_job_command(connection, job_id, serializer=JSONSerializer)
    except Exception as error:  # noqa: BLE001  # already ended, or no queue: the fence stops its writes
        log.info("job_not_killed", job_id=job_id, error=str(error))
