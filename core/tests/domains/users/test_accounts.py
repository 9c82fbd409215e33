"""Effects of account changes: the row, the audit log, sessions, group membership and the limits of groups."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from annotarium.db.models import AuditEntry, Group, User
from annotarium.db.unit_of_work import unit_of_work

PASSWORD = "correct horse battery"
GOOD = "a good long password"


@pytest.fixture
def chief(client: Any, as_user: Any) -> Any:
    """Manages the users of the group press."""
    return as_user(client, "chief", "GroupUserAdmin", "assignRole:Reader", "Reader", groups=("press",))


def audited(username: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Actor, action and details of the changes of an account, oldest first."""
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(AuditEntry).where(AuditEntry.target == username).order_by(AuditEntry.id)
        return [(entry.actor, entry.action, entry.details) for entry in unit.session.scalars(query)]


def row(username: str) -> User:
    with unit_of_work(actor="tests", write=False) as unit:
        return unit.session.scalars(select(User).where(User.username == username)).one()


def group(as_admin: Any, name: str, **more: Any) -> None:
    answer = as_admin.post("/api/groups", json={"label": name.title(), "name": name} | more)
    assert answer.status_code == 200, answer.text


def ok(answer: Any) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def conflict(answer: Any, status: int = 409) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json()


def test_account_changes_are_audited_with_the_former_values(as_admin: Any, make_project: Any) -> None:
    """Each change also creates a version of the account, with the user who made it."""
    for name in ("red", "blue"):
        group(as_admin, name)
    body = {"username": "ada", "password": GOOD, "roles": ["Reader"]}
    ok(as_admin.post("/api/users?groupName=red", json=body))
    versions = [row("ada").version]
    changes = [
        ("PATCH", "/api/users/ada", {"permissions": ["useSearch"], "disabled": False}),
        ("POST", "/api/users/ada/groups?groupName=blue", None),
        ("POST", "/api/users/ada/groups?groupName=blue&replaceExisting=true", None),
        ("DELETE", "/api/users/ada/groups?groupName=blue", None),
        ("PATCH", "/api/users/ada/profile", {"profilename": "Ada L.", "email": "ada@example.org"}),
    ]
    for method, path, given in changes:
        ok(as_admin.request(method, path, json=given))
        versions.append(row("ada").version)
    assert versions == list(range(versions[0], versions[0] + 6))
    assert row("ada").modified_by == "root"
    project = make_project(owner="ada")
    ok(as_admin.delete("/api/users/ada"))
    assert audited("ada") == [
        ("root", "user.create", {"roles": ["Reader"]}),
        ("root", "user.rights", {"permissions": ["useSearch"], "disabled": False}),
        ("root", "user.groups", {"groups": ["blue"], "replaced": False}),
        ("root", "user.groups", {"groups": ["blue"], "replaced": True}),
        ("root", "user.groups", {"left": ["blue"]}),
        ("root", "user.profile", {"fields": ["email", "profilename"]}),
        ("root", "user.delete", {"projects": [project.name]}),
    ]


def test_a_new_account_has_exactly_the_requested_values(as_admin: Any) -> None:
    body = {"username": "bea", "password": GOOD, "permissions": ["useSearch", "createProject", "useSearch"]}
    made = ok(as_admin.post("/api/users?groupName=", json=body))
    assert (made["profilename"], made["permissions"]) == ("bea", ["createProject", "useSearch"])
    assert (made["roles"], made["groups"], made["createdBy"]) == (["Minimal"], [], "root")
    named = {"username": "cleo", "password": GOOD, "profilename": "Cleo C.", "roles": ["Reader"]}
    made = ok(as_admin.post("/api/users", json=named))
    assert (made["profilename"], made["roles"], made["permissions"]) == ("Cleo C.", ["Reader"], [])
    taken = conflict(as_admin.post("/api/users", json=named))
    assert (taken["message"], taken["details"][0]["field"]) == ("There is already a user cleo", "username")


def test_new_members_do_not_get_roles_of_other_groups(as_admin: Any) -> None:
    """A role of another group, which older releases allowed to be attached, gives no permissions to a new account."""
    for name in ("north", "south"):
        group(as_admin, name)
        role = {"label": f"Of {name}", "rolename": f"Of{name}", "permissions": ["useSearch"]}
        ok(as_admin.post(f"/api/roles?groupName={name}", json=role))
    with unit_of_work(actor="tests", write=True) as unit:
        south = unit.session.scalars(select(Group).where(Group.name == "south")).one()
        south.attached_roles, south.system_attached_roles = ["Ofnorth", "Ofsouth"], ["Reader", "Ofnorth"]
    made = ok(as_admin.post("/api/users?groupName=south", json={"username": "dora", "password": GOOD}))
    assert sorted(made["roles"]) == ["Ofsouth", "Reader"]


def test_a_group_role_cannot_be_assigned_to_other_users(as_admin: Any) -> None:
    for name in ("east", "west"):
        group(as_admin, name)
    ok(as_admin.post("/api/roles?groupName=east", json={"label": "Of it", "rolename": "OfIt", "permissions": []}))
    body = {"username": "eve", "password": GOOD, "roles": ["OfIt"]}
    refused = conflict(as_admin.post("/api/users?groupName=west", json=body), 400)
    assert refused["message"] == "The role Of it belongs to a group the user is not in"
    assert refused["details"][0]["field"] == "roles"
    assert ok(as_admin.post("/api/users?groupName=east", json=body))["roles"] == ["OfIt"]
    ok(as_admin.post("/api/users/eve/groups?groupName=west"))
    ok(as_admin.delete("/api/users/eve/groups?groupName=east"))
    assert ok(as_admin.get("/api/users/eve?adminData=true"))["roles"] == [], "what hung on the membership is gone"


def test_the_first_missing_role_is_named(as_admin: Any) -> None:
    body = {"username": "flo", "password": GOOD, "roles": ["Zzz", "Reader", "Nope"]}
    refused = conflict(as_admin.post("/api/users", json=body), 400)
    assert (refused["message"], refused["details"][0]["field"]) == ("There is no role Nope", "roles")


def test_a_manager_of_two_groups_must_name_the_group_of_a_new_user(client: Any, as_user: Any) -> None:
    both = as_user(client, "both", "GroupUserAdmin", "assignRole:Reader", "Reader", groups=("press", "law"))
    body = {"username": "gil", "password": GOOD}
    refused = conflict(both.post("/api/users", json=body), 400)
    assert (refused["message"], refused["details"][0]["field"]) == ("Say which group the user goes to", "groupName")
    made = ok(both.post("/api/users?groupName=law", json=body | {"roles": ["Reader"]}))
    assert [one["name"] for one in made["groups"]] == ["law"]
    assert conflict(both.post("/api/users?groupName=nowhere", json=body), 404)["message"] == (
        "You do not manage the users of any group nowhere"
    )


@pytest.mark.parametrize(("most", "made"), [(0, 0), (1, 1), (-1, 2)])
def test_user_limit_of_a_group(as_admin: Any, most: int, made: int) -> None:
    """C-041: none if the limit is 0, any number if it is -1; existing members stay."""
    name = f"room{most}"
    group(as_admin, name, maxUsers=most)
    bodies = [{"username": f"hal{most}{number}", "password": GOOD} for number in range(2)]
    answers = [as_admin.post(f"/api/users?groupName={name}", json=body) for body in bodies]
    assert [answer.status_code for answer in answers] == [200] * made + [409] * (2 - made)
    if made < 2:
        assert answers[-1].json()["message"] == f"The group {name.title()} already has its maximum of {most} users"
    if made:
        ok(as_admin.post(f"/api/users/hal{most}0/groups?groupName={name}&replaceExisting=true"))


def test_an_account_without_projects_is_deleted_with_or_without_cascade(as_admin: Any, make_project: Any) -> None:
    for name in ("ida", "jan"):
        ok(as_admin.post("/api/users", json={"username": name, "password": GOOD}))
    ok(as_admin.delete("/api/users/ida?cascade=false"))
    make_project(owner="jan")
    make_project(owner="jan")
    assert conflict(as_admin.delete("/api/users/jan?cascade=false"))["message"] == "The user owns 2 projects"
    assert conflict(as_admin.delete("/api/users/root"))["message"] == "You cannot delete your own account"


def test_disabling_ends_sessions_and_is_refused_for_oneself(client: Any, as_user: Any, as_admin: Any) -> None:
    kim = as_user(client, "kim", "Reader")
    ok(as_admin.patch("/api/users/kim", json={"disabled": False}))
    ok(kim.get("/api/current_user"))  # nothing was changed
    ok(as_admin.patch("/api/users/kim", json={"disabled": True}))
    ok(as_admin.patch("/api/users/kim", json={"disabled": False}))
    conflict(kim.get("/api/current_user"), 401)
    refused = conflict(as_admin.patch("/api/users/root", json={"disabled": True}))
    assert refused["message"] == "You cannot disable your own account"
    ok(as_admin.patch("/api/users/root", json={"disabled": False}))


def test_permissions_the_caller_lacks_can_be_neither_granted_nor_revoked(chief: Any, client: Any, as_user: Any) -> None:
    """Only added and removed permissions count, not those that stay."""
    as_user(client, "lea", "Reader", "createProject", groups=("press",))
    for permissions in ([], ["createProject", "deleteDocuments"]):
        assert chief.patch("/api/users/lea", json={"permissions": permissions}).status_code == 403
    assert row("lea").permissions == ["createProject"]


def test_groups_of_others_are_visible_if_shared_or_managed(client: Any, as_user: Any, as_admin: Any) -> None:
    as_user(client, "max", "Reader", groups=("press", "law", "art"))
    member = as_user(client, "mia", "Reader", groups=("press", "art"))
    assert [one["name"] for one in ok(member.get("/api/users/max/groups"))] == ["art", "press"]
    assert [one["name"] for one in ok(as_admin.get("/api/users/max/groups"))] == ["art", "law", "press"]


def test_the_email_address_is_visible_to_the_user_and_administrators_only(
    chief: Any, client: Any, as_user: Any
) -> None:
    nora = as_user(client, "nora", "Reader", groups=("press",))
    ok(nora.patch("/api/users/nora/profile", json={"email": "n@example.org"}))
    other = as_user(client, "olaf", "Reader", groups=("press",))
    seen = [ok(who.get("/api/users/nora/profile")).get("email") for who in (nora, chief, other)]
    assert seen == ["n@example.org", "n@example.org", None]
    assert "email" not in ok(chief.get("/api/users/nora/profile?privateData=false"))


def test_a_password_set_by_an_administrator_ends_all_sessions(client: Any, as_user: Any, as_admin: Any) -> None:
    pia = as_user(client, "pia", "Reader")
    weak = conflict(as_admin.patch("/api/users/pia/profile", json={"password": "short"}), 400)
    assert weak["details"][0]["field"] == "password"
    ok(as_admin.patch("/api/users/pia/profile", json={"profilename": "Pia P."}))
    ok(pia.get("/api/current_user"))
    ok(as_admin.patch("/api/users/pia/profile", json={"password": GOOD}))
    conflict(pia.get("/api/current_user"), 401)
    ok(as_admin.get("/api/current_user"))


def test_leaving_a_group_removes_only_its_permissions(as_admin: Any, client: Any, as_user: Any) -> None:
    rights = ("createUserIn:press", "writeGroup:press", "createUserIn:law", "useSearch")
    as_user(client, "quin", "Reader", *rights, groups=("press", "law"))
    ok(as_admin.delete("/api/users/quin/groups?groupName=press"))
    left = ok(as_admin.get("/api/users/quin?adminData=true"))
    assert (sorted(left["permissions"]), left["roles"]) == (["createUserIn:law", "useSearch"], ["Reader"])
    assert [one["name"] for one in left["groups"]] == ["law"]


def test_managers_can_leave_their_group(chief: Any, as_admin: Any, client: Any, as_user: Any) -> None:
    as_user(client, "chief", "GroupUserAdmin", "Reader", groups=("press", "law"))
    ok(chief.delete("/api/users/chief/groups?groupName=press"))
    assert [one["name"] for one in ok(as_admin.get("/api/users/chief/groups"))] == ["law"]
