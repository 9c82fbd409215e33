"""Endpoints for the jobs of a project and of the whole installation."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import Rule, guarded, open_call, with_access_rule
from annotarium.access.request_limits import WAITS
from annotarium.domains.jobs import report, service
from annotarium.domains.jobs.schemas import JobItems, SherpaJobBean
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["jobs"])

StatusFilter = Annotated[str | None, Query(alias="statusFilter", description="Statuses, separated by commas")]
Description = Annotated[str, Query(alias="job_desc")]
Outcomes = Annotated[str | None, Query(description="Outcomes, separated by commas")]
Words = Annotated[str, Query(description="Words that item, document or message hold")]
DUMMY_TEXT = "All work and no play makes Jack a dull boy"

WAIT = Rule(project="read", write=False, effect="annotate", bounds=WAITS, pending_project=True)


@router.get("/jobs", response_model=list[SherpaJobBean], response_model_exclude_none=True)
@guarded("seeGlobalJobs", write=False)
def list_jobs(call: Call, status_filter: StatusFilter = None) -> list[dict[str, Any]]:
    """All jobs, newest first."""
    return service.list_jobs(call, status_filter)


@router.get("/jobs/{job_id}", response_model=SherpaJobBean, response_model_exclude_none=True)
@guarded(write=False, effect="annotate")
def read_job(call: Call, job_id: str) -> dict[str, Any]:
    """Read any job. The caller's own jobs need no permission."""
    return service.job_to_json(*service.find_global_job(call, job_id))


@router.delete("/jobs/{job_id}", response_model=SherpaJobBean, response_model_exclude_none=True)
@guarded()
def cancel_job(call: Call, job_id: str) -> dict[str, Any]:
    """Cancel any job. The caller's own jobs need no permission."""
    return service.cancel_job(call, job_id)


@router.post("/projects/{project_name}/job", response_model=SherpaJobBean, response_model_exclude_none=True)
@guarded("seeGlobalJobs", project="write")
def start_dummy_job(call: ProjectCall, job_desc: Description = DUMMY_TEXT, timeout: int = 60) -> dict[str, Any]:
    """Start a job that only counts for `timeout` seconds, to try out the job system."""
    return service.job_to_json(service.start_dummy_job(call, job_desc, timeout), call.project)


@router.get("/projects/{project_name}/jobs", response_model=list[SherpaJobBean], response_model_exclude_none=True)
@guarded(project="read", pending_project=True)
def list_project_jobs(call: ProjectCall, status_filter: StatusFilter = None) -> list[dict[str, Any]]:
    """Jobs of a project, newest first; without `seeProjectJobs` only the caller's own."""
    return service.list_project_jobs(call, status_filter)


@router.get("/projects/{project_name}/job/{job_id}", response_model=SherpaJobBean, response_model_exclude_none=True)
@guarded(project="read", effect="annotate", pending_project=True)
def read_project_job(call: ProjectCall, job_id: str) -> dict[str, Any]:
    """One job of a project."""
    return service.read_project_job(call, job_id)


@router.delete("/projects/{project_name}/job/{job_id}", response_model=SherpaJobBean, response_model_exclude_none=True)
@guarded(project="read", write=True, pending_project=True)
def cancel_project_job(call: ProjectCall, job_id: str) -> dict[str, Any]:
    """Cancel a job of a project."""
    return service.cancel_project_job(call, job_id)


@router.post(
    "/projects/{project_name}/job/{job_id}/_wait", response_model=SherpaJobBean, response_model_exclude_none=True
)
@with_access_rule(WAIT)
async def wait_for_project_job(request: Request, project_name: str, job_id: str) -> dict[str, Any]:
    """Respond when the job has ended. Nothing is sent before that, so the client needs a long timeout, or polls
    instead.

    Neither a transaction nor a thread is occupied while waiting.
    """

    def check() -> None:
        with open_call(request, WAIT) as call:
            assert isinstance(call, ProjectCall)
            service.find_project_job(call, job_id)

    await run_in_threadpool(check)
    return await service.wait_for_job_end(request, job_id)


@router.get("/projects/{project_name}/job/{job_id}/items", response_model_exclude_none=True)
@guarded(project="read", pending_project=True)
def read_job_items(
    call: ProjectCall,
    job_id: str,
    outcome: Outcomes = None,
    query: Words = "",
    start: Annotated[int, Query(alias="from", ge=0)] = 0,
    size: Annotated[int, Query(ge=0, le=1_000)] = 100,
) -> JobItems:
    """One page of the report of a job (extension)."""
    return report.read_report_page(call, job_id, report.parse_report_filter(outcome, query), start, size)


@router.get("/projects/{project_name}/job/{job_id}/items/_export", response_class=StreamingResponse)
@guarded(project="read")
def export_job_items(call: ProjectCall, job_id: str, outcome: Outcomes = None, query: Words = "") -> StreamingResponse:
    """The report of a job as CSV, streamed (extension)."""
    rows = report.report_as_csv(call, job_id, report.parse_report_filter(outcome, query))
    headers = {"content-disposition": f'attachment; filename="report-{job_id[:8]}.csv"'}
    return StreamingResponse(rows, media_type="text/csv; charset=utf-8", headers=headers)
