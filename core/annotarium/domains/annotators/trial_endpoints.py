"""Endpoint that tries a plan: the result after each step; nothing is stored."""

from __future__ import annotations

from dataclasses import replace

from fastapi import Request
from fastapi.responses import Response

from annotarium.access.call import ProjectCall
from annotarium.access.guard import with_access_rule
from annotarium.db.models import Job
from annotarium.domains.annotators import trials
from annotarium.domains.annotators.responses import ANNOTATE, ProjectPath, json_response, wait_for_job_result
from annotarium.domains.annotators.schemas import PlanTrial, PlanTrialRequest
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["plans"])
TRY = replace(ANNOTATE, effect="read")
"""As annotating, but the answer may hold a document, so that tokens for annotating only are refused."""


@router.post("/projects/{project_name}/plans/_try", responses={200: {"model": PlanTrial}})
@with_access_rule(TRY)
async def try_plan(request: Request, project_name: ProjectPath, body: PlanTrialRequest) -> Response:
    """Run a plan, stored or not, on a text or a document; returns what each step added and removed, and its time."""

    def start(call: ProjectCall) -> Job:
        return trials.start_trial(call, body)

    return await json_response(await wait_for_job_result(request, TRY, start))
