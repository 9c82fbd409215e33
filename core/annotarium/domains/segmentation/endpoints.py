"""Segmentation: computing the segments of a project again."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Request

from annotarium.access.call import ProjectCall
from annotarium.access.guard import Rule, guarded, with_access_rule
from annotarium.access.request_limits import WAITS
from annotarium.db.models import Job
from annotarium.domains.jobs.job_responses import answer_with_result
from annotarium.domains.jobs.schemas import SherpaJobBean
from annotarium.domains.segmentation import service
from annotarium.domains.segmentation.schemas import Preview, Recompute
from annotarium.http.routing import DomainRouter
from annotarium.jobs.serializers import job_to_json

router = DomainRouter(tags=["segments"])
PREVIEW = Rule(("changeProjectConfig",), project="write", owner=True)


@router.post("/projects/{project_name}/segments/_recompute", responses={200: {"model": SherpaJobBean}})
@guarded("changeProjectConfig", project="write", owner=True)
def recompute_segments(call: ProjectCall, body: Recompute | None = None) -> dict[str, Any]:
    """Cut all documents anew, as the project is set or as the body says; the answer is the job.

    Annotations, categories and suggestions stay at their places in the documents. The report of the job names the
    documents in which some of them are no longer on one segment.
    """
    return job_to_json(service.start_recomputation(call, body.segmenter if body else None), call.project)


@router.post("/projects/{project_name}/segments/_preview_recompute", responses={200: {"model": Preview}})
@with_access_rule(PREVIEW, WAITS)
async def preview_recompute(
    request: Request,
    project_name: Annotated[str, Path(description="Name of the project")],
    body: Recompute | None = None,
) -> dict[str, Any]:
    """What computing the segments again would do, tried on documents drawn at random. Nothing is changed."""

    def start(call: ProjectCall) -> Job:
        return service.start_preview(call, body.segmenter if body else None)

    return await answer_with_result(request, PREVIEW, start)
