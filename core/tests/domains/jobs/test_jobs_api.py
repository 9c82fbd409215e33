"""The API of jobs: who may see them, wait for them and stop them."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from annotarium.db.models import Job, JobItem, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs.context import JobContext, job_function
from annotarium.jobs.testing import run_pending_jobs

BEAN = {
    "id",
    "type",
    "status",
    "description",
    "project",
    "projectLabel",
    "createdBy",
    "createdAt",
    "currentStepCount",
    "totalStepCount",
    "uploadIds",
}


@pytest.fixture
def project(make_project: Any) -> Project:
    """Marie owns it, Paul reads it, Zoe has no access."""
    return make_project(owner="marie", readers=("paul",))  # type: ignore[no-any-return]


@pytest.fixture
def marie(client: Any, as_user: Any) -> Any:
    return as_user(client, "marie", "seeGlobalJobs", "seeProjectJobs")


def start(caller: Any, project: Project, seconds: int = 0) -> dict[str, Any]:
    answer = caller.post(f"/api/projects/{project.name}/job", params={"timeout": seconds, "job_desc": "try"})
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def add_job(project: Project, created_by: str, **columns: Any) -> str:
    with unit_of_work(actor="tests", write=True) as unit:
        values: dict[str, Any] = {"type": "DOC_IMPORT", "function": "none", "state": "done", "status": "COMPLETED"}
        job = Job(**(values | {"id": f"{time.time_ns():032d}", "project_id": project.id, "created_by": created_by}))
        for name, value in columns.items():
            setattr(job, name, value)
        unit.session.add(job)
        return job.id


def test_the_shape_of_a_job(marie: Any, project: Project) -> None:
    """C-083: published keys, milliseconds, STARTED first, COMPLETED at the end."""
    job = start(marie, project)
    assert set(job) == BEAN
    assert (job["status"], job["type"], job["project"], job["createdBy"]) == (
        "STARTED",
        "UNSPECIFIED",
        project.name,
        "marie",
    )
    assert abs(job["createdAt"] - time.time() * 1000) < 60_000
    run_pending_jobs()
    done = marie.get(f"/api/projects/{project.name}/job/{job['id']}").json()
    assert done["status"] == "COMPLETED"
    assert done["completedAt"] >= job["createdAt"]


def test_lists_are_filtered_by_comma_separated_statuses(marie: Any, project: Project) -> None:
    """C-083: the five statuses, no other; each job is found under its own."""
    ids = {status: add_job(project, "marie", status=status) for status in ("COMPLETED", "FAILED", "CANCELLED")}
    path = f"/api/projects/{project.name}/jobs"
    described = marie.get("/api/openapi.json").json()["components"]["schemas"]["SherpaJobBean"]["properties"]["status"]
    assert described["enum"] == ["STARTED", "PAUSED", "COMPLETED", "CANCELLED", "FAILED"]
    listed = marie.get(path, params={"statusFilter": "FAILED, CANCELLED"}).json()
    assert {job["id"] for job in listed} == {ids["FAILED"], ids["CANCELLED"]}
    assert [job["id"] for job in marie.get(path).json()] == [ids["CANCELLED"], ids["FAILED"], ids["COMPLETED"]]
    refused = marie.get(path, params={"statusFilter": "DONE"})
    assert refused.status_code == 400
    assert refused.json()["details"][0]["field"] == "statusFilter"
    everywhere = marie.get("/api/jobs", params={"statusFilter": "FAILED"}).json()
    assert ids["FAILED"] in {job["id"] for job in everywhere}
    paused = add_job(project, "marie", status="PAUSED", state="waiting")
    assert [job["id"] for job in marie.get(path, params={"statusFilter": "PAUSED"}).json()] == [paused]


def test_without_see_project_jobs_only_own_jobs_are_seen(client: Any, as_user: Any, project: Project) -> None:
    paul = as_user(client, "paul")
    others, own = add_job(project, "marie"), add_job(project, "paul")
    base = f"/api/projects/{project.name}"
    assert [job["id"] for job in paul.get(f"{base}/jobs").json()] == [own]
    assert paul.get(f"{base}/job/{own}").status_code == 200
    assert paul.post(f"{base}/job/{own}/_wait").status_code == 200
    assert paul.get(f"{base}/job/{own}/items").status_code == 200
    assert paul.get(f"{base}/job/{others}").status_code == 403
    assert paul.post(f"{base}/job/{others}/_wait").status_code == 403
    assert paul.get(f"{base}/job/{others}/items").status_code == 403
    assert paul.delete(f"{base}/job/{others}").status_code == 403
    paul = as_user(client, "paul", "seeProjectJobs")
    assert {job["id"] for job in paul.get(f"{base}/jobs").json()} == {own, others}
    assert paul.get(f"{base}/job/{others}").status_code == 200
    assert paul.delete(f"{base}/job/{others}").status_code == 403  # the project is read-only


def test_inaccessible_projects_and_jobs_return_404(
    client: Any, as_user: Any, make_project: Any, marie: Any, project: Project
) -> None:
    job_id = add_job(project, "marie")
    zoe = as_user(client, "zoe", "seeProjectJobs")
    assert zoe.get(f"/api/projects/{project.name}/job/{job_id}").status_code == 404
    other = make_project(owner="marie")
    assert marie.get(f"/api/projects/{other.name}/job/{job_id}").status_code == 404
    assert marie.get(f"/api/projects/{project.name}/job/nothing").status_code == 404


def test_global_jobs_require_their_permission(client: Any, as_user: Any, marie: Any, project: Project) -> None:
    own, others = add_job(project, "paul"), add_job(project, "marie")
    paul = as_user(client, "paul", "seeProjectJobs")
    assert paul.get("/api/jobs").status_code == 403
    assert paul.get(f"/api/jobs/{others}").status_code == 403
    assert paul.get("/api/jobs/nothing").status_code == 403
    assert paul.delete(f"/api/jobs/{others}").status_code == 403
    assert paul.get(f"/api/jobs/{own}").status_code == 200
    assert marie.get(f"/api/jobs/{own}").status_code == 200
    assert marie.get("/api/jobs/nothing").status_code == 404
    assert client.get("/api/jobs").status_code == 401


def test_the_trial_job_requires_platform_permission_and_is_limited(
    client: Any, as_user: Any, marie: Any, project: Project
) -> None:
    path = f"/api/projects/{project.name}/job"
    assert as_user(client, "paul", "seeGlobalJobs").post(path).status_code == 403  # no write access to the project
    assert as_user(client, "marie").post(path).status_code == 403
    marie = as_user(client, "marie", "seeGlobalJobs")
    for seconds in (-1, 3601):
        assert marie.post(path, params={"timeout": seconds}).status_code == 400


@pytest.mark.parametrize("where", ["project", "everywhere"])
def test_a_waiting_job_is_cancelled_immediately_and_never_runs(marie: Any, project: Project, where: str) -> None:
    job = start(marie, project, seconds=3600)
    path = f"/api/projects/{project.name}/job/{job['id']}" if where == "project" else f"/api/jobs/{job['id']}"
    answer = marie.delete(path)
    assert answer.status_code == 200
    assert answer.json()["status"] == "CANCELLED"
    assert job["id"] not in run_pending_jobs()
    assert marie.delete(path).json()["status"] == "CANCELLED"


def test_waiting_returns_when_the_job_has_ended(marie: Any, project: Project) -> None:
    job = start(marie, project, seconds=1)
    worker = threading.Timer(0.3, run_pending_jobs)
    worker.start()
    answer = marie.post(f"/api/projects/{project.name}/job/{job['id']}/_wait")
    worker.join()
    assert answer.json()["status"] == "COMPLETED"
    assert answer.json()["statusMessage"] == "1 second counted"


def test_the_report_is_paged(marie: Any, project: Project) -> None:
    job_id = add_job(project, "marie")
    with unit_of_work(actor="tests", write=True) as unit:
        for number in range(25):
            outcome = "refused" if number % 5 == 0 else "imported"
            unit.session.add(
                JobItem(
                    job_id=job_id,
                    item=f"file-{number}.txt",
                    ordinal=number,
                    outcome=outcome,
                    message="empty" if outcome == "refused" else None,
                )
            )
    path = f"/api/projects/{project.name}/job/{job_id}/items"
    page = marie.get(path, params={"from": 10, "size": 5}).json()
    assert [line["item"] for line in page["items"]] == [f"file-{number}.txt" for number in range(10, 15)]
    assert (page["total"], page["outcomes"]) == (25, {"imported": 20, "refused": 5})
    refused = marie.get(path, params={"outcome": "refused"}).json()
    assert refused["total"] == 5
    assert refused["items"][1] == {"item": "file-5.txt", "outcome": "refused", "message": "empty"}


def test_a_failure_reaches_the_caller_with_a_message(marie: Any, project: Project) -> None:
    """E-025 requires the message."""

    @job_function("test_api_failure")
    def fail(context: JobContext) -> None:
        raise ValueError("internals")

    job_id = add_job(
        project, "marie", state="waiting", status="STARTED", function="test_api_failure", type="EXPERIMENT_TRAINING"
    )
    run_pending_jobs()
    job = marie.get(f"/api/projects/{project.name}/job/{job_id}").json()
    assert (job["status"], job["statusMessage"]) == ("FAILED", "Unexpected error.")
    assert {"code", "message", "cause", "fix", "errorId"} <= set(job["error"])
    assert "internals" not in str(job)


def test_interactive_jobs_are_not_listed(marie: Any, project: Project) -> None:
    answer = add_job(project, "marie", queue="interactive")
    listed = add_job(project, "marie")
    for path in (f"/api/projects/{project.name}/jobs", "/api/jobs"):
        ids = [job["id"] for job in marie.get(path).json()]
        assert listed in ids
        assert answer not in ids
    assert marie.get(f"/api/projects/{project.name}/job/{answer}").json()["id"] == answer
