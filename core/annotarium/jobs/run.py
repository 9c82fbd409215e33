"""Runs one job: claims it, calls its function, writes its end exactly once. The only function the queue ever calls."""

from __future__ import annotations

import pkgutil
import secrets
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import structlog
from sqlalchemy.exc import DataError, DBAPIError, StatementError

from annotarium.db.disconnected import DatabaseRetry, DatabaseUnavailable, is_disconnected
from annotarium.db.disk_full import DiskFull, is_disk_full
from annotarium.db.models import Job
from annotarium.db.serialization_failures import is_serialization_failure
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import AnnotariumError
from annotarium.jobs import repository
from annotarium.jobs.context import JobContext, JobFunction, LeaseLost, find_interruption_mode, find_job_function
from annotarium.jobs.scheduling import Preempted, TimeSlice, lane_after_preemption
from annotarium.jobs.serializers import CANCELLED, COMPLETED, FAILED, WAS_CANCELLED, emit_job, status_message_columns
from annotarium_plugins.base.component import Cancelled, ComponentError
from annotarium_schemas.messages import message, message_of

log = structlog.get_logger(__name__)
_DOMAINS = "annotarium.domains"
_PAUSES = (0.1, 0.5, 2.0)
"""Pauses in seconds before a job continues after a conflict with another transaction."""
PREEMPTED = "turn over"
"""Internal value instead of a status: the job waits again."""
_OUTAGES, _OUTAGE_SECONDS = 5, 900.0
"""How many times a job waits for an unreachable database server, and how long each time."""


def _domain_modules(kind: str) -> Iterator[ModuleType]:
    """`annotarium.domains.<domain>.<kind>` of every domain that has such a module."""
    for module in pkgutil.iter_modules(import_module(_DOMAINS).__path__):
        name = f"{_DOMAINS}.{module.name}.{kind}"
        if not module.ispkg or find_spec(name) is None:
            continue
        try:
            yield import_module(name)
        except ImportError:
            log.exception("domain_not_loaded", module=name)  # the other domains still work


def connect_domain_listeners() -> None:
    """Have every domain listen to what it wants to hear of: calls `connect()` of each `listeners` module.

    Needed in every process that writes; can be called repeatedly.
    """
    for module in _domain_modules("listeners"):
        module.connect()


def load_job_functions() -> None:
    """Prepare this process for running jobs: import all job functions and connect the domains."""
    for _ in _domain_modules("jobs"):
        continue
    connect_domain_listeners()


def preload_shared_modules() -> None:
    """Load what many jobs need before slots are forked from this process, so that they share it.

    A `jobs` module with such needs has a function `prepare`, which must leave no threads and no connections.
    """
    for module in _domain_modules("jobs"):
        prepare = getattr(module, "prepare", None)
        if prepare is None:
            continue
        try:
            prepare()
        except Exception:
            log.exception("not_prepared", module=module.__name__)  # its jobs report the error when they run


def on_claim(fence: int) -> None:
    """Called with the fence of a run that begins; a worker replaces this function."""


def run_job(job_id: str) -> None:
    """Run a job if it is waiting; otherwise do nothing.

    Errors inside the job are not raised but written to the job's row.
    """
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(job_id=job_id)
    try:
        job = _claim_job(job_id)
        if job is None:
            log.info("job_not_taken")
            return
        if job.request_id:
            structlog.contextvars.bind_contextvars(request_id=job.request_id)
        if find_job_function(job.function) is None:
            load_job_functions()
        context = JobContext(
            job.id,
            username=job.created_by,
            project_id=job.project_id,
            fence=job.fence,
            request_id=job.request_id,
            restriction=job.restriction,
            time_slice=TimeSlice(job.queue, job.created_by, find_interruption_mode(job.function)),
        )
        on_claim(job.fence)
        log.info("job_started", type=job.type, function=job.function, attempt=job.attempts)
        _finish_run(context, *_run_and_describe_outcome(context, job))
    finally:
        structlog.contextvars.clear_contextvars()


def _claim_job(job_id: str) -> Job | None:
    with unit_of_work(actor="", write=True) as unit:
        taken = repository.claim_job(unit.session, job_id)
        found = repository.find_job(unit.session, job_id)
        if found is None:
            return None
        job, project = found
        if not taken and job.cancel_requested and repository.end_waiting_job(unit.session, job_id, CANCELLED):
            unit.session.refresh(job)
            emit_job(unit, job, project)
        return job if taken else None


def _function_of_job(job: Job) -> JobFunction:
    function = find_job_function(job.function)
    if function is None:
        raise AnnotariumError(
            message("job.unknown", "This server does not support {function}", function=job.function),
            cause=message("job.otherVersion", "The job was started by another version of the server"),
            fix=message("job.startAgain", "Start the job again"),
        )
    return function


def _run_with_retries(context: JobContext, function: JobFunction, arguments: dict[str, Any]) -> None:
    """Run the function. Repeat it, skipping what it has done, after a transaction conflict or a database outage."""
    pauses = list(_PAUSES)
    patience = DatabaseRetry(times=_OUTAGES, seconds=_OUTAGE_SECONDS)
    while True:
        try:
            return function(context, **arguments)
        except (DBAPIError, DatabaseUnavailable) as error:
            if is_serialization_failure(error) and pauses:
                log.warning("job_collided", error=str(error)[:200])
                time.sleep(pauses.pop(0) * (1 + secrets.randbelow(100) / 100))  # random, to avoid the next conflict
            elif not (is_disconnected(error) and _wait_for_database(patience)):
                raise


def _wait_for_database(patience: DatabaseRetry) -> bool:
    """Wait until the database responds again; False if that takes too long."""
    log.warning("job_waits_for_database")
    while patience.wait():
        try:
            with unit_of_work(actor="", write=False) as unit:
                unit.session.connection()
        except (DBAPIError, DatabaseUnavailable) as error:
            if not is_disconnected(error):
                raise
        else:
            patience.reset()
            return True
    return False


def _run_and_describe_outcome(context: JobContext, job: Job) -> tuple[str, dict[str, Any]]:
    """Run the job; its final status and columns. An empty status means there is nothing to write."""
    try:
        _run_with_retries(context, _function_of_job(job), job.arguments)
    except Cancelled:
        return CANCELLED, status_message_columns(WAS_CANCELLED)
    except LeaseLost:
        return "", {}
    except Preempted:
        lane = lane_after_preemption(job)
        if context.requeue(lane, max(job.attempts - 1, 0)):
            log.info("job_preempted", lane=lane)
        return PREEMPTED, {}
    except AnnotariumError as error:
        return FAILED, _failure_values(error.status, error.message, error.cause, error.fix, error.error, error.details)
    except ComponentError as error:
        return FAILED, _failure_values(422, error.message, error.cause, error.fix, "component")
    except (Exception, SystemExit) as error:  # noqa: BLE001  # every failure must end in the job's
        return FAILED, _unexpected_failure_values(error)  # row, even if a library exits the program
    values: dict[str, Any] = {"result": context.result}
    if context.message is not None:
        values |= status_message_columns(context.message)
    return COMPLETED, values


def _unexpected_failure_values(error: BaseException) -> dict[str, Any]:
    if is_disk_full(error):
        full = DiskFull()
        return _failure_values(full.status, full.message, full.cause, full.fix, full.error)
    if type(error).__name__ == "JobTimeoutException":  # raised by the queue's alarm, anywhere in the job
        return _failure_values(
            504,
            message("job.tooLong", "The job took longer than allowed"),
            message("job.timeLimit", "The time limit for jobs was reached"),
            message(
                "job.doLess",
                "Reduce the work of the job, or ask an administrator to raise the limit ({name})",
                name="ANNOTARIUM_JOB_TIMEOUT",
            ),
            "timeout",
        )
    error_id = secrets.token_hex(8)
    log.error("job_failed_unexpectedly", error_id=error_id, exc_info=error)
    values = _failure_values(
        500,
        message("unexpected", "Unexpected error."),
        message("server.wrong", "Something went wrong in the server"),
        message("contactSupportWith", "Contact support and mention the number {number}", number=error_id),
    )
    values["error"]["errorId"] = error_id
    return values


def _failure_values(
    code: int,
    message: str,
    cause: str | None,
    fix: str | None,
    error: str = "unexpected",
    details: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    body: dict[str, Any] = {"code": code, "message": message, "cause": cause, "error": error}
    if fix:
        body["fix"] = fix
    if details:
        body["details"] = details
    said = message_of(message=message, cause=cause, fix=fix)
    if said:
        body["said"] = said
    return {"error": body} | status_message_columns(message)


def _write_job_end(context: JobContext, status: str, values: dict[str, Any]) -> bool:
    patience = DatabaseRetry(times=_OUTAGES, seconds=_OUTAGE_SECONDS)
    while True:
        try:
            return context.end(status, **values)
        except (DBAPIError, DatabaseUnavailable) as error:
            if not (is_disconnected(error) and _wait_for_database(patience)):
                raise


def _write_job_end_or_failure(context: JobContext, status: str, values: dict[str, Any]) -> bool:
    """`_write_job_end`. If the result cannot be stored the job fails: otherwise it would be run again and again."""
    try:
        return _write_job_end(context, status, values)
    except (StatementError, ValueError, TypeError) as error:
        if isinstance(error, DBAPIError) and not isinstance(error, DataError):
            raise
        return _write_job_end(context, FAILED, _unexpected_failure_values(error))


def _finish_run(context: JobContext, status: str, values: dict[str, Any]) -> None:
    if status == PREEMPTED:
        return
    if not status or not _write_job_end_or_failure(context, status, values):
        log.warning("job_lost", status=status)
        return
    log.info("job_ended", status=status, message=values.get("status_message"))
