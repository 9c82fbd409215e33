"""Endpoints to recompute the segments of a project."""

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
    """Recompute the segments of all documents with the segmenter in the body, or else that of the project; returns the
    job.

    Annotations, categories and suggestions keep their offsets in the documents. The report of the job lists the
    documents in which some of them no longer coincide with, or lie within, one segment.
    """
    return job_to_json(service.start_recomputation(call, body.segmenter if body else None), call.project)


@router.post("/projects/{project_name}/segments/_preview_recompute", responses={200: {"model": Preview}})
@with_access_rule(PREVIEW, WAITS)
async def preview_recompute(
    request: Request,
    project_name: Annotated[str, Path(description="Name of the project")],
    body: Recompute | None = None,
) -> dict[str, Any]:
    """Preview the effect of recomputing segments on a random sample of documents. Changes nothing."""

    def start(call: ProjectCall) -> Job:
        return service.start_preview(call, body.segmenter if body else None)

    return await answer_with_result(request, PREVIEW, start)
