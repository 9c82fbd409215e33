"""Answers of calls that start a job: the job at once, or once it ended (`wait=true`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import Call
from annotarium.access.guard import Rule, open_call
from annotarium.db.models import Job, Project
from annotarium.db.unit import unit_of_work
from annotarium.jobs.bean import ENDED, job_bean
from annotarium.settings import get_settings

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5


async def answer_with_job(
    request: Request, rule: Rule, start: Callable[[Any], Job], *, wait: bool = False
) -> dict[str, Any]:
    """Start a job in a transaction of its own and answer its bean; no transaction is held while waiting."""

    def run() -> tuple[str, dict[str, Any]]:
        with open_call(request, rule) as call:
            job = start(call)
            call.session.flush()
            return job.id, _bean(call, job)

    job_id, bean = await run_in_threadpool(run)
    return await wait_for_job(request, job_id) if wait else bean


def _bean(call: Call, job: Job) -> dict[str, Any]:
    project = call.session.get(Project, job.project_id) if job.project_id is not None else None
    return job_bean(job, project)


def _read(job_id: str) -> dict[str, Any]:
    with unit_of_work(actor="", write=False) as unit:
        job = unit.session.get_one(Job, job_id)
        project = unit.session.get(Project, job.project_id) if job.project_id is not None else None
        return job_bean(job, project)


async def wait_for_job(request: Request, job_id: str) -> dict[str, Any]:
    """The bean of a job once it ended, its present one when the client has gone or the job's time is over."""
    pause, waited = _FIRST_PAUSE, 0.0
    bean = await run_in_threadpool(_read, job_id)
    while bean["status"] not in ENDED and waited < get_settings().job_timeout:
        await asyncio.sleep(pause)
        waited, pause = waited + pause, min(pause * 1.5, _LONGEST_PAUSE)
        if await request.is_disconnected():
            break
        bean = await run_in_threadpool(_read, job_id)
    return bean
