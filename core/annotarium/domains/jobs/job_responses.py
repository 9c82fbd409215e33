"""Responses of calls that start a job: the job as it starts, or after it has ended (`wait=true`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import Call
from annotarium.access.guard import Rule, open_call
from annotarium.db.models import Job, Project
from annotarium.domains.jobs.service import wait_for_job_end
from annotarium.errors import AnnotariumError
from annotarium.jobs.serializers import job_to_json

Wait = Annotated[
    bool,
    Query(
        description="Answer when the job has ended. Nothing is sent until then, so a client that gives up after some "
        "seconds without an answer leaves it out and asks for the job: one that was started goes on without its client."
    ),
]


async def answer_with_job(
    request: Request, rule: Rule, start: Callable[[Any], Job], *, wait: bool = False
) -> dict[str, Any]:
    """Start a job in its own transaction and return it as JSON. No transaction is open while waiting for its end.

    Args:
        wait: return the job after it has ended.
    """

    def run() -> tuple[str, dict[str, Any]]:
        with open_call(request, rule) as call:
            job = start(call)
            call.session.flush()
            return job.id, _job_json(call, job)

    job_id, job_json = await run_in_threadpool(run)
    return await wait_for_job_end(request, job_id) if wait else job_json


async def answer_with_result(request: Request, rule: Rule, start: Callable[[Any], Job]) -> dict[str, Any]:
    """Start a job that the caller waits for and return its result.

    Raises:
        AnnotariumError: the job failed; with its status, error code and details.
    """
    job_json = await answer_with_job(request, rule, start, wait=True)
    if job_json["status"] == "FAILED":
        raise _error_of_failed_job(job_json.get("error") or {})
    result: dict[str, Any] = job_json.get("result") or {}
    return result


def _error_of_failed_job(error: dict[str, Any]) -> AnnotariumError:
    failure = AnnotariumError(error.get("message", "The job failed"), cause=error.get("cause"))
    failure.status = error.get("code", 500)
    failure.error = error.get("error", "unexpected")
    failure.fix = error.get("fix")
    failure.details = error.get("details") or []
    return failure


def _job_json(call: Call, job: Job) -> dict[str, Any]:
    project = call.session.get(Project, job.project_id) if job.project_id is not None else None
    return job_to_json(job, project)
