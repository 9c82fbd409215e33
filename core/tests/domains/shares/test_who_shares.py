"""Who may share a project, who may end a share, and what happens to shares when the owner changes."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from support.live_events import args_of

from annotarium.db.models import Group, Project, User
from annotarium.db.unit_of_work import Event, unit_of_work

READ = {"read": True, "write": False}
WRITE = {"read": True, "write": True}


@pytest.fixture
def owner(client: Any, as_user: Any) -> Any:
    return as_user(client, "owner", "ProjectManager", groups=("press",))


@pytest.fixture
def path(owner: Any, make_project: Any) -> str:
    """A project of the group press, with a read share for `reader` and for the group press, and a write share for
    `writer`.
    """
    made = make_project(
        owner="owner", group="press", readers=("reader",), writers=("writer",), group_readers=("press",)
    )
    return f"/api/projects/{made.name}"


@pytest.fixture
def people(client: Any, as_user: Any) -> Any:
    """Callers by name, each a member of the group press with the given permissions."""
    return lambda name, *grants: as_user(client, name, *grants, groups=("press",))


SHARERS = pytest.mark.parametrize(
    ("name", "grants", "status"),
    [
        ("reader", ("shareProject",), 403),
        ("writer", (), 403),
        ("writer", ("shareProject",), 204),
        ("owner", ("Reader",), 204),
    ],
    ids=["reads and may share", "writes", "writes and may share", "owns"],
)
"""Who may share: users who write the project and have the permission to share; and its owner."""


def modes(caller: Any, path: str, kind: str = "users") -> dict[str, bool]:
    """The holders of shares, and whether each share permits writing."""
    rows = caller.get(f"{path}/shares/{kind}").json()
    return {row.get("username") or row.get("groupName"): row["mode"]["write"] for row in rows}


@SHARERS
def test_sharing_requires_write_access_and_the_permission(
    path: str, owner: Any, people: Any, name: str, grants: tuple[str, ...], status: int
) -> None:
    """A user with read access cannot share, whatever permissions they have elsewhere."""
    caller = people(name, *grants)
    people("friend", "Reader")
    assert caller.post(f"{path}/shares/users?username=friend", json=READ).status_code == status
    assert caller.post(f"{path}/shares/groups?groupName=press", json=WRITE).status_code == status
    assert ("friend" in modes(owner, path)) is (status == 204)
    assert modes(owner, path, "groups")["press"] is (status == 204)


@SHARERS
def test_ending_a_share_of_another_user_requires_the_permission(
    path: str, owner: Any, people: Any, name: str, grants: tuple[str, ...], status: int
) -> None:
    caller = people(name, *grants)
    people("friend", "Reader")
    assert owner.post(f"{path}/shares/users?username=friend", json=READ).status_code == 204
    shown = {row["username"]: row["canRevoke"] for row in caller.get(f"{path}/shares/users").json()}
    shown_groups = [row["canRevoke"] for row in caller.get(f"{path}/shares/groups").json()]
    assert (shown["friend"], shown_groups) == (status == 204, [status == 204])
    assert caller.delete(f"{path}/shares/users/friend").status_code == status
    assert caller.delete(f"{path}/shares/groups/press").status_code == status
    assert ("friend" in modes(owner, path)) is (status == 403)
    assert ("press" in modes(owner, path, "groups")) is (status == 403)


def test_the_creator_of_a_share_can_end_it_while_writing(path: str, owner: Any, people: Any) -> None:
    """Also after the permission to share was revoked; no longer once they have only read access."""
    writer = people("writer", "shareProject")
    for friend in ("friend", "other"):
        people(friend, "Reader")
        assert writer.post(f"{path}/shares/users?username={friend}", json=READ).status_code == 204
    writer = people("writer")
    assert writer.delete(f"{path}/shares/users/friend").status_code == 204
    assert owner.post(f"{path}/shares/users?username=writer", json=READ).status_code == 204
    assert writer.delete(f"{path}/shares/users/other").status_code == 403


def test_a_share_grants_at_least_read_access(path: str, owner: Any) -> None:
    nothing = {"read": False, "write": False}
    assert owner.post(f"{path}/shares/groups?groupName=press", json=nothing).status_code == 400
    assert owner.post(f"{path}/shares/users?username=reader", json=nothing).status_code == 400
    assert modes(owner, path) == {"reader": False, "writer": True}
    assert owner.post(f"{path}/shares/users?username=reader", json={"read": False, "write": True}).status_code == 204
    assert modes(owner, path) == {"reader": True, "writer": True}


def test_sharing_again_changes_the_mode_of_the_one_share(path: str, owner: Any) -> None:
    for body, writes in ((WRITE, True), (READ, False)):
        assert owner.post(f"{path}/shares/groups", json=body).status_code == 204, "without a name: the project's group"
        assert modes(owner, path, "groups") == {"press": writes}


def test_leaving_ends_the_user_share_and_the_group_share(path: str, people: Any, client: Any, as_user: Any) -> None:
    """A user with either share alone can leave as well; without a share there is nothing to leave."""
    reader = people("reader")
    assert reader.post(f"{path}/shares/_leave").status_code == 204
    assert reader.get(f"{path}/_info").status_code == 404
    writer = as_user(client, "writer")
    assert writer.get(f"{path}/_info").status_code == 200
    assert writer.post(f"{path}/shares/_leave").status_code == 204
    assert writer.get(f"{path}/_info").status_code == 404
    stranger = as_user(client, "stranger", "readProject:*")
    assert stranger.post(f"{path}/shares/_leave").status_code == 404
    assert stranger.delete(f"{path}/shares/users/nobody").status_code == 404


@pytest.mark.parametrize(
    ("grants", "status"),
    [(("shareProject",), 403), (("writeProject:*",), 403), (("writeProject:*", "shareProject"), 200)],
)
def test_changing_the_owner_requires_ownership_or_both_platform_permissions(
    path: str, people: Any, grants: tuple[str, ...], status: int
) -> None:
    caller = people("writer", *grants)
    people("friend", "Reader")
    assert caller.post(f"{path}/_chgrp?groupName=press").status_code == status
    assert caller.post(f"{path}/_chown?username=friend").status_code == status


def test_a_new_owner_keeps_the_projects_group_or_brings_his_own(
    path: str, owner: Any, people: Any, client: Any, as_user: Any
) -> None:
    as_user(client, "friend", "Reader", groups=("abroad", "press"))
    assert owner.post(f"{path}/_chown?username=friend").json() == {"username": "friend", "groupName": "press"}
    friend = as_user(client, "friend", "ProjectManager", groups=("abroad", "press"))
    before = friend.get(f"{path}/_info").json()
    assert before["owner"]["username"] == "friend"
    as_user(client, "groupless", "Reader")
    admin = as_user(client, "platform", "PlatformProjectAdmin")
    assert admin.post(f"{path}/_chown?username=groupless").json() == {"username": "groupless", "groupName": ""}
    assert "group" not in admin.get(f"{path}/_info").json() or not admin.get(f"{path}/_info").json()["group"]


def test_a_disabled_account_cannot_become_owner(path: str, owner: Any, people: Any) -> None:
    people("idle", "Reader")
    with unit_of_work(actor="", write=True) as work:
        work.session.scalars(select(User).where(User.username == "idle")).one().disabled = True
    assert owner.post(f"{path}/_chown?username=idle").status_code == 400
    assert owner.get(f"{path}/_info").json()["owner"]["username"] == "owner"


def test_a_full_group_accepts_no_further_project(path: str, client: Any, as_user: Any, make_project: Any) -> None:
    """Its limit applies when the group of a new owner becomes the project's, and when the project is moved."""
    giver = as_user(client, "mover", "ProjectManager", groups=("full",))
    as_user(client, "taker", "Reader", groups=("full",))
    moved = f"/api/projects/{make_project(owner='mover').name}"
    with unit_of_work(actor="", write=True) as work:
        work.session.scalars(select(Group).where(Group.name == "full")).one().max_projects = 0
    assert giver.post(f"{moved}/_chown?username=taker").status_code == 409
    assert giver.post(f"{moved}/_chown?username=taker&dryRun=true").status_code == 409
    assert giver.post(f"{moved}/_chgrp?groupName=full").status_code == 409
    assert giver.get(f"{moved}/_info").json()["owner"]["username"] == "mover"


@pytest.mark.parametrize("users", [False, True])
@pytest.mark.parametrize("groups", [False, True])
def test_moving_to_another_group_removes_the_requested_shares(
    path: str, client: Any, as_user: Any, users: bool, groups: bool
) -> None:
    owner = as_user(client, "owner", "ProjectManager", groups=("press", "cinema"))
    query = f"deleteExistingUserShares={users}&deleteExistingGroupShares={groups}"
    assert owner.post(f"{path}/_chgrp?groupName=cinema&{query}").json()["groupName"] == "cinema"
    assert modes(owner, path) == ({} if users else {"reader": False, "writer": True})
    assert modes(owner, path, "groups") == ({} if groups else {"press": False})


@pytest.mark.parametrize("read_only", [False, True])
def test_the_new_group_gets_the_requested_share(path: str, client: Any, as_user: Any, read_only: bool) -> None:
    owner = as_user(client, "owner", "ProjectManager", groups=("press", "cinema"))
    assert owner.post(f"{path}/_chgrp?groupName=cinema&shareWithNewGroup=true&readOnlyShare={read_only}").is_success
    assert modes(owner, path, "groups") == {"press": False, "cinema": not read_only}


def test_ownership_changes_are_audited_and_notified(
    path: str, owner: Any, people: Any, emitted_events: list[Event]
) -> None:
    """The version increases for clients that compare it; both owners receive an event (T-007)."""
    people("friend", "Reader")
    name = path.rpartition("/")[2]

    def row() -> Project:
        with unit_of_work(actor="", write=False) as work:
            return work.session.scalars(select(Project).where(Project.name == name)).one()

    before = row()
    assert owner.post(f"{path}/_chown?username=friend&dryRun=true").status_code == 200
    assert (row().version, args_of(emitted_events, "visibility")) == (before.version, [])
    assert owner.post(f"{path}/_chown?username=friend").status_code == 200
    assert (row().version, row().modified_by) == (before.version + 1, "owner")
    assert {"friend", "owner"} <= {event.user for event in emitted_events if event.mutation == "visibility"}


def test_users_losing_or_gaining_a_project_are_notified(
    path: str, client: Any, as_user: Any, emitted_events: list[Event]
) -> None:
    owner = as_user(client, "owner", "ProjectManager", groups=("press", "cinema"))
    as_user(client, "viewer", "Reader", groups=("cinema",))
    as_user(client, "pressman", "Reader", groups=("press",))
    query = "deleteExistingUserShares=true&deleteExistingGroupShares=true"
    assert owner.post(f"{path}/_chgrp?groupName=cinema&{query}").is_success
    assert {"viewer", "pressman", "reader", "writer"} <= {
        event.user for event in emitted_events if event.mutation == "visibility"
    }
