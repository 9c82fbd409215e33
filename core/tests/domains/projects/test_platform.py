"""Operations on the whole server, through the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotarium.db.models import Project

MakeProject = Callable[..., Project]


def migration(**receive: list[str]) -> dict[str, Any]:
    return {"migration": {"operations": [{"users": {"username": "lea"}, "receive": receive}]}}


def test_owners_of_several_projects_are_changed_in_one_call(
    as_user: Any, as_admin: Any, client: Any, make_project: MakeProject
) -> None:
    as_user(client, "lea", "Reader", groups=("press",))
    make_project("given", owner="marie", group="radio")
    make_project("read", owner="marie")
    body = migration(ownership=["given", "absent"], readAccess=["read"])
    path = "/api/projects/_batch_chown_and_share"
    planned = as_admin.post(path, json=body, params={"dryRun": True}).json()
    assert planned["ownershipChanges"] == [
        {
            "projectName": "given",
            "from": {"username": "marie", "groupName": "radio"},
            "to": {"username": "lea", "groupName": "press"},
        }
    ]
    assert planned["errors"]["missingProject"] == ["absent"]
    lea = as_user(client, "lea", "Reader", groups=("press",))
    assert [bean["name"] for bean in lea.get("/api/projects").json()] == []
    assert as_admin.post(path, json=body).json() == planned
    assert {bean["name"]: bean["readOnly"] for bean in lea.get("/api/projects").json()} == {
        "given": False,
        "read": True,
    }
    marie = as_user(client, "marie", "ProjectManager")
    shares = marie.get("/api/projects/given/shares/users").json()
    assert [(share["username"], share["mode"]["write"]) for share in shares] == [("marie", True)]


def test_invalid_filters_change_no_owner(as_admin: Any, client: Any, make_project: MakeProject) -> None:
    make_project("kept", owner="marie")
    for condition in ({"$where": "1"}, {"username": {"$regex": "."}}, {"password": "x"}):
        body = migration(ownership=["kept"])
        body["migration"]["operations"][0]["users"] = condition
        assert as_admin.post("/api/projects/_batch_chown_and_share", json=body).status_code == 400
    nobody = migration(ownership=["kept"])
    nobody["migration"]["operations"][0]["users"] = {}
    answer = as_admin.post("/api/projects/_batch_chown_and_share", json=nobody).json()
    assert (answer["ownershipChanges"], answer["errors"]["missingProjectOwner"]) == ([], ["kept"])


def test_operations_on_project_databases_are_emulated(
    as_admin: Any, as_user: Any, client: Any, make_project: MakeProject
) -> None:
    make_project("running")
    deployed = as_admin.post("/api/projects/_deploy", params={"projectName": "running"})
    assert deployed.json() == {"projectName": "running", "status": "deployed"}
    assert as_admin.post("/api/projects/_deploy", params={"projectName": "absent"}).status_code == 404
    stopped = as_admin.post("/api/projects/_undeploy", params={"projectName": "running"})
    assert (stopped.status_code, "as long as the server" in stopped.json()["message"]) == (409, True)
    names = {"databases": ["a", "b"]}
    assert as_admin.post("/api/projects/_enroll_databases", json=names).json() == names
    assert as_admin.get("/api/_external_resources").json() == {"indexes": [], "databases": []}
    failed = as_admin.request("DELETE", "/api/_external_resources", json=names | {"indexes": ["c"]})
    assert failed.json() == names | {"indexes": ["c"]}
    assert as_admin.get("/api/app_state").json()["projects"] >= 1
    manager = as_user(client, "mona", "ProjectManager")
    for method, path in (
        ("POST", "projects/_batch_chown_and_share"),
        ("POST", "projects/_deploy?projectName=running"),
        ("POST", "projects/_undeploy?projectName=running"),
        ("POST", "projects/_enroll_databases"),
        ("GET", "_external_resources"),
        ("DELETE", "_external_resources"),
        ("GET", "app_state"),
    ):
        assert client.request(method, f"/api/{path}").status_code == 401, path
        assert manager.request(method, f"/api/{path}", json={}).status_code == 403, path


def test_properties_are_those_the_project_was_created_with(as_admin: Any, as_user: Any, client: Any) -> None:
    name = as_admin.post("/api/projects", json={"label": "With", "properties": {"team": "a"}}).json()["projectName"]
    assert as_admin.get(f"/api/projects/{name}/properties").json() == {"team": "a"}
    assert client.get(f"/api/projects/{name}/properties").status_code == 401
    assert as_user(client, "stan", "ProjectManager").get(f"/api/projects/{name}/properties").status_code == 404
