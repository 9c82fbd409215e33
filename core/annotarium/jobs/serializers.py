"""The JSON form of a job (`SherpaJobBean`) and the live event that contains it."""

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
"""Arguments of a job that restores a project from an archive: the name and label of the project before it exists."""
RESTORATION = "PROJECT_RESTORATION"
WAS_CANCELLED = message("job.cancelled", "Cancelled")


def status_message_columns(message: str | None) -> dict[str, Any]:
    """The columns for the progress or final message of a job."""
    text = None if message is None else str(message)
    return {"status_message": text, "status_said": message.to_json() if isinstance(message, Message) else None}


def project_name_and_label(job: Job, project: Project | None) -> tuple[str, str]:
    """Name and label of the job's project, empty outside projects. For a job that restores a project also while the
    project does not exist.
    """
    if project is not None:
        return project.name, project.label
    made = job.arguments or {} if job.type == RESTORATION else {}
    return str(made.get(RESTORED_NAME, "")), str(made.get(RESTORED_LABEL, ""))


def job_to_json(job: Job, project: Project | None) -> dict[str, Any]:
    """The job as JSON. Timestamps are milliseconds; keys without a value are left out.

    `error`, `said`, `result`, `parameters`, `undoable` and `undoneBy` are our additions: published clients ignore them.
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
    """Emit the job's state to the readers of its project, or to its creator if it has none, after the commit.

    Interactive jobs cause no event: a client waits for their result. This is called for every end of a job, in the
    transaction that writes it, and then marks a requested e-mail as due.
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
