"""Starting jobs: the row is written in the caller's transaction, the queue hears of it after the commit.

Losing the queue loses no job: what was not pushed, or was lost there, the reconciler pushes again.
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
"""A job of the lane `default` that is known to have more steps goes to the lane `long`."""


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
    """Add a job to this transaction; a worker takes it once the transaction is committed.

    Args:
        type: one of the published job types (C-082).
        function: name of a `job_function`.
        arguments: JSON values, handed to the function by keyword. No secrets: they are kept.
        project: the project the job belongs to, None for one outside projects.
        created_by: the user in whose name and with whose rights it runs, within the restriction of the call.
        queue: the lane: `interactive` for what somebody waits for, `long` for what takes minutes, `heavy` for training,
            vectors and archives, `default` for the rest. Each lane has slots of its own (`system.lanes.plan_slots`).
        total_steps: steps known in advance; `JobContext.progress` may correct it.
        undoable: every change it makes is a row of history, so that `domains.bulk` can take it back.
        parameters: what was asked for, for people (see `Job.parameters`).
        mail_in: the language in which `created_by` hears by e-mail how it ended; None where nobody asked for that.
            A server without e-mail sends none, and the parameters say so.
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
    unit.session.flush()  # fills in what has a default: callers answer with the job at once
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
    """Keep a job that was small enough to be done at once, in this transaction: it is listed and undone like any other.

    Args:
        id: what its rows of history name as their job.
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
    """Hand a committed job to the queue; when that fails the reconciler does it later."""
    try:
        push_job(job_id, queue)
    except Exception as error:  # noqa: BLE001  # whatever the queue says: the row is safe and is pushed again
        log.warning("job_not_enqueued", job_id=job_id, error=str(error))
