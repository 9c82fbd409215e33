"""Groups, through the API."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from annotarium.access.repository import read_rights_revision
from annotarium.db.database import get_database
from annotarium.db.models import AuditEntry, Group, Project, User
from annotarium.db.unit_of_work import unit_of_work


@pytest.fixture
def head(client: Any, as_user: Any) -> Any:
    """The administrator of the group press."""
    return as_user(client, "head", "GroupUserAdmin", "Reader", groups=("press",))


def test_operations_require_sign_in_and_permission(client: Any, as_user: Any, head: Any) -> None:
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


def test_the_name_of_a_new_group_is_derived_from_its_label(as_admin: Any) -> None:
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
def test_invalid_groups_are_refused(as_admin: Any, change: dict[str, Any]) -> None:
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


def test_a_group_administrator_cannot_change_limits_or_assign_roles(head: Any, as_admin: Any) -> None:
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


def test_deleting_a_group_with_its_projects_and_users(
    client: Any, as_user: Any, as_admin: Any, make_project: Any
) -> None:
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


def test_the_last_platform_administrator_cannot_be_removed_with_a_group(client: Any, as_user: Any) -> None:
    """T15: a caller without membership cannot remove the only other administrator with a group."""
    boss = as_user(client, "boss", "PlatformUserAdmin", groups=("bosses",))
    answer = boss.delete("/api/groups/bosses?cascade=true")
    assert answer.status_code == 200
    assert answer.json()["removedUsers"] == 0, "the caller stays"
    assert boss.get("/api/current_user").status_code == 200


def rights_revision() -> int:
    return read_rights_revision(get_database(), None)[0]


def audited(target: str) -> list[tuple[str, str, Any]]:
    """Action, actor and details of the audit log entries of a group, oldest first."""
    with unit_of_work(actor="", write=False) as unit:
        query = select(AuditEntry).where(AuditEntry.target == target, AuditEntry.action.startswith("group."))
        rows = unit.session.scalars(query.order_by(AuditEntry.id))
        return [(row.action, row.actor, row.details) for row in rows]


def test_group_changes_are_audited_and_effective_immediately(client: Any, as_user: Any, as_admin: Any) -> None:
    second = as_user(client, "second", "writeGroup:*", "createUserIn:*")
    calls = (
        (as_admin, "POST", "/api/groups", {"label": "Logged", "name": "logged"}),
        (second, "PATCH", "/api/groups/logged", {"maxUsers": 3, "label": "Logged too"}),
    )
    for caller, method, path, body in calls:
        before = rights_revision()
        assert caller.request(method, path, json=body).status_code == 200
        assert rights_revision() > before, method
    group = as_admin.get("/api/groups/logged").json()
    assert (group["createdBy"], group["modifiedBy"]) == ("root", "second")
    assert group["modifiedAt"] >= group["createdAt"]
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.scalars(select(Group.version).where(Group.name == "logged")).one() == 2
    before = rights_revision()
    assert as_admin.delete("/api/groups/logged").status_code == 200
    assert rights_revision() > before
    assert audited("logged") == [
        ("group.create", "root", {}),
        ("group.update", "second", {"fields": ["label", "max_users"]}),
        ("group.delete", "root", {"projects": 0, "users": 0}),
    ]


@pytest.mark.parametrize(("label", "name"), [("???", "group"), ("Été 2026", "ete_2026"), ("y" * 200, "y" * 90)])
def test_the_name_of_a_group_is_the_first_free_one(as_admin: Any, label: str, name: str) -> None:
    """A label belongs to one group, whatever its case; names derived from two labels may collide."""
    assert as_admin.post("/api/groups", json={"label": label}).json() == {"name": name}
    for number, sign in ((2, "!"), (3, "?")):
        assert as_admin.post("/api/groups", json={"label": label + sign}).json() == {"name": f"{name}_{number}"}


def test_taken_names_and_labels_are_refused_with_their_field(as_admin: Any) -> None:
    as_admin.post("/api/groups", json={"label": "Taken", "name": "taken"})
    as_admin.post("/api/groups", json={"label": "Free", "name": "free"})
    for method, path, body, field in (
        ("POST", "/api/groups", {"label": "Other", "name": "taken"}, "name"),
        ("POST", "/api/groups", {"label": "TAKEN", "name": "other"}, "label"),
        ("PATCH", "/api/groups/free", {"label": "taken"}, "label"),
    ):
        refused = as_admin.request(method, path, json=body)
        assert (refused.status_code, refused.json()["details"][0]["field"]) == (409, field)
        assert refused.json()["fix"]
    assert as_admin.patch("/api/groups/taken", json={"label": "Taken", "maxUsers": 5}).status_code == 200, "its own"
    assert as_admin.patch("/api/groups/free", json={"maxUsers": 5}).status_code == 200, "no label is given"


def test_only_the_platform_changes_limits_and_refusals_name_them(client: Any, as_user: Any, as_admin: Any) -> None:
    as_user(client, "member", groups=("limited",))
    writer = as_user(client, "writer", "writeGroup:limited", groups=("limited",))
    change = {"label": "Own words", "maxUsers": 5, "maxProjects": 5}
    refused = writer.patch("/api/groups/limited", json=change)
    assert refused.status_code == 403 and "max_projects, max_users" in refused.json()["message"]
    assert as_admin.get("/api/groups/limited").json()["label"] == "Limited", "all of it or nothing"
    assert writer.patch("/api/groups/limited", json={"label": "Own words"}).status_code == 200
    outer = as_user(client, "outer", "writeGroup:*")
    assert outer.patch("/api/groups/limited", json=change).status_code == 200
    reader = as_user(client, "reader", "Reader", groups=("limited",))
    assert reader.patch("/api/groups/limited", json={"label": "Mine"}).status_code == 403


def test_attaching_roles_to_a_group_requires_the_permission_to_assign_them(
    client: Any, as_user: Any, as_admin: Any
) -> None:
    """Only added and removed roles are checked, not those that stay; an error names the list."""
    for name, permissions in (("Weak", ["useSearch"]), ("Strong", ["exportProject"])):
        body = {"label": name, "rolename": name, "permissions": permissions}
        assert as_admin.post("/api/roles", json=body).status_code == 200
    as_admin.post("/api/groups", json={"label": "Attach", "name": "attach", "attachedRoles": ["Strong"]})
    caller = as_user(client, "attacher", "writeGroup:*", "useSearch", "assignRole:*", "createUserIn:attach")

    def attach(*roles: str) -> int:
        status: int = caller.patch("/api/groups/attach", json={"attachedRoles": list(roles)}).status_code
        return status

    assert attach() == 403
    assert attach("Weak") == 403
    assert attach("Strong", "Weak") == 200
    assert attach("Strong") == 200
    assert as_admin.get("/api/groups/attach").json()["attachedRoles"] == ["Strong"]
    for field in ("attachedRoles", "systemAttachedRoles"):
        for method, path in (("PATCH", "/api/groups/attach"), ("POST", "/api/groups")):
            refused = as_admin.request(method, path, json={"label": "Beta", field: ["Weak", "Zero", "Absent"]})
            assert (refused.status_code, refused.json()["details"][0]["field"]) == (400, field)
            assert "Absent" in refused.json()["message"]
    maker = as_user(client, "maker", "writeGroup:*", "useSearch", "assignRole:Weak")
    assert maker.post("/api/groups", json={"label": "Made", "attachedRoles": ["Strong"]}).status_code == 403
    assert maker.post("/api/groups", json={"label": "Made", "systemAttachedRoles": ["Weak"]}).status_code == 200


def test_a_group_keeps_attached_roles_that_the_caller_cannot_see(client: Any, as_user: Any, as_admin: Any) -> None:
    """Roles of the group itself or visible to the platform only: if they stay, they are not refused as missing."""
    as_admin.post("/api/groups", json={"label": "Keeping", "name": "keeping"})
    body = {"label": "Own", "rolename": "OwnRole", "permissions": []}
    assert as_admin.post("/api/roles?groupName=keeping", json=body).status_code == 200
    assert as_admin.patch("/api/groups/keeping", json={"attachedRoles": ["OwnRole"]}).status_code == 200
    writer = as_user(client, "keeper", "writeGroup:*", "seeHelp", "assignRole:*")
    assert writer.get("/api/roles/OwnRole").status_code in (403, 404)
    kept = writer.patch("/api/groups/keeping", json={"attachedRoles": ["OwnRole"], "maxUsers": 9})
    assert kept.status_code == 200, kept.text


def test_removing_a_group_requires_power_over_its_members_and_roles(client: Any, as_user: Any, as_admin: Any) -> None:
    for name in ("empty", "peopled", "strong"):
        as_admin.post("/api/groups", json={"label": name.title(), "name": name})
    as_user(client, "inside", "Reader", groups=("peopled",))
    role = {"label": "Strong role", "permissions": ["seeGlobalJobs"]}
    assert as_admin.post("/api/roles?groupName=strong", json=role).status_code == 200
    writer = as_user(client, "remover", "writeGroup:*")
    assert writer.delete("/api/groups/empty").status_code == 200
    refused = writer.delete("/api/groups/peopled")
    assert refused.status_code == 403 and "createUserIn:peopled" in refused.json()["cause"]
    assert writer.delete("/api/groups/strong").status_code == 403
    able = as_user(client, "able", "writeGroup:*", "createUserIn:peopled", "seeGlobalJobs")
    assert able.delete("/api/groups/peopled").status_code == 200
    assert able.delete("/api/groups/strong").status_code == 200
    assert as_admin.get("/api/roles/StrongRole").status_code == 404, "its roles go with it"


def test_removing_members_with_a_group_requires_power_over_each(
    client: Any, as_user: Any, as_admin: Any, make_project: Any
) -> None:
    """A single member whom the caller does not administer prevents the operation: nothing is removed."""
    as_user(client, "common", "Reader", groups=("cascade",))
    as_user(client, "mighty", "seeGlobalJobs", groups=("cascade",))
    project = make_project(owner="common", group="cascade")
    chief = as_user(client, "cascader", "GroupUserAdmin", "writeGroup:*", "Reader", groups=("cascade",))
    refused = chief.delete("/api/groups/cascade?cascade=true")
    assert refused.status_code == 403 and "mighty" in refused.json()["cause"]
    with unit_of_work(actor="", write=False) as unit:
        names = set(unit.session.scalars(select(User.username)))
        assert {"common", "mighty", "cascader"} <= names
        assert unit.session.get_one(Project, project.id).deleted_at is None
    as_user(client, "mighty", "Reader", groups=("cascade",))
    answer = chief.delete("/api/groups/cascade?cascade=true")
    assert answer.json() == {"removedProjects": 1, "removedUsers": 2}
    with unit_of_work(actor="", write=False) as unit:
        names = set(unit.session.scalars(select(User.username)))
        assert {"common", "mighty"} & names == set() and "cascader" in names
        assert unit.session.get_one(Project, project.id).deleted_at is not None
        query = select(AuditEntry.target, AuditEntry.details).where(AuditEntry.action == "user.delete")
        gone = {row[0]: row[1] for row in unit.session.execute(query.where(AuditEntry.actor == "cascader"))}
    assert gone == {"common": {"group": "cascade"}, "mighty": {"group": "cascade"}}
    assert audited("cascade") == [("group.delete", "cascader", {"projects": 1, "users": 2})]


def test_removing_a_group_reports_how_many_users_are_locked_out(client: Any, as_user: Any, as_admin: Any) -> None:
    as_admin.post("/api/groups", json={"label": "Bolted", "name": "bolted", "loginAllowed": False})
    for number in range(2):
        as_user(client, f"hanging-{number}", "Reader", groups=("bolted", "leaving"))
    refused = as_admin.delete("/api/groups/leaving")
    assert refused.status_code == 409 and refused.json()["message"].startswith("2 users")
    as_user(client, "hanging-1", "Reader")
    refused = as_admin.delete("/api/groups/leaving")
    assert refused.status_code == 409 and refused.json()["message"].startswith("One user")
    assert as_admin.get("/api/groups/leaving").status_code == 200


def test_accessible_groups_are_listed_with_their_content(client: Any, as_user: Any, as_admin: Any) -> None:
    member = as_user(client, "lister", "Reader", groups=("seen",))
    assert [one["name"] for one in member.get("/api/groups").json()] == ["seen"]
    assert member.get("/api/groups/seen").json() == as_admin.get("/api/groups/seen").json()
    assert member.get("/api/groups/press").status_code == 404
    assert "seen" in [one["name"] for one in as_admin.get("/api/groups").json()]


def test_an_attached_role_of_another_group_can_be_detached(as_admin: Any) -> None:
    """An older release allowed it: it is refused in a new list, and removed when it is left out."""
    for name in ("holder", "owner"):
        as_admin.post("/api/groups", json={"label": name.title(), "name": name})
    role = {"label": "Owners", "rolename": "OwnersRole", "permissions": ["useSearch"]}
    assert as_admin.post("/api/roles?groupName=owner", json=role).status_code == 200
    with unit_of_work(actor="", write=True) as unit:
        unit.session.scalars(select(Group).where(Group.name == "holder")).one().attached_roles = ["OwnersRole"]
    refused = as_admin.patch("/api/groups/holder", json={"attachedRoles": ["OwnersRole", "Reader"]})
    assert refused.status_code == 400 and "another group" in refused.json()["message"]
    assert as_admin.patch("/api/groups/holder", json={"attachedRoles": ["Reader"]}).status_code == 200
    assert as_admin.get("/api/groups/holder").json()["attachedRoles"] == ["Reader"]
