"""Who administers which account: administrators have no power beyond the groups they manage, and no user is locked out.

These attacks succeeded on a running installation: a group's user administrator took over an account without a group,
and a group that does not allow sign-in locked out the platform administrator.
"""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from annotarium.access import rights_revision
from annotarium.db.models import Group, Role, User, UserRole
from annotarium.db.unit_of_work import unit_of_work

PASSWORD = "correct horse battery"
GOOD = "a good long password"


@pytest.fixture
def chief(client: Any, as_user: Any) -> Any:
    """Manages the users of the group press, and nothing else."""
    return as_user(client, "chief", "GroupUserAdmin", "Reader", groups=("press",))


def closed_group(as_admin: Any, name: str) -> None:
    answer = as_admin.post("/api/groups", json={"label": name.title(), "name": name, "loginAllowed": False})
    assert answer.status_code == 200, answer.text


def groups_of(as_admin: Any, username: str) -> set[str]:
    return {group["name"] for group in as_admin.get(f"/api/users/{username}/groups").json()}


def refused(answer: Any, *statuses: int) -> bool:
    assert answer.status_code in (statuses or (403, 404)), answer.text
    return True


def test_an_account_without_a_group_cannot_be_taken_over(client: Any, as_user: Any, chief: Any, as_admin: Any) -> None:
    """The whole attack: give oneself the permission, leave the group, add the victim to it, set the victim's
    password."""
    as_user(client, "alone", "ProjectManager")
    chief.patch("/api/users/chief", json={"permissions": ["createUserIn:press"]})
    chief.delete("/api/users/chief/groups?groupName=press")
    assert refused(chief.post("/api/users/alone/groups?groupName=press"))
    assert refused(chief.patch("/api/users/alone/profile", json={"password": GOOD}))
    assert groups_of(as_admin, "alone") == set()
    login = client.post("/api/auth/login", json={"email": "alone", "password": PASSWORD})
    assert login.status_code == 200


def test_direct_permissions_on_a_group_end_with_membership(chief: Any, as_admin: Any) -> None:
    """Otherwise a user who was removed from a group would still administer it."""
    assert chief.patch("/api/users/chief", json={"permissions": ["createUserIn:press", "useSearch"]}).status_code == 200
    assert as_admin.delete("/api/users/chief/groups?groupName=press").status_code == 200
    assert as_admin.get("/api/users/chief").json()["permissions"] == ["useSearch"]
    assert chief.get("/api/permissions").status_code == 403


def test_only_the_platform_sees_accounts_without_a_group(client: Any, as_user: Any, as_admin: Any) -> None:
    """Neither other users without a group see them, nor users who manage a group from outside."""
    as_user(client, "alone", "Reader")
    for grants in (("Reader",), ("createUserIn:press",)):
        other = as_user(client, "other-alone", *grants)
        assert "alone" not in {user["username"] for user in other.get("/api/users").json()["users"]}
        assert other.get("/api/users/alone").status_code == 404
        assert other.get("/api/users/alone/profile").status_code == 404
        assert other.get("/api/users/alone/groups").status_code == 404
    assert as_admin.get("/api/users/alone").status_code == 200


def test_members_of_other_groups_cannot_be_added_to_the_callers_group(client: Any, as_user: Any, as_admin: Any) -> None:
    as_user(client, "of-news", groups=("news",))
    two = as_user(client, "two-groups", "createUserIn:press", "createUserIn:news", "Reader", groups=("press",))
    as_user(client, "between", "Reader", groups=("press", "foreign"))
    as_user(client, "within", "Reader", groups=("press",))
    assert refused(two.post("/api/users/between/groups?groupName=news"), 403)
    assert two.post("/api/users/within/groups?groupName=news").status_code == 200
    assert two.post("/api/users/within/groups?groupName=news&replaceExisting=true").status_code == 200
    assert groups_of(as_admin, "within") == {"news"}


@pytest.mark.parametrize("way", ["own", "share", "named", "personal"])
def test_setting_a_password_requires_power_over_every_project_of_the_account(
    client: Any, as_user: Any, chief: Any, make_project: Any, way: str
) -> None:
    """A project of another group, or of none, is outside the administrator's powers, however the account gets access to
    it.
    """
    grants: tuple[str, ...] = ("Reader",)
    if way == "named":
        grants += (f"writeProject:{make_project(owner='root', group='foreign').name}",)
    as_user(client, "linked", *grants, groups=("press",))
    if way == "own":
        make_project(owner="linked", group="foreign")
    elif way == "share":
        make_project(owner="root", group="foreign", readers=("linked",))
    elif way == "personal":
        make_project(owner="linked")
    for change in ({"password": GOOD}, {"email": "x@example.org"}, {"profilename": "X"}):
        assert refused(chief.patch("/api/users/linked/profile", json=change), 403)
    assert refused(chief.patch("/api/users/linked", json={"disabled": True}), 403)
    assert refused(chief.delete("/api/users/linked"), 403)
    shown = chief.get("/api/users/linked").json()
    assert shown["administered"] is False
    assert shown["whyNot"]


def test_group_administrators_manage_ordinary_members(
    client: Any, as_user: Any, chief: Any, make_project: Any, as_admin: Any
) -> None:
    """Covers their own projects in the group, what is shared with the group, and roles with project permissions
    only."""
    as_user(client, "ordinary", "ProjectManager", "GroupProjectAdmin", groups=("press",))
    make_project(owner="ordinary", group="press")
    make_project(owner="root", group="press", writers=("ordinary",))
    make_project(owner="root", group="foreign", group_writers=("press",))
    assert chief.get("/api/users/ordinary").json()["administered"] is True
    assert chief.patch("/api/users/ordinary/profile", json={"password": GOOD}).status_code == 200
    assert client.post("/api/auth/login", json={"email": "ordinary", "password": GOOD}).status_code == 200
    assert chief.patch("/api/users/ordinary", json={"disabled": True}).status_code == 200
    assert chief.patch("/api/users/ordinary", json={"disabled": False}).status_code == 200
    assert chief.delete("/api/users/ordinary/groups?groupName=press").status_code == 200
    assert groups_of(as_admin, "ordinary") == set()


@pytest.mark.parametrize("grant", ["useProduction", "seeGlobalJobs", "readProject:*", "createUserIn:foreign"])
def test_changing_an_account_requires_its_non_project_permissions(
    client: Any, as_user: Any, chief: Any, grant: str
) -> None:
    as_user(client, "strong", "Reader", grant, groups=("press",))
    assert refused(chief.patch("/api/users/strong/profile", json={"password": GOOD}), 403)
    assert refused(chief.delete("/api/users/strong"), 403)


def test_a_manager_of_all_users_cannot_take_over_a_platform_user_administrator(
    client: Any, as_user: Any, as_admin: Any
) -> None:
    """`createUserIn:*` alone is less than the role Platform User Admin."""
    clerk = as_user(client, "clerk", "createUserIn:*", "Reader")
    as_user(client, "full", "PlatformUserAdmin")
    as_user(client, "plain", "ProjectManager")
    assert refused(clerk.patch("/api/users/full/profile", json={"password": GOOD}), 403)
    assert refused(clerk.patch("/api/users/full", json={"disabled": True}), 403)
    assert refused(clerk.delete("/api/users/full"), 403)
    assert clerk.patch("/api/users/plain/profile", json={"password": GOOD}).status_code == 200
    full = as_user(client, "full", "PlatformUserAdmin")
    assert full.patch("/api/users/clerk/profile", json={"password": GOOD}).status_code == 200


def test_adding_a_member_cannot_grant_permissions_the_caller_lacks(client: Any, as_user: Any) -> None:
    """A role whose permissions follow its holder's groups grows with each group."""
    as_user(client, "of-news", groups=("news",))
    giver = as_user(client, "giver", "createUserIn:press", "createUserIn:news", "writeGroup:press", groups=("press",))
    as_user(client, "grower", "GroupUserAdmin", groups=("press",))
    assert refused(giver.post("/api/users/grower/groups?groupName=news"), 403)


def test_removing_a_member_cannot_revoke_permissions_the_caller_lacks(client: Any, as_user: Any, as_admin: Any) -> None:
    """Without the role of the group, the account could be taken over by the user who removed it."""
    as_user(client, "seed", "Reader", groups=("press", "news"))
    role = {"label": "Sees all", "rolename": "SeesAll", "permissions": ["seeGlobalJobs"]}
    assert as_admin.post("/api/roles?groupName=press", json=role).status_code == 200
    assert as_admin.patch("/api/users/seed", json={"roles": ["Reader", "SeesAll"]}).status_code == 200
    taker = as_user(client, "taker", "createUserIn:press", "createUserIn:news", "writeGroup:press", groups=("press",))
    assert refused(taker.delete("/api/users/seed/groups?groupName=press"), 403)
    assert refused(taker.delete("/api/roles/SeesAll"), 403)
    assert as_admin.delete("/api/users/seed/groups?groupName=press").status_code == 200


def test_names_of_other_tenants_are_not_disclosed(client: Any, as_user: Any, chief: Any, as_admin: Any) -> None:
    """Neither filters of lists nor refusals disclose them: missing and invisible names get the same response."""
    as_user(client, "in-both", "Reader", groups=("press", "hidden"))
    assert chief.get("/api/users?groupName=hidden").json() == chief.get("/api/users?groupName=nowhere").json()
    assert [group["name"] for group in chief.get("/api/users/in-both").json()["groups"]] == ["press"]
    role = {"label": "Hidden role", "rolename": "HiddenRole", "permissions": []}
    assert as_admin.post("/api/roles?groupName=hidden", json=role).status_code == 200
    as_user(client, "pupil", "Reader", groups=("press",))

    def answer_of(method: str, path: str, body: Any) -> tuple[str, ...]:
        answers = []
        for name in ("HiddenRole", "NoSuchRole"):
            answer = chief.request(method, path, json={key: [name] for key in body})
            assert answer.status_code == 400
            answers.append(str(answer.json()["details"]).replace(name, "NAME"))
        return tuple(answers)

    for path, body in (("/api/users/pupil", ("roles",)), ("/api/groups/press", ("attachedRoles",))):
        there, absent = answer_of("PATCH", path, body)
        assert there == absent


# No user is locked out


def test_a_group_without_sign_in_does_not_lock_out_administrators(client: Any, as_user: Any, as_admin: Any) -> None:
    """The platform administrator has no group at first start: after being added to a closed one, signing in was
    impossible.
    """
    closed_group(as_admin, "shut")
    holder = as_user(client, "holder", "createUserIn:shut")
    victim = as_user(client, "boss", "PlatformUserAdmin")
    assert refused(holder.post("/api/users/boss/groups?groupName=shut"))
    assert refused(as_admin.post("/api/users/boss/groups?groupName=shut"), 409)
    assert victim.get("/api/current_user").status_code == 200
    as_user(client, "member", "Reader", groups=("press",))
    assert refused(as_admin.post("/api/users/member/groups?groupName=shut&replaceExisting=true"), 409)
    assert as_admin.post("/api/users/member/groups?groupName=shut").status_code == 200, "the other group lets in"
    assert refused(as_admin.delete("/api/users/member/groups?groupName=press"), 409)
    assert as_admin.delete("/api/users/member/groups?groupName=press&groupName=shut").status_code == 200


def test_closing_a_group_requires_power_over_all_locked_out_members(client: Any, as_user: Any, as_admin: Any) -> None:
    as_user(client, "one", "Reader", groups=("toclose",))
    writer = as_user(client, "writer", "writeGroup:*", groups=("press",))
    assert refused(writer.patch("/api/groups/toclose", json={"loginAllowed": False}), 403)
    as_user(client, "self-closer", "PlatformUserAdmin", groups=("toclose",))
    own = as_user(client, "self-closer", "PlatformUserAdmin", groups=("toclose",))
    assert refused(own.patch("/api/groups/toclose", json={"loginAllowed": False}), 409)
    as_user(client, "self-closer", "PlatformUserAdmin")
    assert as_admin.patch("/api/groups/toclose", json={"loginAllowed": False}).status_code == 200
    assert refused(writer.patch("/api/groups/toclose", json={"loginAllowed": True}), 403)


def test_a_group_whose_removal_locks_users_out_is_not_removed(client: Any, as_user: Any, as_admin: Any) -> None:
    closed_group(as_admin, "bolted")
    as_user(client, "hanging", "Reader", groups=("bolted", "leaving"))
    assert refused(as_admin.delete("/api/groups/leaving"), 409)
    assert as_admin.delete("/api/groups/bolted").status_code == 200
    assert as_admin.delete("/api/groups/leaving").status_code == 200


def test_group_administrators_cannot_readmit_locked_out_users(client: Any, as_user: Any, as_admin: Any) -> None:
    """The platform disables sign-in for a group to shut users out: its user administrator cannot undo that."""
    closed_group(as_admin, "cellar")
    as_user(client, "former", "PlatformProjectAdmin", groups=("cellar",))
    keeper = as_user(client, "keeper", "createUserIn:cellar")
    assert refused(keeper.delete("/api/users/former/groups?groupName=cellar"), 403)


def _end_all_administrators_but(as_admin: Any, *kept: str) -> None:
    for user in as_admin.get("/api/users?adminData=true").json()["users"]:
        named = {"PlatformUserAdmin"} & set(user["roles"]) or {"createUserIn:*"} & set(user["permissions"])
        if named and user["username"] not in (*kept, "root"):
            assert as_admin.delete(f"/api/users/{user['username']}").status_code == 200


def test_administrators_who_cannot_sign_in_do_not_count_as_the_last(client: Any, as_user: Any, as_admin: Any) -> None:
    """The last platform administrator is the last one who can sign in: every operation that could change that checks
    it.
    """
    closed_group(as_admin, "asleep")
    as_user(client, "sleeper", "PlatformUserAdmin", groups=("asleep",))
    _end_all_administrators_but(as_admin, "sleeper")
    assert refused(as_admin.patch("/api/users/root", json={"roles": ["Reader"]}), 409)
    assert refused(as_admin.patch("/api/users/root", json={"disabled": True}), 409)
    second = as_user(client, "second", "PlatformUserAdmin")
    assert refused(second.post("/api/users/root/groups?groupName=asleep"), 409)
    role = {"label": "All users", "rolename": "AllUsers", "permissions": ["createUserIn:*"]}
    as_user(client, "root", "PlatformUserAdmin", groups=("held",))
    assert second.post("/api/roles?groupName=held", json=role).status_code == 200
    assert (
        second.patch("/api/users/root", json={"roles": ["AllUsers"], "permissions": ["writeGroup:*"]}).status_code
        == 200
    )
    root = as_admin
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.scalars(select(User).where(User.username == "second")).one().disabled = True
        rights_revision.note_rights_change(unit.session)
    calls: list[tuple[str, str, Any]] = [
        ("DELETE", "/api/users/root/groups?groupName=held", None),
        ("DELETE", "/api/groups/held", None),
        ("DELETE", "/api/roles/AllUsers", None),
        ("PATCH", "/api/roles/AllUsers", {"permissions": []}),
    ]
    for method, path, body in calls:
        answer = root.request(method, path, json=body)
        assert (answer.status_code, method, path) == (409, method, path), answer.text


# Roles of other groups, and the own password


def test_a_role_of_another_group_cannot_be_attached(client: Any, as_user: Any, as_admin: Any) -> None:
    as_admin.post("/api/groups", json={"label": "First", "name": "first"})
    as_admin.post("/api/groups", json={"label": "Second", "name": "second"})
    role = {"label": "Of the first", "rolename": "OfTheFirst", "permissions": ["useSearch", "createUserIn:{group}"]}
    assert as_admin.post("/api/roles?groupName=first", json=role).status_code == 200
    for field in ("attachedRoles", "systemAttachedRoles"):
        answer = as_admin.patch("/api/groups/second", json={field: ["OfTheFirst"]})
        assert refused(answer, 400)
        assert answer.json()["details"][0]["field"] == field
        assert refused(as_admin.post("/api/groups", json={"label": "Third", field: ["OfTheFirst"]}), 400)
        assert as_admin.patch("/api/groups/first", json={field: ["OfTheFirst"]}).status_code == 200
    with unit_of_work(actor="tests", write=True) as unit:  # as an older release allowed it
        second = unit.session.scalars(select(Group).where(Group.name == "second")).one()
        second.attached_roles = ["OfTheFirst"]
    body = {"username": "attached", "password": GOOD}
    assert as_admin.post("/api/users?groupName=second", json=body).status_code == 200
    answer = client.post("/api/auth/login", json={"email": "attached", "password": GOOD})
    assert answer.status_code == 200


def test_an_existing_role_of_another_group_grants_nothing(client: Any, as_user: Any, as_admin: Any) -> None:
    as_admin.post("/api/groups", json={"label": "Strange", "name": "strange"})
    role = {"label": "Strange role", "rolename": "StrangeRole", "permissions": ["useSearch", "writeGroup:{group}"]}
    assert as_admin.post("/api/roles?groupName=strange", json=role).status_code == 200
    stray = as_user(client, "stray", groups=("plain",))
    with unit_of_work(actor="tests", write=True) as unit:
        role_id = unit.session.scalar(select(Role.id).where(Role.rolename == "StrangeRole"))
        user_id = unit.session.scalar(select(User.id).where(User.username == "stray"))
        unit.session.add(UserRole(user_id=user_id, role_id=role_id))
        rights_revision.note_rights_change(unit.session)
    answer = stray.get("/api/users/stray?jwtFormat=true")
    assert answer.status_code == 200
    assert answer.json()["permissions"] == []
    assert client.post("/api/auth/login", json={"email": "stray", "password": PASSWORD}).status_code == 200


def test_a_deleted_role_is_detached_from_all_groups(as_admin: Any) -> None:
    """Otherwise another role could be created with its name, and all new users of the group would get it."""
    as_admin.post("/api/roles", json={"label": "Brief", "rolename": "Brief", "permissions": ["useSearch"]})
    group = as_admin.post("/api/groups", json={"label": "Keeps roles", "attachedRoles": ["Brief", "Reader"]}).json()
    assert as_admin.delete("/api/roles/Brief").status_code == 200
    assert as_admin.get(f"/api/groups/{group['name']}").json()["attachedRoles"] == ["Reader"]


def test_changing_the_own_password_requires_the_old_one(client: Any, as_user: Any, as_admin: Any) -> None:
    nina = as_user(client, "nina-old")
    path = "/api/users/nina-old/profile"
    for wrong in ({}, {"currentPassword": "not this one"}, {"currentPassword": ""}, {"currentPassword": None}):
        answer = nina.patch(path, json={"password": GOOD} | wrong)
        assert refused(answer, 400)
        assert answer.json()["details"][0]["field"] == "currentPassword"
    assert nina.patch(path, json={"password": GOOD, "currentPassword": PASSWORD}).status_code == 200
    assert client.post("/api/auth/login", json={"email": "nina-old", "password": GOOD}).status_code == 200
    assert nina.patch(path, json={"profilename": "Nina"}).status_code == 200, "the name needs no password"
    assert as_admin.patch(path, json={"password": PASSWORD}).status_code == 200, "an administrator has no old one"


def test_guesses_of_the_own_password_are_limited(client: Any, as_user: Any) -> None:
    """A session left open must not allow unlimited password attempts."""
    open_ = as_user(client, "left-open")
    change = {"password": GOOD, "currentPassword": "wrong wrong"}
    answers = [open_.patch("/api/users/left-open/profile", json=change).status_code for _ in range(12)]
    assert answers[0] == 400
    assert answers[-1] == 429
