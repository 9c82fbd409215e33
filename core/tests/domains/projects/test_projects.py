"""Projects through the API: creation, lists by permission, settings, split, shares, ownership."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from annotarium.db.models import Document, Group, LabelSet, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs.run import run_job


@pytest.fixture(autouse=True)
def _jobs_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))


@pytest.fixture
def marie(as_user: Any, client: Any) -> Any:
    return as_user(client, "marie", "ProjectManager")


def create(caller: Any, **body: Any) -> str:
    answer = caller.post("/api/projects", json=body)
    assert answer.status_code == 200, answer.text
    name: str = answer.json()["projectName"]
    return name


def test_a_created_project_has_the_given_settings(marie: Any) -> None:
    name = create(
        marie,
        label="Été à Zürich",
        lang="de",
        nature="classification",
        description="Notes",
        imageUrl="https://a.example/b.png",
    )
    assert name == "ete_a_zurich"
    bean = marie.get(f"/api/projects/{name}/_info", params={"computeMetrics": "true"}).json()
    expected = {
        "label": "Été à Zürich",
        "lang": "de",
        "nature": "classification",
        "description": "Notes",
        "image": "https://a.example/b.png",
        "owner": {"username": "marie", "profilename": "Marie"},
        "private": True,
        "shared": False,
        "readOnly": False,
        "hasSplit": False,
        "collaborativeAnnotation": True,
        "classification": {"exclusive_classes": True},
        "engines": [],
        "documents": 0,
        "segments": 0,
        "annotations": 0,
        "categories": 0,
    }
    assert expected.items() <= bean.items()
    with unit_of_work(actor="", write=False) as unit:
        project = unit.session.scalars(select(Project).where(Project.name == name)).one()
        label_set = unit.session.scalars(select(LabelSet).where(LabelSet.project_id == project.id)).one()
        assert (label_set.name, label_set.exclusive_classes) == ("default", True)


def test_a_project_is_english_by_default_and_may_be_multilingual(marie: Any) -> None:
    """C-057"""
    names = [create(marie, label="Press"), create(marie, label="Posts", lang="xx")]
    assert [marie.get(f"/api/projects/{name}/_info").json()["lang"] for name in names] == ["en", "xx"]


def test_names_are_unique_and_labels_bounded(marie: Any) -> None:
    """C-043, V-006."""
    first, second = create(marie, label="Same"), create(marie, label="Same")
    assert first != second
    assert marie.post("/api/projects", json={"label": "Other", "name": first}).status_code == 409
    assert marie.delete(f"/api/projects/{first}").json() == {"ok": True}
    assert marie.get(f"/api/projects/{first}/_info").status_code == 404
    assert marie.post("/api/projects", json={"label": "Other", "name": first}).status_code == 200
    assert marie.post("/api/projects", json={"label": "x" * 30}).status_code == 200
    for label in ("x" * 31, "  ", None):
        assert marie.post("/api/projects", json={"label": label}).status_code == 400
    unknown = marie.post("/api/projects", json={"label": "Fine", "ownerId": 1})
    assert unknown.status_code == 400
    assert "ownerId" in unknown.json()["message"]


def test_list_contains_only_readable_projects(
    as_user: Any, client: Any, make_project: Callable[..., Project], as_admin: Any
) -> None:
    make_project("own", owner="lea", group="press")
    make_project("read-only", owner="marie", readers=("lea",))
    make_project("written", owner="marie", writers=("lea",))
    make_project("by-group", owner="marie", group_readers=("press",))
    make_project("hidden", owner="marie")
    lea = as_user(client, "lea", "Reader", groups=("press",))
    found = {bean["name"]: bean for bean in lea.get("/api/projects").json()}
    assert set(found) == {"own", "read-only", "written", "by-group"}
    assert {name: bean["readOnly"] for name, bean in found.items()} == {
        "own": False,
        "read-only": True,
        "written": False,
        "by-group": True,
    }
    assert found["own"]["private"]
    assert not found["by-group"]["private"]
    assert "documents" not in found["own"]
    assert "owner" not in found["own"]
    assert [bean["name"] for bean in lea.get("/api/projects?groupName=press").json()] == ["own"]
    assert [bean["name"] for bean in lea.get("/api/projects?username=lea").json()] == ["own"]
    counted = lea.get("/api/projects?estimatedCounts=true&computeOwners=true&username=lea").json()[0]
    assert (counted["documents"], counted["owner"]["username"]) == (0, "lea")
    assert {"own", "hidden"} <= {bean["name"] for bean in as_admin.get("/api/projects").json()}
    assert client.get("/api/projects").status_code == 401


def test_creation_requires_the_permission_and_a_group_among_several(as_user: Any, client: Any) -> None:
    """V-007; C-041: maxProjects."""
    reader = as_user(client, "rita", "Reader")
    assert reader.post("/api/projects", json={"label": "No"}).status_code == 403
    both = as_user(client, "bob", "ProjectManager", groups=("press", "radio"))
    assert both.post("/api/projects", json={"label": "Which"}).status_code == 400
    assert both.post("/api/projects?groupName=unknown", json={"label": "Which"}).status_code == 404
    answer = both.post("/api/projects?groupName=radio", json={"label": "Which"})
    bean = both.get(f"/api/projects/{answer.json()['projectName']}/_info").json()
    assert bean["group"] == {"name": "radio", "label": "Radio"}
    with unit_of_work(actor="", write=True) as unit:
        unit.session.scalars(select(Group).where(Group.name == "radio")).one().max_projects = 1
    full = both.post("/api/projects?groupName=radio", json={"label": "More"})
    assert full.status_code == 409
    assert "already has its maximum of 1 projects" in full.json()["message"]


def test_valid_settings_are_changed_and_invalid_ones_refused(marie: Any, as_user: Any, client: Any) -> None:
    name = create(marie, label="Settings")
    path = f"/api/projects/{name}/config"
    patch = {
        "label": "Renamed",
        "markdownContent": True,
        "replaceCarriageReturns": True,
        "cleanHtml": True,
        "collaborativeAnnotation": False,
        "routeOnOpenProject": "/explore",
        "classification": {"exclusive_classes": False},
        "metafacets": ["year"],
    }
    headers = {"content-type": "application/merge-patch+json"}
    assert marie.patch(path, json=patch, headers=headers).status_code == 204
    assert patch.items() <= marie.get(path).json().items()
    assert marie.patch(path, json={"lang": "fr"}).status_code == 400
    assert marie.patch(path, json={"imageUrl": "file:///etc/passwd"}).status_code == 400
    assert marie.patch(path, json={"imageId": "0" * 32}).status_code == 400
    writer = as_user(client, "wim", "Annotator", groups=("desk",))
    marie = as_user(client, "marie", "ProjectManager", groups=("desk",))
    marie.post(f"/api/projects/{name}/shares/users?username=wim", json={"read": True, "write": True})
    assert writer.patch(path, json={"label": "Mine"}).status_code == 403


def _splits(project: Project) -> dict[str, str | None]:
    with unit_of_work(actor="", write=False) as unit:
        rows = unit.session.scalars(select(Document).where(Document.project_id == project.id))
        return {row.identifier: row.split for row in rows}


def _add(project: Project, names: range) -> None:
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add_all(Document(project_id=project.id, identifier=str(name), text="t") for name in names)


def test_split_of_the_corpus(marie: Any, make_project: Callable[..., Project]) -> None:
    project = make_project(owner="marie")
    _add(project, range(50))
    path = f"/api/projects/{project.name}/_split_corpus"
    assert marie.post(path, params={"testSize": "0.2"}).status_code == 204
    first = _splits(project)
    assert list(first.values()).count("test") == 10
    assert marie.get(f"/api/projects/{project.name}/_info").json()["hasSplit"] is True
    _add(project, range(50, 100))
    marie.post(path, params={"testSize": "0.2", "incremental": "true"})
    second = _splits(project)
    assert {name: second[name] for name in first} == first
    assert list(second.values()).count("test") == 20
    marie.post(path, params={"testSize": "0.5"})
    assert list(_splits(project).values()).count("test") == 50
    for wrong in ("0", "1", "-1", "nan"):
        assert marie.post(path, params={"testSize": wrong}).status_code == 400


def test_reindexing_is_a_job(marie: Any, make_project: Callable[..., Project], as_admin: Any) -> None:
    project = make_project(owner="marie")
    job = marie.post(f"/api/projects/{project.name}/_reindex?wait=true").json()
    assert (job["type"], job["status"], job["project"]) == ("PROJECT_INDEXING", "COMPLETED", project.name)
    assert marie.post("/api/projects/_reindex").status_code == 403
    assert as_admin.post("/api/projects/_reindex?wait=true").json()["type"] == "PROJECTS_INDEXING"


def test_shares_grant_and_revoke_access(marie: Any, as_user: Any, client: Any) -> None:
    name = create(marie, label="Shared")
    marie = as_user(client, "marie", "ProjectManager", groups=("press",))
    paul = as_user(client, "paul", "Reader", groups=("press",))
    info, users, groups = (f"/api/projects/{name}/{part}" for part in ("_info", "shares/users", "shares/groups"))
    assert paul.get(info).status_code == 404
    assert marie.post(f"{users}?username=paul", json={"read": True, "write": False}).status_code == 204
    assert paul.get(info).json()["readOnly"] is True
    assert marie.get(users).json() == [
        {"username": "paul", "mode": {"read": True, "write": False}, "canRevoke": True, "sharedBy": "marie"}
    ]
    assert paul.get(users).json()[0]["canRevoke"] is False
    assert paul.post(f"{users}?username=paul", json={"read": True, "write": True}).status_code == 403
    assert marie.post(f"{users}?username=paul", json={"read": False, "write": True}).status_code == 204
    assert paul.get(info).json()["readOnly"] is False
    assert paul.post(f"{users}?username=paul", json={"read": True, "write": True}).status_code == 403
    assert marie.delete(f"{users}/paul").status_code == 204
    assert paul.get(info).status_code == 404
    assert marie.post(f"{groups}?groupName=press", json={"read": True, "write": False}).status_code == 204
    assert paul.get(info).status_code == 200
    assert marie.get(groups).json()[0]["groupName"] == "press"
    assert marie.delete(f"{groups}/press").status_code == 204
    assert paul.get(info).status_code == 404
    assert marie.delete(f"{groups}/press").status_code == 404
    assert marie.post(f"{users}?username=nobody", json={"read": True, "write": False}).status_code == 404
    assert marie.post(f"{users}?username=paul", json={"read": False, "write": False}).status_code == 400
    assert marie.post(groups, json={"read": True, "write": False}).status_code == 400
    as_user(client, "marie", "ProjectManager")


def test_owner_and_group_can_be_changed(marie: Any, as_user: Any, client: Any) -> None:
    """Conflict 18 of the contract: `_chgrp` is supported."""
    name = create(marie, label="Given away")
    marie = as_user(client, "marie", "ProjectManager", groups=("press",))
    paul = as_user(client, "paul", "ProjectManager", groups=("press",))
    path = f"/api/projects/{name}"
    assert marie.post(f"{path}/_chown?username=paul&dryRun=true").json() == {"username": "paul", "groupName": "press"}
    assert marie.get(f"{path}/_info").status_code == 200
    assert marie.post(f"{path}/_chown?username=paul").status_code == 200
    assert marie.get(f"{path}/_info").status_code == 404
    bean = paul.get(f"{path}/_info").json()
    assert (bean["owner"]["username"], bean["group"]["name"]) == ("paul", "press")
    paul = as_user(client, "paul", "ProjectManager", groups=("press", "cinema"))
    paul.post(f"{path}/shares/users?username=marie", json={"read": True, "write": True})
    assert marie.post(f"{path}/_chown?username=marie").status_code == 403
    assert marie.post(f"{path}/_chgrp?groupName=press").status_code == 403
    answer = paul.post(
        f"{path}/_chgrp?groupName=cinema&deleteExistingUserShares=true&shareWithNewGroup=true&readOnlyShare=true"
    )
    assert answer.json() == {"username": "paul", "groupName": "cinema"}
    assert paul.get(f"{path}/shares/users").json() == []
    assert paul.get(f"{path}/shares/groups").json()[0]["mode"] == {"read": True, "write": False}
    assert paul.post(f"{path}/_chgrp?groupName=elsewhere").status_code == 404
