"""Roles and the catalogue of permissions, from the border."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def head(client: Any, as_user: Any) -> Any:
    """Administers the group press."""
    return as_user(client, "head", "GroupUserAdmin", "Reader", groups=("press",))


def test_the_operations_need_sign_in_and_the_right(client: Any, as_user: Any) -> None:
    plain = as_user(client, "plain", "ProjectManager")
    calls: list[tuple[str, str, Any]] = [
        ("GET", "/api/permissions", None),
        ("GET", "/api/roles", None),
        ("POST", "/api/roles", {"label": "x", "permissions": []}),
        ("GET", "/api/roles/Reader", None),
        ("PATCH", "/api/roles/Reader", {"label": "x"}),
        ("DELETE", "/api/roles/Reader", None),
    ]
    assert [client.request(method, path, json=body).status_code for method, path, body in calls] == [401] * 6
    statuses = [plain.request(method, path, json=body).status_code for method, path, body in calls]
    assert statuses == [403, 200, 403, 200, 403, 403]


def test_the_catalogue(as_admin: Any) -> None:
    entries = as_admin.get("/api/permissions").json()
    assert {"readProject:*", "createProject", "seeTour", "useConverter:*"} <= set(entries)
    assert "useSegmenter:rule_sentence" in entries, "installed components are named"


def test_predefined_roles_are_listed_and_fixed(as_admin: Any) -> None:
    """S-069; C-091: Minimal is there, hiding it in pickers is the studio's part."""
    rows = {role["rolename"]: role for role in as_admin.get("/api/roles").json()}
    assert {"Minimal", "Reader", "PlatformUserAdmin"} <= set(rows)
    reader = as_admin.get("/api/roles/Reader").json()
    assert reader == rows["Reader"]
    assert (reader["predefined"], reader["type"], reader["label"]) == (True, "functional", "Reader")
    assert rows["PlatformUserAdmin"]["type"] == "system"
    assert as_admin.delete("/api/roles/Reader").status_code == 409
    assert as_admin.patch("/api/roles/Reader", json={"permissions": ["createUserIn:*"]}).status_code == 409
    assert as_admin.get("/api/roles/absent").status_code == 404
    assert as_admin.get("/api/roles/a%00b").status_code == 404


def test_a_role_is_made_changed_given_and_removed(client: Any, as_user: Any, as_admin: Any) -> None:
    """Conflicts 32: description, and a technical name made from the label."""
    body = {"label": "Chief editor", "permissions": ["seeTour", "writeLabel", "seeTour"], "description": "Leads."}
    made = as_admin.post("/api/roles", json=body)
    assert made.status_code == 200, made.text
    role = made.json()
    assert (role["rolename"], role["permissions"], role["description"], role["type"], role["predefined"]) == (
        "ChiefEditor",
        ["seeTour", "writeLabel"],
        "Leads.",
        "functional",
        False,
    )
    assert as_admin.post("/api/roles", json=body).json()["rolename"] == "ChiefEditor2"
    assert as_admin.post("/api/roles", json=body | {"rolename": "chiefeditor"}).status_code == 409
    worker = as_user(client, "worker", "Reader")
    assert as_admin.patch("/api/users/worker", json={"roles": ["ChiefEditor"]}).status_code == 200
    assert {"writeLabel", "role:ChiefEditor"} <= set(worker.get("/api/users/worker").json()["permissions"])
    change = {"permissions": ["seeTour"], "label": "Editor"}
    assert as_admin.patch("/api/roles/ChiefEditor", json=change).json() == {"ok": True}
    assert "writeLabel" not in worker.get("/api/users/worker").json()["permissions"]
    assert as_admin.delete("/api/roles/ChiefEditor").json() == {"ok": True}
    assert worker.get("/api/users/worker").json()["permissions"] == []


@pytest.mark.parametrize(
    "change",
    [
        {"label": ""},
        {"permissions": ["everything"]},
        {"permissions": None},
        {"rolename": "a b"},
        {"type": "divine"},
        {"predefined": True},
        {"createdBy": "x"},
    ],
)
def test_what_is_refused(as_admin: Any, change: dict[str, Any]) -> None:
    """T14."""
    assert as_admin.post("/api/roles", json={"label": "Fine", "permissions": []} | change).status_code == 400


def test_nobody_writes_a_right_into_a_role_that_he_does_not_hold(client: Any, as_user: Any, head: Any) -> None:
    """T15."""
    users_only = as_user(client, "users-only", "PlatformUserAdmin")
    rich = {"label": "Rich", "permissions": ["readProject:*"]}
    assert users_only.post("/api/roles", json=rich).status_code == 403
    assert (
        users_only.post("/api/roles", json={"label": "Poor", "permissions": ["assignRole:Reader"]}).status_code == 200
    )
    assert users_only.patch("/api/roles/Poor", json={"permissions": ["deleteProject"]}).status_code == 403
    assert head.post("/api/roles?groupName=press", json=rich).status_code == 403
    assert head.post("/api/roles", json={"label": "Global", "permissions": []}).status_code == 403
    assert head.patch("/api/roles/Poor", json={"label": "x"}).status_code == 403


def test_roles_of_a_group_stay_in_the_group(client: Any, as_user: Any, head: Any, as_admin: Any) -> None:
    """V-031."""
    made = head.post("/api/roles?groupName=press", json={"label": "Proof reader", "permissions": ["useSearch"]})
    assert made.status_code == 200, made.text
    assert made.json()["groupName"] == "press"
    name = made.json()["rolename"]
    outsider = as_user(client, "outsider", "GroupUserAdmin", groups=("other",))
    assert outsider.get(f"/api/roles/{name}").status_code == 404
    assert name not in {role["rolename"] for role in outsider.get("/api/roles").json()}
    assert outsider.delete(f"/api/roles/{name}").status_code == 404
    assert as_admin.patch("/api/users/outsider", json={"roles": [name]}).status_code == 400
    assert as_admin.patch("/api/users/head", json={"roles": ["GroupUserAdmin", "Reader", name]}).status_code == 200
    assert as_admin.delete("/api/users/head/groups?groupName=press").status_code == 200
    assert name not in as_admin.get("/api/users/head?adminData=true").json()["roles"]


def test_system_and_restricted_roles_are_the_platform_administrators(head: Any, as_admin: Any) -> None:
    body = {"label": "Special", "permissions": ["useSearch"]}
    assert head.post("/api/roles?groupName=press&restricted=true", json=body).status_code == 403
    assert head.post("/api/roles?groupName=press", json=body | {"type": "system"}).status_code == 403
    assert as_admin.post("/api/roles?restricted=true", json=body | {"type": "system"}).status_code == 200
    assert as_admin.post("/api/roles?groupName=absent", json=body).status_code == 404
