"""The wire form of a job (`SherpaJobBean`) and the live event that carries it."""

from __future__ import annotations

from typing import Any

from annotarium.db.models import Job, Project
from annotarium.db.unit_of_work import UnitOfWork
from annotarium.jobs import repository
from annotarium_schemas.messages import Message, message

STARTED, COMPLETED, CANCELLED, FAILED = "STARTED", "COMPLETED", "CANCELLED", "FAILED"
STATUSES = (STARTED, "PAUSED", COMPLETED, CANCELLED, FAILED)  # C-083
ENDED = frozenset({COMPLETED, CANCELLED, FAILED})
EVENT = "job"
RESTORED_NAME, RESTORED_LABEL = "project_name", "project_label"
"""Arguments of a job that makes a project of an archive: what the project is called, before it is there."""
RESTORATION = "PROJECT_RESTORATION"
WAS_CANCELLED = message("job.cancelled", "Cancelled")


def status_message_columns(message: str | None) -> dict[str, Any]:
    """The columns that say where a job stands, or how it ended."""
    text = None if message is None else str(message)
    return {"status_message": text, "status_said": message.to_json() if isinstance(message, Message) else None}


def project_name_and_label(job: Job, project: Project | None) -> tuple[str, str]:
    """Name and label of the project that a job belongs to; of one that it makes also before the project shows, and
    when it never does. Empty outside projects."""
    if project is not None:
        return project.name, project.label
    made = job.arguments or {} if job.type == RESTORATION else {}
    return str(made.get(RESTORED_NAME, "")), str(made.get(RESTORED_LABEL, ""))


def job_to_json(job: Job, project: Project | None) -> dict[str, Any]:
    """The job as it travels. Moments are milliseconds; keys without a value are left out.

    `error`, `said`, `result`, `parameters`, `undoable` and `undoneBy` are ours: published clients ignore them.
    """
    name, label = project_name_and_label(job, project)
    body: dict[str, Any] = {
        "id": job.id,
        "type": job.type,
        "status": job.status,
        "description": job.description,
        "project": name,
        "projectLabel": label,
        "createdBy": job.created_by,
        "createdAt": job.created_at,
        "currentStepCount": job.current_step,
        "totalStepCount": job.total_steps,
        "uploadIds": [str(one) for one in job.upload_ids or ()],
    }
    said = {"description": job.description_said, "statusMessage": job.status_said}
    optional = {
        "said": {name: wire for name, wire in said.items() if wire} or None,
        "completedAt": job.completed_at,
        "statusMessage": job.status_message,
        "error": job.error,
        "result": job.result,
        "parameters": job.parameters,
        "undoneBy": job.undone_by,
    }
    if job.undoable and job.undone_by is None and job.state == "done":
        body["undoable"] = True
    return body | {key: value for key, value in optional.items() if value is not None}


def emit_job(unit: UnitOfWork, job: Job, project: Project | None) -> None:
    """Tell the readers of its project, or its creator when it has none, what became of the job, after the commit.

    An interactive job is told to nobody: who started it waits for its answer. Every end comes by here, in the
    transaction that writes it: a message that was asked for becomes due with it.
    """
    if job.queue == repository.INTERACTIVE:
        return
    if job.status in ENDED:
        repository.schedule_email(unit.session, job.id)
    body = job_to_json(job, project)
    if project is not None:
        unit.emit(EVENT, body, project=project.name)
    elif job.created_by:
        unit.emit(EVENT, body, user=job.created_by)
