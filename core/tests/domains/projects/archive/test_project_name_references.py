"""The components of a restored project refer to the restored project, and its restoration is a job of that project."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.factories import Corpus, document
from support.project_archives import export_project, import_project, upload_archive

from annotarium.db.models import Experiment, Job, Plan, Project, Suggester
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.projects.archive.project_name_references import NAMING, rename_project_references
from annotarium.domains.projects.archive.repository import table_of


@pytest.fixture
def full(corpus: Corpus) -> Corpus:
    corpus.add(document("a", "Rome is a city.", ("Rome", "city")))
    return corpus


def _with_plan(corpus: Corpus, *projects: str | None) -> None:
    """Add a plan whose steps name these projects, and an experiment and a suggester that chain one of each."""
    steps = [{"annotator": "crf", "parameters": {}} | ({"projectName": one} if one else {}) for one in projects]
    chained: dict[str, Any] = {"chained": [{"annotator": "crf", "project_name": one} for one in projects]}
    with unit_of_work(actor="", write=True) as unit:
        own = {"project_id": corpus.project.id, "name": "one", "label": "One"}
        unit.session.add(Plan(**own, parameters={"pipeline": steps}))
        unit.session.add(Experiment(**own, engine="crf", parameters=chained))
        unit.session.add(Suggester(**own, engine="margin", parameters=chained))


def _named(name: str) -> list[list[str | None]]:
    """The projects that the plan, the experiment and the suggester of a project name."""
    with unit_of_work(actor="", write=False) as unit:
        project = unit.session.query(Project).filter_by(name=name).one()
        kinds = (Plan, Experiment, Suggester)
        found = [unit.session.query(one).filter_by(project_id=project.id).one() for one in kinds]
        plan, *others = (one.parameters for one in found)
        named = [[step.get("projectName") for step in plan["pipeline"]]]
        return named + [[step["project_name"] for step in one["chained"]] for one in others]


def test_references_to_the_own_project_are_renamed_and_those_to_others_stay(full: Corpus) -> None:
    """V-036: the copy runs its own model, not that of the original project."""
    own = full.project.name
    _with_plan(full, own, "another-project", None)
    name, job = import_project(full, export_project(full))
    assert job["status"] == "COMPLETED", job
    assert name != own
    assert _named(name) == [[name, "another-project", None]] * 3
    assert _named(own) == [[own, "another-project", None]] * 3


def test_a_project_restored_over_another_refers_to_its_new_name(
    full: Corpus, make_project: Callable[..., Project]
) -> None:
    _with_plan(full, full.project.name)
    place = Corpus(full.caller, make_project(lang="en"), full.run_jobs)
    started = place.post("/_restore", files={"file": ("x.spa", export_project(full))})
    full.run_jobs()
    assert full.caller.get(f"/api/jobs/{started['id']}").json()["status"] == "COMPLETED"
    assert _named(place.project.name) == [[place.project.name]] * 3


def test_only_fields_that_name_projects_are_renamed_however_deep() -> None:
    """A text that equals the name stays; the nesting may be deeper than the call stack allows."""
    value: Any = {"projectName": "old", "label": "old", "text": ["old"]}
    for _ in range(5_000):
        value = [{"inner": value}]
    row = {"parameters": value, "tags": ["old"], "name": "old", "label": "old"}
    rename_project_references(row, table_of(Plan), "old", "new")
    assert (row["name"], row["label"], row["tags"]) == ("old", "old", ["old"])
    for _ in range(5_000):
        value = value[0]["inner"]
    assert value == {"projectName": "new", "label": "old", "text": ["old"]}
    assert {"projectName", "project_name"} == NAMING


def _start(corpus: Corpus, data: bytes, **parameters: Any) -> dict[str, Any]:
    body = {"id": upload_archive(corpus.caller, data), "filename": "archive.spa"}
    answer = corpus.caller.post("/api/projects/_load", json=body, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def _assert_job_belongs_to_project(caller: Any, name: str, job: str, status: str) -> None:
    """Check that the job is read, listed and waited for in its project, and that it names this project everywhere."""
    path = f"/api/projects/{name}"
    read = caller.get(f"{path}/job/{job}")
    assert read.status_code == 200, read.text
    beans = [read.json(), caller.get(f"/api/jobs/{job}").json()]
    beans += [one for one in caller.get(f"{path}/jobs").json() if one["id"] == job]
    if status != "STARTED":
        beans.append(caller.post(f"{path}/job/{job}/_wait").json())
    assert len(beans) == (3 if status == "STARTED" else 4)
    for bean in beans:
        assert (bean["project"], bean["projectLabel"], bean["status"]) == (name, "Restored", status)


def test_the_job_of_a_restoration_belongs_to_its_project(full: Corpus, as_user: Any, client: Any) -> None:
    """C-082: the job that `create_project_from_archive` of the published client returns can be waited for under its
    project.
    """
    data = export_project(full)
    started = _start(full, data, projectName="restored-one", projectLabel="Restored")
    assert (started["project"], started["projectLabel"]) == ("restored-one", "Restored")
    stranger = as_user(client, "paul", "seeProjectJobs")
    _assert_job_belongs_to_project(full.caller, "restored-one", started["id"], "STARTED")
    assert stranger.get(f"/api/projects/restored-one/job/{started['id']}").status_code == 404
    assert stranger.get("/api/projects/restored-one/jobs").status_code == 404
    assert full.caller.get("/api/projects/restored-one/documents").status_code == 404
    full.run_jobs()
    _assert_job_belongs_to_project(full.caller, "restored-one", started["id"], "COMPLETED")
    assert full.caller.get("/api/projects/restored-one/documents").json()[0]["identifier"] == "a"
    assert stranger.get(f"/api/projects/restored-one/job/{started['id']}").status_code == 404


def test_a_failed_restoration_job_belongs_to_the_intended_project(full: Corpus) -> None:
    """Its caller can read its message; it is not listed among the jobs of a later project of that name."""
    data = export_project(full)
    started = _start(full, data[: len(data) - 200] + data[-200:], projectName="never", projectLabel="Restored")
    with unit_of_work(actor="", write=True) as unit:
        job = unit.session.get_one(Job, started["id"])
        job.arguments = job.arguments | {"upload_id": "0" * 32}
    full.run_jobs()
    _assert_job_belongs_to_project(full.caller, "never", started["id"], "FAILED")
    made = full.caller.post("/api/projects", json={"label": "Never", "name": "never"})
    assert made.status_code == 200, made.text
    assert full.caller.get("/api/projects/never/jobs").json() == []
    assert full.caller.get(f"/api/projects/never/job/{started['id']}").json()["status"] == "FAILED"


def test_a_cancelled_restoration_job_belongs_to_the_intended_project(full: Corpus) -> None:
    started = _start(full, export_project(full), projectName="stopped", projectLabel="Restored")
    ended = full.caller.delete(f"/api/projects/stopped/job/{started['id']}").json()
    assert (ended["status"], ended["project"]) == ("CANCELLED", "stopped")
    _assert_job_belongs_to_project(full.caller, "stopped", started["id"], "CANCELLED")


def test_a_restoration_in_place_is_a_job_of_that_project(full: Corpus) -> None:
    data = export_project(full)
    started = full.post("/_restore", files={"file": ("x.spa", data)})
    assert full.get(f"/job/{started['id']}")["status"] == "STARTED"
    full.run_jobs()
    assert full.get(f"/job/{started['id']}")["status"] == "COMPLETED"
    assert started["id"] in {one["id"] for one in full.get("/jobs")}
    assert full.caller.get(f"/api/jobs/{started['id']}").json()["project"] == full.project.name
