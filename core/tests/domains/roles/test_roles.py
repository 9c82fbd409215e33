"""Roles and the catalogue of permissions, through the API."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from annotarium.access.repository import read_rights_revision
from annotarium.db.database import get_database
from annotarium.db.models import AuditEntry, Role
from annotarium.db.unit_of_work import unit_of_work


@pytest.fixture
def head(client: Any, as_user: Any) -> Any:
    """The administrator of the group press."""
    return as_user(client, "head", "GroupUserAdmin", "Reader", groups=("press",))


def test_operations_require_sign_in_and_permission(client: Any, as_user: Any) -> None:
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


def test_the_catalogue_of_permissions_is_listed(as_admin: Any) -> None:
    entries = as_admin.get("/api/permissions").json()
    assert {"readProject:*", "createProject", "seeTour", "useConverter:*"} <= set(entries)
    assert "useSegmenter:rule_sentence" in entries, "installed components are named"


def test_predefined_roles_are_listed_and_fixed(as_admin: Any) -> None:
    """S-069; C-091: Minimal is listed; hiding it in pickers is done in the web app."""
    rows = {role["rolename"]: role for role in as_admin.get("/api/roles").json()}
    assert {"Minimal", "Reader", "PlatformUserAdmin"} <= set(rows)
    reader = as_admin.get("/api/roles/Reader").json()
    assert reader == rows["Reader"]
    assert (reader["predefined"], reader["type"], reader["label"]) == (True, "functional", "Reader")
    assert (reader.get("createdBy"), reader.get("modifiedBy")) == (None, None), "nobody made it"
    assert rows["PlatformUserAdmin"]["type"] == "system"
    assert as_admin.delete("/api/roles/Reader").status_code == 409
    assert as_admin.patch("/api/roles/Reader", json={"permissions": ["createUserIn:*"]}).status_code == 409
    assert as_admin.get("/api/roles/absent").status_code == 404
    assert as_admin.get("/api/roles/a%00b").status_code == 404


def test_a_role_is_created_changed_assigned_and_removed(client: Any, as_user: Any, as_admin: Any) -> None:
    """Conflict 32 of the contract: description, and a technical name derived from the label."""
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
def test_invalid_roles_are_refused(as_admin: Any, change: dict[str, Any]) -> None:
    """T14."""
    assert as_admin.post("/api/roles", json={"label": "Fine", "permissions": []} | change).status_code == 400


def test_users_cannot_add_permissions_they_lack_to_a_role(client: Any, as_user: Any, head: Any) -> None:
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


def test_only_platform_administrators_change_system_and_restricted_roles(head: Any, as_admin: Any) -> None:
    body = {"label": "Special", "permissions": ["useSearch"]}
    assert head.post("/api/roles?groupName=press&restricted=true", json=body).status_code == 403
    assert head.post("/api/roles?groupName=press", json=body | {"type": "system"}).status_code == 403
    assert as_admin.post("/api/roles?restricted=true", json=body | {"type": "system"}).status_code == 200
    assert as_admin.post("/api/roles?groupName=absent", json=body).status_code == 404


def rights_revision() -> int:
    return read_rights_revision(get_database(), None)[0]


def audited(target: str) -> list[tuple[str, str, Any]]:
    """Action, actor and details of the audit log entries of a role, oldest first."""
    with unit_of_work(actor="", write=False) as unit:
        query = select(AuditEntry).where(AuditEntry.target == target, AuditEntry.action.startswith("role."))
        rows = unit.session.scalars(query.order_by(AuditEntry.id))
        return [(row.action, row.actor, row.details) for row in rows]


def test_a_role_states_who_created_and_changed_it(client: Any, as_user: Any, as_admin: Any) -> None:
    second = as_user(client, "second", "PlatformUserAdmin")
    body = {"label": "Told", "rolename": "Told", "permissions": ["useSearch"], "type": "system"}
    made = as_admin.post("/api/roles?restricted=true", json=body).json()
    assert {name: made[name] for name in ("createdBy", "modifiedBy", "restricted", "type", "predefined")} == {
        "createdBy": "root",
        "modifiedBy": "root",
        "restricted": True,
        "type": "system",
        "predefined": False,
    }
    assert made.get("groupName") is None and made["createdAt"].endswith("Z")
    assert second.patch("/api/roles/Told", json={"description": "Changed."}).status_code == 200
    changed = as_admin.get("/api/roles/Told").json()
    assert (changed["description"], changed["label"], changed["permissions"]) == ("Changed.", "Told", ["useSearch"])
    assert (changed["createdBy"], changed["modifiedBy"], changed["createdAt"]) == ("root", "second", made["createdAt"])
    assert changed["modifiedAt"] >= made["modifiedAt"]
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.scalars(select(Role.version).where(Role.rolename == "Told")).one() == 2


def test_role_changes_are_audited_and_effective_immediately(as_admin: Any) -> None:
    """Permissions are cached under a revision: a change takes effect only if it increases the revision."""
    calls = (
        ("POST", "/api/roles", {"label": "Logged", "rolename": "Logged", "permissions": ["useSearch"]}),
        ("PATCH", "/api/roles/Logged", {"permissions": ["writeLabel", "useSearch", "writeLabel"]}),
        ("DELETE", "/api/roles/Logged", None),
    )
    for method, path, body in calls:
        before = rights_revision()
        assert as_admin.request(method, path, json=body).status_code == 200
        assert rights_revision() > before, method
    assert audited("Logged") == [
        ("role.create", "root", {"permissions": ["useSearch"]}),
        ("role.update", "root", {"permissions": ["useSearch", "writeLabel"]}),
        ("role.delete", "root", {}),
    ]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("chief EDITOR of-press", "ChiefEDITOROfPress"),
        ("Équipe", "Equipe"),
        ("???", "Role"),
        ("x" * 200, "X" + "x" * 89),
    ],
)
def test_the_name_of_a_role_is_derived_from_its_label(as_admin: Any, label: str, name: str) -> None:
    """The first free one; a name belongs to one role, whatever its case."""
    body = {"label": label, "permissions": []}
    names = [as_admin.post("/api/roles", json=body).json()["rolename"] for _ in range(3)]
    assert names == [name, f"{name}2", f"{name}3"]


def test_a_taken_name_is_refused_with_its_field(as_admin: Any) -> None:
    refused = as_admin.post("/api/roles", json={"label": "x", "permissions": [], "rolename": "reader"})
    assert (refused.status_code, refused.json()["details"][0]["field"]) == (409, "rolename")
    assert "reader" in refused.json()["message"] and refused.json()["fix"]


def test_writing_roles_of_a_group_requires_writing_the_group(
    client: Any, as_user: Any, head: Any, as_admin: Any
) -> None:
    """Neither users who administer its members without that permission, nor users who write another group can."""
    body = {"label": "Of press", "permissions": ["useSearch"]}
    made = head.post("/api/roles", json=body | {"groupName": "press", "rolename": "OfPress"})
    assert (made.status_code, made.json()["groupName"]) == (200, "press")
    as_user(client, "of-radio", groups=("radio",))
    assert head.post("/api/roles?groupName=radio", json=body | {"groupName": "press"}).status_code == 403
    assert as_admin.get("/api/roles/OfPress").json()["groupName"] == "press"
    for grants in (("createUserIn:press",), ("createUserIn:*",), ("createUserIn:press", "writeGroup:radio")):
        other = as_user(client, "other", "useSearch", *grants, groups=("press",))
        refused = other.patch("/api/roles/OfPress", json={"label": "Mine"})
        assert (refused.status_code, other.delete("/api/roles/OfPress").status_code) == (403, 403)
        assert "writeGroup:press" in refused.json()["cause"]
        assert other.post("/api/roles?groupName=press", json=body).status_code == 403
    writer = as_user(client, "writer", "useSearch", "createUserIn:press", "writeGroup:press", groups=("press",))
    assert writer.patch("/api/roles/OfPress", json={"label": "Ours"}).status_code == 200
    assert writer.delete("/api/roles/OfPress").status_code == 200
    refused = writer.post("/api/roles", json=body)
    assert refused.status_code == 403 and "createUserIn:*" in refused.json()["cause"]


def test_permissions_the_caller_lacks_can_be_neither_added_nor_removed(
    client: Any, as_user: Any, as_admin: Any
) -> None:
    """Permissions that stay are not checked."""
    body = {"label": "Strong", "rolename": "Strong", "permissions": ["exportProject", "useSearch"]}
    assert as_admin.post("/api/roles", json=body).status_code == 200
    weak = as_user(client, "weak", "createUserIn:*", "useSearch", "writeLabel")

    def change(*permissions: str) -> int:
        status: int = weak.patch("/api/roles/Strong", json={"permissions": list(permissions)}).status_code
        return status

    assert change("useSearch") == 403
    assert change("exportProject", "useSearch", "deleteProject") == 403
    assert change("exportProject", "writeLabel") == 200
    assert as_admin.get("/api/roles/Strong").json()["permissions"] == ["exportProject", "writeLabel"]
    assert weak.patch("/api/roles/Strong", json={"label": "Renamed"}).status_code == 200
    assert as_admin.get("/api/roles/Strong").json()["permissions"] == ["exportProject", "writeLabel"]
    over = as_user(client, "over", "createUserIn:*")
    assert as_admin.post("/api/roles", json={"label": "Logs", "permissions": ["seeGlobalJobs"]}).status_code == 200
    assert over.delete("/api/roles/Logs").status_code == 403, "nobody takes what he could not give"
    assert as_admin.delete("/api/roles/Logs").status_code == 200


def test_only_the_platform_changes_restricted_and_system_roles_of_groups(head: Any, as_admin: Any) -> None:
    body = {"label": "Kept", "permissions": ["useSearch"]}
    assert as_admin.post("/api/roles?groupName=press&restricted=true", json=body).json()["restricted"] is True
    for query, more in (("restricted=true", {}), ("", {"type": "system"})):
        assert head.post(f"/api/roles?groupName=press&{query}", json=body | more).status_code == 403
    plain = head.post("/api/roles?groupName=press", json=body).json()
    assert (plain["restricted"], plain["type"]) == (False, "functional")
