"""A sample project: one request, and a newcomer has documents, labels, a trained model and suggestions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PATH = "/api/projects/_sample"


def test_the_sample_is_filled_trained_and_has_suggestions(as_admin: Any, run_jobs: Callable[[], list[str]]) -> None:
    marie = as_admin
    answer = marie.post(PATH)
    assert answer.status_code == 200, answer.text
    project = f"/api/projects/{answer.json()['projectName']}"
    assert marie.get(f"{project}/job/{answer.json()['jobId']}").json()["type"] == "DOC_IMPORT"
    run_jobs()
    about = marie.get(f"{project}/_info", params={"computeMetrics": "true"}).json()
    assert about["documents"] == 120
    assert about["annotations"] > 50
    assert len(marie.get(f"{project}/labels").json()) > 3
    (experiment,) = marie.get(f"{project}/experiments").json()
    assert (experiment["models"], experiment["uptodate"]) == (1, True)
    (suggester,) = marie.get(f"{project}/suggesters").json()
    assert (suggester["models"], suggester["running"]) == (1, True)
    found = marie.get(f"{project}/suggestions", params={"from": 0, "size": 1}).json()["suggestions"]
    assert len(found) == 1


def test_two_samples_are_two_projects(as_user: Any, client: Any) -> None:
    marie = as_user(client, "marie", "ProjectManager")
    first, second = marie.post(PATH).json(), marie.post(PATH).json()
    assert first["projectName"] != second["projectName"]
    assert len(marie.get("/api/projects").json()) == 2


def test_who_may_use_no_learner_gets_the_documents(
    as_user: Any, client: Any, run_jobs: Callable[[], list[str]]
) -> None:
    paula = as_user(client, "paula", "createProject", "importDocuments")
    name = paula.post(PATH).json()["projectName"]
    run_jobs()
    about = paula.get(f"/api/projects/{name}/_info", params={"computeMetrics": "true"}).json()
    assert about["documents"] == 120
    assert paula.get(f"/api/projects/{name}/experiments").json() == []


def test_who_may_not_create_projects_gets_no_sample(as_user: Any, client: Any) -> None:
    assert client.post(PATH).status_code == 401
    nora = as_user(client, "nora", "Annotator")
    assert nora.post(PATH).status_code == 403
    assert nora.get("/api/projects").json() == []
