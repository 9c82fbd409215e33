"""Shares and owners: invisible users can be neither reached nor discovered; receivers see who shared, and can leave."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from annotarium.db.models import Group, Project
from annotarium.db.unit_of_work import unit_of_work

READ = {"read": True, "write": False}


@pytest.fixture
def owner(client: Any, as_user: Any) -> Any:
    return as_user(client, "owner", "ProjectManager", groups=("press",))


@pytest.fixture
def tenants(client: Any, as_user: Any) -> None:
    """Users and a group of another tenant, and an account without any group."""
    as_user(client, "foreigner", "ProjectManager", groups=("foreign",))
    as_user(client, "alone", "Reader")


def status_and_text(answer: Any, name: str) -> tuple[int, str]:
    """Status and text of a response, without the name in the request."""
    return answer.status_code, str({key: value for key, value in answer.json().items() if key != "errorId"}).replace(
        name, "NAME"
    )


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "shares/users?username={user}", READ),
        ("DELETE", "shares/users/{user}", None),
        ("POST", "shares/groups?groupName={group}", READ),
        ("DELETE", "shares/groups/{group}", None),
        ("POST", "_chown?username={user}", None),
        ("POST", "_chown?username={user}&dryRun=true", None),
        ("POST", "_chgrp?groupName={group}", None),
    ],
)
def test_invisible_and_missing_users_give_the_same_response(
    owner: Any, tenants: None, make_project: Any, method: str, path: str, body: Any
) -> None:
    project = make_project(owner="owner", group="press").name
    answers = set()
    for user, group in (("foreigner", "foreign"), ("alone", "foreign"), ("nosuchone", "nosuchgroup")):
        address = f"/api/projects/{project}/{path.format(user=user, group=group)}"
        answer = owner.request(method, address, json=body)
        answers.add(status_and_text(answer, user if "{user}" in path else group))
    assert len(answers) == 1, answers
    assert answers.pop()[0] == 404


def test_batch_changes_do_not_reach_invisible_users(
    client: Any, as_user: Any, tenants: None, make_project: Any
) -> None:
    """A caller with both permissions on projects by name sees no more users than before."""
    mover = as_user(client, "mover", "ProjectManager", groups=("press",))
    project = make_project(owner="mover", group="press").name
    body = {"migration": {"operations": [{"users": {"username": "foreigner"}, "receive": {"ownership": [project]}}]}}
    assert mover.post("/api/projects/_batch_chown_and_share", json=body).status_code == 403
    platform = as_user(client, "platform-projects", "PlatformProjectAdmin")
    assert "foreigner" in {user["username"] for user in platform.get("/api/users").json()["users"]}
    assert platform.post("/api/projects/_batch_chown_and_share", json=body).json()["ownershipChanges"]


def test_a_transferred_project_gets_a_group_visible_to_the_former_owner(
    client: Any, as_user: Any, owner: Any, make_project: Any
) -> None:
    """The receiver's other groups are not disclosed, and projects transferred by others do not count against their
    limits.
    """
    as_user(client, "both", "Reader", groups=("absent-minded", "press"))
    with unit_of_work(actor="", write=True) as unit:
        unit.session.scalars(select(Group).where(Group.name == "absent-minded")).one().max_projects = 0
    project = make_project(owner="owner").name
    path = f"/api/projects/{project}/_chown?username=both"
    assert owner.post(f"{path}&dryRun=true").json() == {"username": "both", "groupName": "press"}
    assert owner.post(path).json() == {"username": "both", "groupName": "press"}


def test_limits_count_projects_by_creator(client: Any, as_user: Any, make_project: Any) -> None:
    """C-041, maxProjectsPerUser: received projects do not count for the receiver, and transferred ones still count for
    their creator.
    """
    giver = as_user(client, "giver", "ProjectManager", groups=("counted",))
    taker = as_user(client, "taker", "ProjectManager", groups=("counted",))
    with unit_of_work(actor="", write=True) as unit:
        unit.session.scalars(select(Group).where(Group.name == "counted")).one().max_projects_per_user = 1
    name = giver.post("/api/projects", json={"label": "Pushed"}).json()["projectName"]
    assert giver.post(f"/api/projects/{name}/_chown?username=taker").status_code == 200
    assert taker.post("/api/projects", json={"label": "Own"}).status_code == 200
    assert taker.post("/api/projects", json={"label": "Second"}).status_code == 409
    assert giver.post("/api/projects", json={"label": "Again"}).status_code == 409


def test_a_receiver_sees_who_shared_and_can_leave(client: Any, as_user: Any, owner: Any, make_project: Any) -> None:
    receiver = as_user(client, "receiver", "Reader", groups=("press",))
    project = make_project(owner="owner", group="press").name
    path = f"/api/projects/{project}"
    assert owner.post(f"{path}/shares/users?username=receiver", json=READ).status_code == 204
    assert receiver.get(f"{path}/_info").json()["sharedBy"] == ["owner"]
    (listed,) = [one for one in receiver.get("/api/projects").json() if one["name"] == project]
    assert listed["sharedBy"] == ["owner"]
    assert receiver.get(f"{path}/shares/users").json()[0]["sharedBy"] == "owner"
    assert "sharedBy" not in owner.get(f"{path}/_info").json()
    assert receiver.delete(f"{path}/shares/users/receiver").status_code == 204
    assert receiver.get(f"{path}/_info").status_code == 404


def test_a_member_can_leave_a_group_share(client: Any, as_user: Any, owner: Any, make_project: Any) -> None:
    """For this member only: the others keep it."""
    member, other = (as_user(client, name, "Reader", groups=("press",)) for name in ("leaver", "stayer"))
    project = make_project(owner="owner", group="press").name
    path = f"/api/projects/{project}"
    assert owner.post(f"{path}/shares/groups", json=READ).status_code == 204
    assert member.get(f"{path}/_info").json()["sharedBy"] == ["owner"]
    assert member.get(f"{path}/shares/groups").json()[0]["sharedBy"] == "owner"
    assert member.post(f"{path}/shares/_leave").status_code == 204
    assert member.get(f"{path}/_info").status_code == 404
    assert project not in {one["name"] for one in member.get("/api/projects").json()}
    assert member.post(f"{path}/shares/_leave").status_code == 404
    assert other.get(f"{path}/_info").status_code == 200
    assert owner.post(f"{path}/shares/_leave").status_code == 204, "the owner's own group, of no effect for the owner"
    assert owner.get(f"{path}/_info").json()["readOnly"] is False
    assert owner.post(f"{path}/shares/users?username=leaver", json=READ).status_code == 204
    assert member.get(f"{path}/_info").status_code == 200, "shared with the person, it opens again"


def test_the_owner_can_end_a_share_with_an_invisible_user(
    client: Any, as_user: Any, owner: Any, tenants: None, make_project: Any
) -> None:
    """The owner sees the name in the list of shares, so it is not secret there."""
    project = make_project(owner="owner", group="press", readers=("foreigner",), group_readers=("foreign",)).name
    path = f"/api/projects/{project}/shares"
    assert owner.post(f"{path}/users?username=foreigner", json={"read": True, "write": True}).status_code == 204
    assert owner.delete(f"{path}/users/foreigner").status_code == 204
    assert owner.delete(f"{path}/groups/foreign").status_code == 204
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.scalars(select(Project).where(Project.name == project)).one().owner_id is not None
