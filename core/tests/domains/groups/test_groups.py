"""Groups, from the border."""

from __future__ import annotations

from typing import Any

import pytest

from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work


@pytest.fixture
def head(client: Any, as_user: Any) -> Any:
    """Administers the group press."""
    return as_user(client, "head", "GroupUserAdmin", "Reader", groups=("press",))


def test_the_operations_need_sign_in_and_the_right(client: Any, as_user: Any, head: Any) -> None:
    member = as_user(client, "member", "Reader", groups=("press",))
    calls: list[tuple[str, str, Any]] = [
        ("GET", "/api/groups", None),
        ("POST", "/api/groups", {"label": "x"}),
        ("GET", "/api/groups/press", None),
        ("PATCH", "/api/groups/press", {"label": "x"}),
        ("DELETE", "/api/groups/press", None),
    ]
    assert [client.request(method, path, json=body).status_code for method, path, body in calls] == [401] * 5
    assert [member.request(method, path, json=body).status_code for method, path, body in calls] == [
        200,
        403,
        200,
        403,
        403,
    ]
    assert head.delete("/api/groups/press").status_code == 403


def test_a_group_is_made_with_a_name_from_its_label(as_admin: Any) -> None:
    """S-067."""
    answer = as_admin.post("/api/groups", json={"label": "Équipe Presse"})
    assert answer.json() == {"name": "equipe_presse"}
    group = as_admin.get("/api/groups/equipe_presse").json()
    assert group["label"] == "Équipe Presse"
    assert group["loginAllowed"] is True
    assert [group[key] for key in ("maxUsers", "maxDocsPerProject", "maxProjects", "maxProjectsPerUser")] == [-1] * 4
    assert (group["attachedRoles"], group["systemAttachedRoles"], group["createdBy"]) == ([], [], "root")
    assert group["createdAt"].endswith("Z")
    assert as_admin.post("/api/groups", json={"label": "Équipe Presse"}).status_code == 409
    assert as_admin.post("/api/groups", json={"label": "Equipe, presse"}).json() == {"name": "equipe_presse_2"}


@pytest.mark.parametrize(
    "change",
    [
        {"label": " "},
        {"label": "a\0b"},
        {"maxUsers": -2},
        {"maxProjects": 1.5},
        {"maxProjects": "3"},
        {"maxDocsPerProject": None},
        {"attachedRoles": ["Emperor"]},
        {"mappingDiscriminator": "name"},
        {"createdBy": "x"},
        {"id": 3},
    ],
)
def test_what_is_refused(as_admin: Any, change: dict[str, Any]) -> None:
    """C-041, V-027: limits are integers from -1 up."""
    assert as_admin.post("/api/groups", json={"label": "Fine"} | change).status_code == 400
    as_admin.post("/api/groups", json={"label": "Steady", "name": "steady"})
    assert as_admin.patch("/api/groups/steady", json=change).status_code == 400


def test_all_fields_of_a_new_group_are_stored(as_admin: Any) -> None:
    given = {
        "label": "Full",
        "identifier": "idp-7",
        "mappingDiscriminator": "label",
        "loginAllowed": False,
        "maxUsers": 1,
        "maxDocsPerProject": 2,
        "maxProjects": 3,
        "maxProjectsPerUser": 4,
        "attachedRoles": ["Reader"],
        "systemAttachedRoles": ["PlatformMember"],
    }
    name = as_admin.post("/api/groups", json=given).json()["name"]
    group = as_admin.get(f"/api/groups/{name}").json()
    assert {key: group[key] for key in given} == given
    as_admin.delete(f"/api/groups/{name}")


def test_a_group_is_changed(as_admin: Any) -> None:
    as_admin.post("/api/groups", json={"label": "Desk"})
    change = {"label": "Desks", "maxProjects": 3, "identifier": "idp-1", "mappingDiscriminator": "identifier"}
    assert as_admin.patch("/api/groups/desk", json=change).json() == {"ok": True}
    group = as_admin.get("/api/groups/desk").json()
    assert {key: group[key] for key in change} == change
    assert [entry["name"] for entry in as_admin.get("/api/groups?mapped=true").json()] == ["desk"]
    as_admin.patch("/api/groups/desk", json={"identifier": None, "mappingDiscriminator": None})
    assert as_admin.get("/api/groups?mapped=true").json() == []
    assert as_admin.patch("/api/groups/absent", json={"label": "x"}).status_code == 404


def test_a_group_administrator_changes_no_limits_and_gives_no_roles(head: Any, as_admin: Any) -> None:
    """T15."""
    assert head.patch("/api/groups/press", json={"label": "The Press"}).status_code == 200
    for change in (
        {"maxUsers": -1},
        {"maxProjects": 100},
        {"loginAllowed": True},
        {"identifier": "x"},
        {"systemAttachedRoles": ["PlatformUserAdmin"]},
        {"attachedRoles": ["ProjectManager"]},
    ):
        assert head.patch("/api/groups/press", json=change).status_code == 403, change
    as_admin.post("/api/groups", json={"label": "Elsewhere", "name": "elsewhere"})
    assert head.patch("/api/groups/elsewhere", json={"label": "x"}).status_code == 404
    assert head.get("/api/groups/elsewhere").status_code == 404
    assert [group["name"] for group in head.get("/api/groups").json()] == ["press"]


def test_deleting_a_group_alone_keeps_projects_and_users(
    client: Any, as_user: Any, as_admin: Any, make_project: Any
) -> None:
    owner = as_user(client, "gowner", "ProjectManager", groups=("gone",))
    project = make_project(owner="gowner", group="gone")
    assert as_admin.delete("/api/groups/gone").json() == {"removedProjects": 0, "removedUsers": 0}
    assert as_admin.get("/api/groups/gone").status_code == 404
    assert owner.get("/api/current_user").status_code == 200
    with unit_of_work(actor="tests", write=False) as unit:
        row = unit.session.get(Project, project.id)
        assert row is not None
        assert (row.group_id, row.deleted_at, row.owner_id is None) == (None, None, False)


def test_deleting_a_group_with_what_belongs_to_it(client: Any, as_user: Any, as_admin: Any, make_project: Any) -> None:
    only = as_user(client, "only", "Reader", groups=("doomed",))
    both = as_user(client, "both", "Reader", groups=("doomed", "press"))
    for _ in range(2):
        make_project(owner="both", group="doomed")
    writer = as_user(client, "gwriter", "writeGroup:*", groups=("doomed",))
    assert writer.delete("/api/groups/doomed?cascade=true").status_code == 403, "users are not his to remove"
    as_user(client, "gwriter", "writeGroup:*", groups=("press",))
    answer = as_admin.delete("/api/groups/doomed?cascade=true")
    assert answer.json() == {"removedProjects": 2, "removedUsers": 1}
    assert only.get("/api/current_user").status_code == 401
    assert both.get("/api/current_user").status_code == 200
    assert as_admin.delete("/api/groups/doomed?cascade=true").status_code == 404


def test_the_last_platform_administrator_survives_a_group(client: Any, as_user: Any) -> None:
    """T15: a caller without membership cannot remove the only other administrator with a group."""
    boss = as_user(client, "boss", "PlatformUserAdmin", groups=("bosses",))
    answer = boss.delete("/api/groups/bosses?cascade=true")
    assert answer.status_code == 200
    assert answer.json()["removedUsers"] == 0, "the caller stays"
    assert boss.get("/api/current_user").status_code == 200
