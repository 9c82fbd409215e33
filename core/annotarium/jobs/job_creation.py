"""Starts jobs: the row is written in the caller's transaction, and the job is queued after the commit.

Losing the queue loses no job: the reconciler queues jobs that were never queued, or were lost, again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

import structlog

from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job, Project
from annotarium.db.unit_of_work import UnitOfWork
from annotarium.jobs import repository
from annotarium.jobs.queue_client import push_job
from annotarium.jobs.serializers import COMPLETED, STARTED, emit_job
from annotarium.settings import get_settings
from annotarium.system.lanes import Lane
from annotarium_schemas.messages import Message

log = structlog.get_logger(__name__)
LONG_STEPS = 5_000
"""A job of the lane `default` with more known steps than this goes to the lane `long`."""


def start_job(
    unit: UnitOfWork,
    *,
    type: str,
    function: str,
    arguments: dict[str, Any],
    project: Project | None,
    created_by: str,
    description: str = "",
    queue: Lane = "default",
    upload_ids: Iterable[str] = (),
    total_steps: int = 0,
    undoable: bool = False,
    parameters: dict[str, Any] | None = None,
    mail_in: str | None = None,
) -> Job:
    """Add a job in this transaction; a worker runs it after the commit.

    Args:
        type: one of the published job types (C-082).
        function: name of a `job_function`.
        arguments: JSON values, passed to the function as keyword arguments. No secrets: they are stored.
        project: the project the job belongs to, None for one outside projects.
        created_by: the user with whose rights it runs, within the restriction of the call.
        queue: the lane: `interactive` if a user waits for the result, `long` for work of minutes, `heavy` for training,
            vectors and archives, `default` for the rest. Each lane has its own slots (`system.lanes.plan_slots`).
        total_steps: number of steps if known; `JobContext.progress` may correct it.
        undoable: every change it makes is a row of history, so that `domains.bulk` can undo it.
        parameters: the request's options, for display (see `Job.parameters`).
        mail_in: language of the e-mail that notifies `created_by` of the end; None if not requested. A server
            without e-mail sends none, and the parameters show that.
    """
    mailed = mail_in is not None and get_settings().sends_mail
    if mail_in is not None:
        parameters = {**(parameters or {}), "email_notification": mailed}
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    lane = "long" if queue == "default" and total_steps > LONG_STEPS else queue
    job = Job(
        id=uuid4().hex,
        type=type,
        status=STARTED,
        state="waiting",
        description=str(description),
        description_said=_message_json(description),
        project_id=project.id if project is not None else None,
        created_by=created_by,
        function=function,
        arguments=arguments,
        queue=lane,
        upload_ids=list(upload_ids),
        total_steps=total_steps,
        current_step=0,
        undoable=undoable,
        parameters=parameters,
        request_id=str(request_id) if request_id else None,
        restriction=unit.restriction if created_by else "",
    )
    unit.session.add(job)
    unit.session.flush()  # sets defaults, because callers return the job immediately
    if mail_in is not None and mailed:
        repository.request_email(unit.session, job.id, mail_in)
    emit_job(unit, job, project)
    job_id = job.id
    unit.after_commit(lambda: enqueue_job(job_id, lane))
    return job


def add_finished_job(
    unit: UnitOfWork,
    *,
    id: str,
    type: str,
    function: str,
    arguments: dict[str, Any],
    project: Project,
    created_by: str,
    description: str,
    result: dict[str, Any],
) -> Job:
    """Add a job whose work was small enough to be done in this transaction: it is listed and can be undone like others.

    Args:
        id: the job id in its rows of history.
    """
    job = Job(id=id, type=type, function=function, arguments=arguments, result=result)
    job.description, job.description_said = str(description), _message_json(description)
    job.project_id, job.created_by, job.status, job.state, job.undoable = (
        project.id,
        created_by,
        COMPLETED,
        "done",
        True,
    )
    job.created_at = job.started_at = job.completed_at = now_ms()
    job.current_step = job.total_steps = int(result.get("changes", 0))
    job.upload_ids = []
    unit.session.add(job)
    unit.session.flush()
    emit_job(unit, job, project)
    return job


def _message_json(description: str) -> dict[str, Any] | None:
    return description.to_json() if isinstance(description, Message) else None


def enqueue_job(job_id: str, queue: str) -> None:
    """Queue a committed job; if that fails the reconciler does it later."""
    try:
        push_job(job_id, queue)
    except Exception as error:  # noqa: BLE001  # the row is stored, the reconciler queues it
        log.warning("job_not_enqueued", job_id=job_id, error=str(error))
