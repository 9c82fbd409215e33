"""Rules of jobs: who sees them and who cancels them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from annotarium.access.call import Call, ProjectCall
from annotarium.access.repository import PENDING_PROJECT_ID
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import Job, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.jobs import repository
from annotarium.errors import AccessDenied, InvalidInput, NotFound
from annotarium.jobs import cancellation
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.serializers import ENDED, STATUSES, job_to_json, project_name_and_label
from annotarium.registry.locales import language_of_header
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

__all__ = ["ENDED", "job_to_json", "mail_language", "request_cancel"]
SEE_PROJECT, SEE_ALL = "seeProjectJobs", "seeGlobalJobs"
DUMMY_SECONDS_MAX = 3_600
_FIRST_PAUSE, _LONGEST_PAUSE, _SHARE = 0.02, 0.5, 0.05


def _permission_missing_error(permission: str) -> AccessDenied:
    return AccessDenied(
        "Authorization has been denied.",
        cause=message("denied.permission", "You do not have the permission {name}", name=permission),
    )


def parse_job_statuses(text: str | None) -> list[str]:
    """Parse comma-separated statuses (C-083); empty = all.

    Raises:
        InvalidInput: a status does not exist.
    """
    wanted = [part.strip().upper() for part in (text or "").split(",") if part.strip()]
    unknown = [status for status in wanted if status not in STATUSES]
    if unknown:
        raise InvalidInput(
            message("none.jobStatus", "There is no job status {name}", name=unknown[0]),
            fix=f"Use {', '.join(STATUSES)}, separated by commas",
            details=[{"field": "statusFilter", "message": f"No such status: {status}"} for status in unknown],
        )
    return wanted


def list_project_jobs(call: ProjectCall, statuses: str | None) -> list[dict[str, Any]]:
    """Jobs of the project as JSON; without `seeProjectJobs` only the caller's own.

    For a project that is still being restored: the caller's own restoration jobs.
    """
    owner = None if call.access.can(SEE_PROJECT) else call.username
    if call.project.id == PENDING_PROJECT_ID:
        rows = repository.list_restoration_jobs(
            call.session, call.project.name, call.username, parse_job_statuses(statuses)
        )
        return _permitted_jobs_to_json(call, rows)
    rows = repository.list_project_jobs(call.session, call.project, parse_job_statuses(statuses), owner)
    return _permitted_jobs_to_json(call, rows)


def list_jobs(call: Call, statuses: str | None) -> list[dict[str, Any]]:
    """All jobs of the installation that are within the restriction of the call, as JSON."""
    return _permitted_jobs_to_json(call, repository.list_jobs(call.session, parse_job_statuses(statuses)))


def _permitted_jobs_to_json(call: Call, rows: Iterable[tuple[Job, Project | None]]) -> list[dict[str, Any]]:
    within = (row for row in rows if _is_within_restriction(call, *row))
    return convert_readable_rows(within, lambda row: job_to_json(*row), row_of=lambda row: row[0])


def _is_within_restriction(call: Call, job: Job, project: Project | None) -> bool:
    """Whether the call's restriction covers a job: it was started with the same restriction, or belongs to a readable
    project.

    An `annotate_only` restriction covers only the former.
    """
    restriction = call.access.restriction
    if restriction is None or (job.created_by == call.username and job.restriction == restriction.text):
        return True
    return project is not None and not restriction.annotate_only and call.access.rights_on(project).read


def find_project_job(call: ProjectCall, job_id: str) -> Job:
    """A job of the project that the caller may see: any job with `seeProjectJobs`, otherwise the caller's own.

    Raises:
        NotFound: the project has no such job, or it is outside the call's restriction.
        AccessDenied: it is another user's and the caller lacks `seeProjectJobs`.
    """
    found = repository.find_job(call.session, job_id)
    if found is None or not _belongs_to_project(call, found[0]) or not _is_within_restriction(call, *found):
        raise NotFound(message("none.job", "There is no job {name}", name=job_id))
    if found[0].created_by != call.username and not call.access.can(SEE_PROJECT):
        raise _permission_missing_error(SEE_PROJECT)
    return found[0]


def read_project_job(call: ProjectCall, job_id: str) -> dict[str, Any]:
    """The JSON of a job of the project; raises like `find_project_job`."""
    job = find_project_job(call, job_id)
    return job_to_json(job, call.project if job.project_id is not None else None)


def _belongs_to_project(call: ProjectCall, job: Job) -> bool:
    """Whether a job belongs to the project. The caller's own job that (unsuccessfully) restores it counts too."""
    if job.project_id is not None:
        return job.project_id == call.project.id
    return job.created_by == call.username and project_name_and_label(job, None)[0] == call.project.name


def find_global_job(call: Call, job_id: str) -> tuple[Job, Project | None]:
    """A job of any project or none: any job with `seeGlobalJobs`, otherwise the caller's own."""
    found = repository.find_job(call.session, job_id)
    if found is not None and not _is_within_restriction(call, *found):
        found = None
    if found is not None and (call.access.can(SEE_ALL) or found[0].created_by == call.username):
        return found
    if call.access.can(SEE_ALL):
        raise NotFound(message("none.job", "There is no job {name}", name=job_id))
    # Do not reveal whether the job exists.
    raise _permission_missing_error(SEE_ALL)


def mail_language(header: str, *, wanted: bool) -> str | None:
    """The language of the e-mail about a job (`start_job(mail_in=)`), None if none is wanted."""
    return language_of_header(header) if wanted else None


def request_cancel(call: Call, job_id: str) -> bool:
    """Request the cancellation of a job, in this transaction. A waiting job ends immediately, a running one within
    seconds.

    Checks no permission: that is up to the caller. Returns False if there is no such job or it has already ended.
    """
    return cancellation.request_job_cancellation(call.unit, job_id)


def cancel_project_job(call: ProjectCall, job_id: str) -> dict[str, Any]:
    """Cancel a job of the project: for its creator, and for users who see its jobs and may write the project."""
    job = find_project_job(call, job_id)
    if job.created_by != call.username and not call.access.rights_on(call.project).write:
        raise AccessDenied(message("denied.readOnly", "The project is read-only"))
    request_cancel(call, job.id)
    call.session.refresh(job)
    return job_to_json(job, call.project if job.project_id is not None else None)


def cancel_job(call: Call, job_id: str) -> dict[str, Any]:
    job, project = find_global_job(call, job_id)
    request_cancel(call, job.id)
    call.session.refresh(job)
    return job_to_json(job, project)


def start_dummy_job(call: ProjectCall, description: str, seconds: int) -> Job:
    """Start a job that only counts seconds, to try out the job system."""
    if not 0 <= seconds <= DUMMY_SECONDS_MAX:
        raise InvalidInput(
            message("wrong.timeout", "timeout must be between 0 and {most} seconds", most=DUMMY_SECONDS_MAX),
            details=[{"field": "timeout", "message": f"0 to {DUMMY_SECONDS_MAX}"}],
        )
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="count_seconds",
        arguments={"seconds": seconds},
        project=call.project,
        created_by=call.username,
        description=description[:500],
        total_steps=seconds,
    )


def read_job_json(job_id: str) -> dict[str, Any]:
    """The JSON of a job, read in its own transaction. Does not check permissions."""
    with unit_of_work(actor="", write=False) as unit:
        found = repository.find_job(unit.session, job_id)
        if found is None:
            raise NotFound(message("none.job", "There is no job {name}", name=job_id))
        return job_to_json(*found)


async def wait_for_job_end(request: Request, job_id: str) -> dict[str, Any]:
    """The JSON of a job after it has ended; its current state if the client disconnects or the job timeout elapses."""
    pause, waited = _FIRST_PAUSE, 0.0
    job = await run_in_threadpool(read_job_json, job_id)
    while job["status"] not in ENDED and waited < get_settings().job_timeout:
        await asyncio.sleep(pause)
        waited += pause
        # The pause is a share of the time waited so far, so the wait is at most a twentieth longer than the job.
        pause = min(max(_FIRST_PAUSE, waited * _SHARE), _LONGEST_PAUSE)
        if await request.is_disconnected():
            break
        job = await run_in_threadpool(read_job_json, job_id)
    return job
