"""Users, through the API: who may see, create, change and remove whom (threats T14, T15)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event, select

from annotarium.db.database import get_database
from annotarium.db.models import AuditEntry, Project
from annotarium.db.unit_of_work import unit_of_work

PASSWORD = "correct horse battery"
GOOD = "a good long password"


@pytest.fixture
def chief(client: Any, as_user: Any) -> Any:
    """Manages the users of the group press."""
    return as_user(client, "chief", "GroupUserAdmin", "assignRole:Reader", "Reader", groups=("press",))


@pytest.fixture
def member(client: Any, as_user: Any) -> Any:
    return as_user(client, "member", "Reader", groups=("press",))


@pytest.fixture
def outsider(client: Any, as_user: Any) -> Any:
    return as_user(client, "outsider", "Reader", groups=("other",))


def names(answer: Any) -> set[str]:
    assert answer.status_code == 200
    return {user["username"] for user in answer.json()["users"]}


def test_operations_require_sign_in_and_permission(client: Any, member: Any) -> None:
    """Each operation without sign-in and by a user who manages no users."""
    calls: list[tuple[str, str, Any]] = [
        ("GET", "/api/users", None),
        ("POST", "/api/users", {"username": "x", "password": GOOD}),
        ("GET", "/api/users/member", None),
        ("PATCH", "/api/users/member", {"disabled": True}),
        ("DELETE", "/api/users/member", None),
        ("GET", "/api/users/member/groups", None),
        ("POST", "/api/users/member/groups?groupName=press", None),
        ("DELETE", "/api/users/member/groups?groupName=press", None),
        ("GET", "/api/users/member/profile", None),
        ("PATCH", "/api/users/chief/profile", {"profilename": "x"}),
    ]
    assert [client.request(method, path, json=body).status_code for method, path, body in calls] == [401] * 10
    statuses = [member.request(method, path, json=body).status_code for method, path, body in calls[:9]]
    assert statuses == [200, 403, 200, 403, 403, 200, 403, 403, 200]


def test_users_see_members_of_their_groups(client: Any, as_user: Any, chief: Any, member: Any, outsider: Any) -> None:
    loner = as_user(client, "loner", "Reader")
    assert names(member.get("/api/users")) == {"chief", "member"}
    assert names(outsider.get("/api/users")) == {"outsider"}
    assert {"chief", "member", "outsider"}.isdisjoint(names(loner.get("/api/users")))
    assert member.get("/api/users/outsider").status_code == 404
    assert member.get("/api/users/absent").status_code == 404
    assert member.get("/api/users/a%00b").status_code == 404
    shown = member.get("/api/users/chief").json()
    assert shown == {"username": "chief", "profilename": "Chief", "groups": [{"name": "press", "label": "Press"}]}
    assert member.get("/api/users/chief/profile").json() == {"username": "chief", "profilename": "Chief"}


def test_administrators_see_access_data_of_managed_users(chief: Any, member: Any, as_admin: Any, outsider: Any) -> None:
    rows = {user["username"]: user for user in chief.get("/api/users?adminData=true").json()["users"]}
    assert rows["member"]["roles"] == ["Reader"]
    assert rows["member"]["disabled"] is False
    assert "permissions" in rows["member"]
    assert "roles" not in chief.get("/api/users").json()["users"][0]
    assert {"member", "outsider", "root"} <= names(as_admin.get("/api/users"))
    assert names(as_admin.get("/api/users?groupName=other")) == {"outsider"}


def test_the_own_account_lists_effective_permissions(member: Any) -> None:
    own = member.get("/api/users/member").json()
    assert {"role:Reader", "useSearch"} <= set(own["permissions"])
    assert own["roles"] == ["Reader"]


def test_an_administrator_creates_an_account(client: Any, as_admin: Any) -> None:
    body = {
        "username": "ines",
        "password": GOOD,
        "profilename": "Inès",
        "email": "ines@example.org",
        "roles": ["role:Annotator"],
        "permissions": ["createProject"],
    }
    answer = as_admin.post("/api/users", json=body)
    assert answer.status_code == 200, answer.text
    made = answer.json()
    assert (made["username"], made["profilename"], made["roles"], made["permissions"]) == (
        "ines",
        "Inès",
        ["Annotator"],
        ["createProject"],
    )
    assert made["createdBy"] == "root"
    assert "password" not in answer.text
    login = client.post("/api/auth/login", json={"email": "ines", "password": GOOD})
    assert login.status_code == 200
    assert as_admin.post("/api/users", json=body).status_code == 409
    assert as_admin.post("/api/users", json=body | {"username": "INES"}).status_code == 409


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"password": "short"}, "password"),
        ({"username": ""}, "username"),
        ({"username": "a/b"}, "username"),
        ({"username": "a:b"}, "username"),
        ({"username": ".."}, "username"),
        ({"username": "a\0b"}, "username"),
        ({"email": "nowhere"}, "email"),
        ({"profilename": " "}, "profilename"),
        ({"roles": ["Emperor"]}, "roles"),
        ({"permissions": ["everything"]}, "permissions"),
        ({"createdBy": "root"}, "createdBy"),
        ({"id": 1}, "id"),
        ({"tokenRevision": 1}, "tokenRevision"),
        ({"passwordHash": "x"}, "passwordHash"),
    ],
)
def test_invalid_new_accounts_are_refused(as_admin: Any, change: dict[str, Any], field: str) -> None:
    """V-005; T14: a field that only the server sets is refused by name."""
    answer = as_admin.post("/api/users", json={"username": "fresh", "password": GOOD} | change)
    assert answer.status_code == 400, answer.text
    assert answer.json()["details"][0]["field"].split(".")[0] == field


def test_new_users_get_the_roles_of_their_groups(as_admin: Any) -> None:
    group = as_admin.post("/api/groups", json={"label": "Novices", "attachedRoles": ["Annotator"]}).json()["name"]
    made = as_admin.post(
        "/api/users", params={"groupName": group}, json={"username": "novice", "password": GOOD}
    ).json()
    assert made["roles"] == ["Annotator"]
    assert [entry["name"] for entry in made["groups"]] == [group]
    bare = as_admin.post("/api/users", json={"username": "bare", "password": GOOD}).json()
    assert bare["roles"] == ["Minimal"]


def test_groups_can_be_set_in_the_body(as_admin: Any) -> None:
    names_ = [as_admin.post("/api/groups", json={"label": label}).json()["name"] for label in ("Body One", "Body Two")]
    body = {"username": "bodied", "password": GOOD, "groups": [{"name": names_[0], "label": "x"}, names_[1]]}
    made = as_admin.post("/api/users", json=body).json()
    assert {entry["name"] for entry in made["groups"]} == set(names_)


def test_a_full_group_accepts_no_further_users(as_admin: Any) -> None:
    """C-041: maxUsers, -1 = unlimited."""
    group = as_admin.post("/api/groups", json={"label": "Pair", "maxUsers": 2}).json()["name"]
    statuses = [
        as_admin.post(f"/api/users?groupName={group}", json={"username": f"pair{n}", "password": GOOD}).status_code
        for n in range(3)
    ]
    assert statuses == [200, 200, 409]
    as_admin.post("/api/users", json={"username": "third", "password": GOOD})
    assert as_admin.post(f"/api/users/third/groups?groupName={group}").status_code == 409
    as_admin.patch(f"/api/groups/{group}", json={"maxUsers": -1})
    assert as_admin.post(f"/api/users/third/groups?groupName={group}").status_code == 200


def test_a_group_administrator_creates_users_of_their_group_only(chief: Any, outsider: Any, as_admin: Any) -> None:
    made = chief.post("/api/users", json={"username": "cub", "password": GOOD, "roles": ["Reader"]})
    assert made.status_code == 200, made.text
    assert [group["name"] for group in made.json()["groups"]] == ["press"]
    other = chief.post("/api/users?groupName=other", json={"username": "spy", "password": GOOD})
    assert other.status_code == 404
    assert chief.post("/api/users/cub/groups?groupName=other").status_code == 404
    assert chief.patch("/api/users/outsider", json={"disabled": True}).status_code == 404
    assert chief.patch("/api/users/root", json={"disabled": True}).status_code == 404


@pytest.mark.parametrize(
    "roles", [["PlatformUserAdmin"], ["ProjectManager"], ["Reader", "GroupUserAdmin"], ["Minimal"]]
)
def test_assigning_a_role_requires_permission_for_it(chief: Any, member: Any, roles: list[str]) -> None:
    """V-031, T15."""
    assert chief.post("/api/users", json={"username": "e1", "password": GOOD, "roles": roles}).status_code == 403
    assert chief.patch("/api/users/member", json={"roles": roles}).status_code == 403
    assert chief.patch("/api/users/chief", json={"roles": [*roles, "Annotator"]}).status_code == 403
    assert member.get("/api/users/member").json()["roles"] == ["Reader"]


def test_assign_role_alone_is_not_enough_below_the_platform(client: Any, as_user: Any, member: Any) -> None:
    """T15: the caller needs every permission they assign; only the platform administrator assigns restricted roles."""
    giver = as_user(client, "giver", "createUserIn:press", "assignRole:*", groups=("press",))
    for role in ("ProjectManager", "PlatformUserAdmin", "AllAnnotationComponents"):
        assert giver.patch("/api/users/member", json={"roles": [role]}).status_code == 403
    assert giver.patch("/api/users/giver", json={"permissions": ["createUserIn:*"]}).status_code == 403
    assert giver.patch("/api/users/member", json={"permissions": ["createProject"]}).status_code == 403
    platform = as_user(client, "platform", "PlatformUserAdmin")
    assert platform.patch("/api/users/member", json={"roles": ["ProjectManager"]}).status_code == 200
    assert platform.patch("/api/users/member", json={"permissions": ["readProject:*"]}).status_code == 403


def test_changes_of_access_data_are_effective_immediately(as_admin: Any, client: Any, as_user: Any) -> None:
    worker = as_user(client, "worker", "Reader", groups=("press",))
    assert as_admin.patch("/api/users/worker", json={"roles": ["PlatformUserAdmin"]}).json() == {"ok": True}
    assert worker.get("/api/permissions").status_code == 200
    assert as_admin.patch("/api/users/worker", json={"roles": []}).status_code == 200
    assert worker.get("/api/permissions").status_code == 403
    assert as_admin.patch("/api/users/worker", json={}).status_code == 200
    for body in ({"roles": None}, {"disabled": None}, {"username": "x"}, {"password": GOOD}, {"groups": []}, []):
        assert as_admin.patch("/api/users/worker", json=body).status_code == 400
    merge = {"Content-Type": "application/merge-patch+json"}
    assert as_admin.patch("/api/users/worker", content=b'{"permissions":["seeTour"]}', headers=merge).status_code == 200
    assert as_admin.get("/api/users/worker").json()["permissions"] == ["seeTour"]
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(AuditEntry).where(AuditEntry.action == "user.rights", AuditEntry.target == "worker")
        assert len(list(unit.session.scalars(query))) >= 4


def test_group_administrators_cannot_change_more_powerful_accounts(
    client: Any, as_user: Any, chief: Any, as_admin: Any
) -> None:
    """T15: a user who sets the password of an account could use its permissions."""
    as_user(client, "vip", "PlatformProjectAdmin", groups=("press",))
    as_user(client, "both", "Reader", groups=("press", "other"))
    for username in ("vip", "both"):
        assert chief.patch(f"/api/users/{username}/profile", json={"password": GOOD}).status_code == 403
        assert chief.patch(f"/api/users/{username}", json={"disabled": True}).status_code == 403
        assert chief.delete(f"/api/users/{username}").status_code == 403
    assert chief.delete("/api/users/both/groups?groupName=press").status_code == 200
    assert chief.get("/api/users/both").status_code == 404


def test_the_last_platform_administrator_cannot_be_removed(client: Any, as_user: Any, as_admin: Any) -> None:
    """T15."""
    for user in as_admin.get("/api/users?adminData=true").json()["users"]:
        if "PlatformUserAdmin" in user["roles"] and user["username"] != "root":
            assert as_admin.delete(f"/api/users/{user['username']}").status_code == 200
    assert as_admin.patch("/api/users/root", json={"disabled": True}).status_code == 409
    assert as_admin.patch("/api/users/root", json={"roles": ["Reader"]}).status_code == 409
    assert as_admin.delete("/api/users/root").status_code == 409
    assert "PlatformUserAdmin" in as_admin.get("/api/users/root").json()["roles"]
    second = as_user(client, "second", "PlatformUserAdmin")
    assert second.patch("/api/users/root", json={"disabled": True}).status_code == 200
    assert second.patch("/api/users/second", json={"roles": []}).status_code == 409
    assert second.patch("/api/users/root", json={"disabled": False}).status_code == 200


def test_deleting_a_user(client: Any, as_user: Any, as_admin: Any, make_project: Any) -> None:
    owner = as_user(client, "owner", "ProjectManager", groups=("press",))
    personal, shared = make_project(owner="owner"), make_project(owner="owner", group="press")
    assert as_admin.delete("/api/users/owner?cascade=false").status_code == 409
    assert as_admin.delete("/api/users/owner").json() == {"ok": True}
    assert owner.get("/api/current_user").status_code == 401
    assert as_admin.delete("/api/users/owner").status_code == 404
    with unit_of_work(actor="tests", write=False) as unit:
        rows = [unit.session.get(Project, project.id) for project in (personal, shared)]
        assert [row.deleted_at is None for row in rows if row] == [False, True], "kept, the personal one marked deleted"
        assert [row.owner_id for row in rows if row] == [None, None]


def test_groups_of_a_user(client: Any, as_user: Any, as_admin: Any, chief: Any, outsider: Any) -> None:
    as_user(client, "mover", "Reader", groups=("press", "other"))
    both = [group["name"] for group in as_admin.get("/api/users/mover/groups").json()]
    assert both == ["other", "press"]
    assert [group["name"] for group in chief.get("/api/users/mover/groups").json()] == ["press"]
    assert chief.post("/api/users/mover/groups?groupName=press&replaceExisting=true").status_code == 403
    assert (
        as_admin.post("/api/users/mover/groups?groupName=press&groupName=press&replaceExisting=true").status_code == 200
    )
    assert [group["name"] for group in as_admin.get("/api/users/mover/groups").json()] == ["press"]
    assert as_admin.post("/api/users/mover/groups").status_code == 400
    assert as_admin.post("/api/users/mover/groups?groupName=absent").status_code == 404
    assert as_admin.delete("/api/users/mover/groups?groupName=press").json() == {"ok": True}
    assert as_admin.get("/api/users/mover/groups").json() == []


def test_users_change_their_own_profile(client: Any, as_user: Any) -> None:
    """S-070, V-005: display name, e-mail address, password."""
    nina = as_user(client, "nina")
    path = "/api/users/nina/profile"
    assert nina.patch(path, json={"profilename": "Nina N.", "email": "n@example.org"}).json() == {"ok": True}
    assert nina.get(path).json() == {"username": "nina", "profilename": "Nina N.", "email": "n@example.org"}
    assert "email" not in nina.get(f"{path}?privateData=false").json()
    nina.patch(path, json={"email": None})
    assert "email" not in nina.get(path).json()
    for body in (
        {"password": "short"},
        {"profilename": ""},
        {"roles": ["Reader"]},
        {"disabled": False},
        {"permissions": []},
    ):
        assert nina.patch(path, json=body).status_code == 400, body
    assert nina.patch("/api/users/root/profile", json={"profilename": "x"}).status_code in (403, 404)


def test_a_new_password_ends_the_other_sessions(client: Any, as_user: Any) -> None:
    other, own = as_user(client, "olga"), as_user(client, "olga")
    change = {"password": GOOD, "currentPassword": PASSWORD}
    assert own.patch("/api/users/olga/profile", json=change).status_code == 200
    assert own.get("/api/current_user").status_code == 200
    assert other.get("/api/current_user").status_code == 401
    statuses = [
        client.post("/api/auth/login", json={"email": "olga", "password": password}).status_code
        for password in (GOOD, PASSWORD)
    ]
    assert statuses == [200, 401]


def test_users_list_and_end_their_sessions(client: Any, as_user: Any, as_admin: Any) -> None:
    """R-005: users see their own sessions and end them, one or all but the current one; others may not."""
    as_user(client, "vera")
    for agent in ("Mozilla/5.0 (X11) Firefox/140.0", "curl/8\x00\x1b[31m"):
        login = {"email": "vera", "password": PASSWORD}
        token = client.post("/api/auth/login", json=login, headers={"user-agent": agent}).json()["access_token"]
    vera = {"Authorization": f"Bearer {token}"}
    path = "/api/users/vera/sign_ins"
    found = client.get(path, headers=vera).json()
    assert [one["current"] for one in found] == [True, False, False]
    assert [one["agent"] for one in found[:2]] == ["curl/8[31m", "Mozilla/5.0 (X11) Firefox/140.0"]
    assert found[0]["address"]
    assert found[0]["createdAt"] < found[0]["expiresAt"]

    assert client.get(path).status_code == 401
    stranger = as_user(client, "stranger")
    assert stranger.get(path).status_code == 404
    assert stranger.delete(path).status_code == 404
    colleague = as_user(client, "colleague", "Reader", groups=("desk",))
    as_user(client, "at-the-desk", groups=("desk",))
    assert colleague.get("/api/users/at-the-desk/sign_ins").status_code == 403
    assert as_admin.get(path).status_code == 200
    assert client.delete(f"{path}/1", headers=vera).status_code == 404

    assert client.delete(f"{path}/{found[1]['identifier']}", headers=vera).status_code == 200
    assert len(client.get(path, headers=vera).json()) == 2
    assert client.delete(path, headers=vera).status_code == 200
    (left,) = client.get(path, headers=vera).json()
    assert left["current"]
    assert as_admin.delete(f"{path}/{left['identifier']}").status_code == 200
    assert client.get(path, headers=vera).status_code == 401


def statements_of(call: Callable[[], Any]) -> list[str]:
    """The SQL statements that a call executes."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    engines = {get_database().read_engine, get_database().write_engine}
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        assert call().status_code == 200
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)
    return statements


def test_query_count_of_the_user_list_is_constant(client: Any, as_user: Any, make_project: Any) -> None:
    """S-068: whether each account can be changed is determined for all of them together."""
    chief = as_user(client, "list-chief", "GroupUserAdmin", "Reader", groups=("listed",))
    project = make_project(owner="list-chief", group="listed")
    counts = []
    for number in range(12):
        grants = ("Reader", f"readProject:{project.name}", "seeGlobalJobs" if number % 3 == 0 else "seeTour")
        as_user(client, f"listed-{number}", *grants, groups=("listed",))
        if number in (1, 11):
            counts.append(len(statements_of(lambda: chief.get("/api/users?adminData=true"))))
    assert counts[0] == counts[1]
    found = {one["username"]: one for one in chief.get("/api/users?adminData=true").json()["users"]}
    assert {name: one["administered"] for name, one in found.items() if name.startswith("listed-")} == {
        f"listed-{number}": number % 3 != 0 for number in range(12)
    }
    assert "seeGlobalJobs" in found["listed-0"]["whyNot"]


MINIMAL = ("Minimal",)


@pytest.mark.parametrize("grants", [MINIMAL, (*MINIMAL, "seeLogout"), ()])
def test_the_role_minimal_grants_access_to_the_own_account_only(
    client: Any, as_user: Any, member: Any, grants: tuple[str, ...]
) -> None:
    """P-056: names, groups and roles of others are not disclosed, not even to members of the same group."""
    as_user(client, "press-annotator", "Annotator", groups=("press",))
    minimal = as_user(client, "min", *grants, groups=("press",))
    assert names(minimal.get("/api/users")) == {"min"}
    assert minimal.get("/api/users/min").status_code == 200
    for path in ("", "/profile", "/groups"):
        assert minimal.get(f"/api/users/member{path}").status_code == 404
    own = {grant for grant in grants if grant == "Minimal"}
    assert {one["rolename"] for one in minimal.get("/api/roles").json()} == own
    assert minimal.get("/api/roles/Reader").status_code == 404
    reader = as_user(client, "min", *grants, "Reader", groups=("press",))
    assert {"min", "member"} <= names(reader.get("/api/users"))


def test_project_owners_can_list_users_to_share_with(client: Any, as_user: Any, member: Any, make_project: Any) -> None:
    """P-075: also with the role Minimal."""
    owner = as_user(client, "min-owner", "Minimal", groups=("press",))
    project = make_project(owner="min-owner")
    assert {"min-owner", "member"} <= names(owner.get("/api/users"))
    path = f"/api/projects/{project.name}/shares/users"
    shared = owner.post(path, params={"username": "member"}, json={"read": True, "write": False})
    assert shared.status_code in (200, 204), shared.text
