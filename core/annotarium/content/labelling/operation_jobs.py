"""Operations on much labelling that answer by a job: few rows are changed within the request, many by the job."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.repository import count_job_changes
from annotarium.db.models import Job
from annotarium.jobs.context import JobContext
from annotarium.jobs.job_creation import add_finished_job, start_job
from annotarium_schemas.messages import message


def run_or_start_job(
    call: ProjectCall,
    run: Callable[[ProjectCall], None],
    *,
    rows: int,
    direct_max: int,
    type: str,
    function: str,
    arguments: dict[str, Any],
    description: str,
) -> Job:
    """Start the job `function` when more than `direct_max` rows are concerned, else call `run` now.

    Either way the answer is a job whose history rows take the operation back. `run` gets a call whose changes belong to
    that job; `arguments` are those of the job function beside `project_name`.
    """
    values: dict[str, Any] = {"type": type, "function": function, "project": call.project, "description": description}
    values |= {"arguments": {"project_name": call.project.name} | arguments, "created_by": call.username}
    if rows > direct_max:
        return start_job(call.unit, total_steps=rows, undoable=True, **values)
    job_id = uuid4().hex
    run(replace(call, job_id=job_id))
    call.session.flush()
    call.unit.write_appended()
    return add_finished_job(call.unit, id=job_id, result=count_job_changes(call.session, job_id)._asdict(), **values)


def finish_with_job_changes(context: JobContext, project_name: str) -> None:
    """End a job; its result says how many documents it changed, and how many changes that were."""
    with context.open(project_name, write=False) as call:
        changes = count_job_changes(call.session, context.job_id)
    context.finish(
        message=message(
            "done.changed", "{count:,} documents changed", one="{count:,} document changed", count=changes.documents
        ),
        result=changes._asdict(),
    )
