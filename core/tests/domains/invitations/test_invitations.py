"""Invitations: links that give a share of a project to the signed-in users who accept them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select, update
from support.live_events import args_of

from annotarium.access import rights_revision
from annotarium.db.identifiers import now_ms
from annotarium.db.models import AuditEntry, Invitation, Project, User
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.domains.invitations.attempt_limits import invitation_limits
from annotarium.domains.invitations.schemas import DAYS_DEFAULT, DAYS_MAX
from annotarium.domains.invitations.service import DAY_MS

NOT_VALID = "This invitation is not valid"


@pytest.fixture(autouse=True)
def _no_attempts() -> Iterator[None]:
    invitation_limits.forget_all()
    yield
    invitation_limits.forget_all()


@pytest.fixture
def ada(client: Any, as_user: Any) -> Any:
    """The owner of the projects, in the group press."""
    return as_user(client, "ada", "ProjectManager", groups=("press",))


@pytest.fixture
def bob(client: Any, as_user: Any) -> Any:
    """A user whom Ada cannot see: in no group."""
    return as_user(client, "bob", "Annotator")


@pytest.fixture
def path(ada: Any, make_project: Any) -> str:
    made = make_project(owner="ada", group="press", label="Films", readers=("reader",), writers=("writer",))
    return f"/api/projects/{made.name}"


def invite(caller: Any, path: str, **body: Any) -> dict[str, Any]:
    answer = caller.post(f"{path}/invitations", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def listed(caller: Any, path: str) -> list[dict[str, Any]]:
    answer = caller.get(f"{path}/invitations")
    assert answer.status_code == 200, answer.text
    return answer.json()["invitations"]  # type: ignore[no-any-return]


def accept(caller: Any, token: str) -> Any:
    return caller.post("/api/invitations/_accept", json={"token": token})


def preview(caller: Any, token: str) -> Any:
    return caller.post("/api/invitations/_preview", json={"token": token})


def modes(caller: Any, path: str) -> dict[str, bool]:
    return {row["username"]: row["mode"]["write"] for row in caller.get(f"{path}/shares/users").json()}


def change_invitations(**columns: Any) -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(update(Invitation).values(**columns))


@pytest.mark.parametrize("right", ["read", "write"])
def test_an_accepted_invitation_gives_a_share_of_its_right(path: str, ada: Any, bob: Any, right: str) -> None:
    assert bob.get(f"{path}/_info").status_code == 404
    made = invite(ada, path, right=right)
    assert preview(bob, made["token"]).json() == {"projectLabel": "Films", "inviter": "Ada", "right": right}
    assert bob.get(f"{path}/_info").status_code == 404, "looking at it gives nothing"
    answer = accept(bob, made["token"])
    assert answer.json() == {"projectName": path.rpartition("/")[2], "projectLabel": "Films", "right": right}
    info = bob.get(f"{path}/_info")
    assert info.status_code == 200
    assert info.json()["sharedBy"] == ["ada"]
    assert info.json()["readOnly"] is (right == "read")
    assert modes(ada, path)["bob"] is (right == "write")


def test_accepting_again_changes_nothing(path: str, ada: Any, bob: Any) -> None:
    """Also for the one use of a link that is used up by then."""
    made = invite(ada, path, uses=1)
    assert [accept(bob, made["token"]).status_code for _ in range(3)] == [200, 200, 200]
    assert listed(ada, path) == [], "used up"
    other = invite(ada, path, uses=2)
    assert accept(bob, other["token"]).status_code == 200
    assert listed(ada, path)[0]["usesLeft"] == 2, "who has the access already uses up nothing"


def test_an_invitation_never_reduces_an_access(path: str, ada: Any, client: Any, as_user: Any) -> None:
    writer, reader = as_user(client, "writer", "Annotator"), as_user(client, "reader", "Annotator")
    reading, writing = invite(ada, path, right="read"), invite(ada, path, right="write")
    assert accept(writer, reading["token"]).status_code == 200
    assert modes(ada, path) == {"reader": False, "writer": True}
    assert accept(reader, writing["token"]).status_code == 200
    assert modes(ada, path) == {"reader": True, "writer": True}
    assert accept(ada, reading["token"]).status_code == 200, "the owner opens the own link"
    assert "ada" not in modes(ada, path)


def test_a_link_for_several_people_counts_them(path: str, ada: Any, client: Any, as_user: Any) -> None:
    made = invite(ada, path, uses=2)
    people = [as_user(client, f"guest{number}", "Annotator") for number in range(3)]
    assert [accept(one, made["token"]).status_code for one in people] == [200, 200, 404]
    unlimited = invite(ada, path)
    assert "usesLeft" not in unlimited
    assert [accept(one, unlimited["token"]).status_code for one in people] == [200] * 3


def test_the_list_shows_open_invitations_without_tokens(path: str, ada: Any, bob: Any) -> None:
    first = invite(ada, path)
    second = invite(ada, path, right="write", uses=3, days=DAYS_MAX)
    rows = listed(ada, path)
    assert [row["id"] for row in rows] == [second["id"], first["id"]]
    assert rows == [{key: value for key, value in one.items() if key != "token"} for one in (second, first)]
    assert (rows[0]["right"], rows[0]["usesLeft"], rows[0]["createdBy"], rows[0]["usable"]) == ("write", 3, "ada", True)
    assert ada.get(f"{path}/invitations").json()["sendsMail"] is False
    with unit_of_work(actor="", write=False) as unit:
        for one, days in ((first, DAYS_DEFAULT), (second, DAYS_MAX)):
            row = unit.session.get(Invitation, int(one["id"]))
            assert row is not None
            assert row.expires_at - row.created_at == days * DAY_MS


def test_a_revoked_invitation_leaves_the_list_and_keeps_shares(path: str, ada: Any, bob: Any) -> None:
    made = invite(ada, path)
    assert accept(bob, made["token"]).status_code == 200
    assert ada.delete(f"{path}/invitations/{made['id']}").status_code == 204
    assert ada.delete(f"{path}/invitations/{made['id']}").status_code == 404
    assert listed(ada, path) == []
    assert bob.get(f"{path}/_info").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {"days": 0},
        {"days": DAYS_MAX + 1},
        {"uses": 0},
        {"right": "owner"},
        {"projectId": 1},
        {"expiresAt": "2099-01-01"},
    ],
)
def test_invalid_terms_are_refused(path: str, ada: Any, body: dict[str, Any]) -> None:
    assert ada.post(f"{path}/invitations", json=body).status_code == 400
    assert listed(ada, path) == []


SHARERS = pytest.mark.parametrize(
    ("name", "grants", "status"),
    [
        ("reader", ("shareProject",), 403),
        ("writer", (), 403),
        ("writer", ("shareProject",), 200),
        ("stranger", ("shareProject",), 404),
    ],
    ids=["reads and may share", "writes", "writes and may share", "sees nothing"],
)


@SHARERS
def test_who_may_share_may_invite(
    path: str, ada: Any, client: Any, as_user: Any, name: str, grants: tuple[str, ...], status: int
) -> None:
    """The same rule as for shares; an anonymous caller gets 401."""
    made = invite(ada, path)
    caller = as_user(client, name, *grants)
    assert caller.post(f"{path}/invitations", json={"right": "write"}).status_code == status
    assert caller.get(f"{path}/invitations").status_code == status
    assert caller.delete(f"{path}/invitations/{made['id']}").status_code == (204 if status == 200 else status)


def test_anonymous_callers_reach_nothing(path: str, ada: Any, client: Any) -> None:
    made = invite(ada, path)
    client.cookies.clear()
    tries = [
        client.get(f"{path}/invitations"),
        client.post(f"{path}/invitations", json={}),
        client.post(f"{path}/invitations/_send", json={"address": "bob@example.org"}),
        client.delete(f"{path}/invitations/{made['id']}"),
        client.post("/api/invitations/_preview", json={"token": made["token"]}),
        client.post("/api/invitations/_accept", json={"token": made["token"]}),
    ]
    assert [answer.status_code for answer in tries] == [401] * len(tries)


def test_accepting_notifies_and_is_audited_without_the_token(
    path: str, ada: Any, bob: Any, emitted_events: list[Event]
) -> None:
    """T-007: the person and the clients of the project are notified."""
    made = invite(ada, path)
    emitted_events.clear()
    assert accept(bob, made["token"]).status_code == 200
    name = path.rpartition("/")[2]
    assert {event.user for event in emitted_events if event.mutation == "visibility"} == {"bob"}
    assert {"type": "shares", "by": "bob"} in args_of(emitted_events, "project")
    with unit_of_work(actor="", write=False) as unit:
        entries = unit.session.scalars(select(AuditEntry).where(AuditEntry.target == name)).all()
        assert {"invitation.create", "invitation.accept"} <= {entry.action for entry in entries}
        assert made["token"] not in str([(entry.details, entry.action) for entry in entries])
        stored = unit.session.scalars(select(Invitation).where(Invitation.id == int(made["id"]))).one()
        assert made["token"] not in str(vars(stored))


def _expire() -> None:
    change_invitations(expires_at=now_ms() - 1)


def _revoke() -> None:
    change_invitations(revoked_at=now_ms())


def _use_up() -> None:
    change_invitations(uses_left=0)


def _delete_project() -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(update(Project).values(deleted_at=now_ms()))


def _disable_inviter() -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(update(User).where(User.username == "ada").values(disabled=True))
        rights_revision.note_rights_change(unit.session)


def _change_owner() -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(update(Project).values(owner_id=None))
        rights_revision.note_rights_change(unit.session)


@pytest.fixture
def restored(ada: Any) -> Iterator[None]:
    """Enable the inviter again for the next test of the module."""
    yield
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(update(User).values(disabled=False))
        rights_revision.note_rights_change(unit.session)


@pytest.mark.parametrize(
    "spoil", [_expire, _revoke, _use_up, _delete_project, _disable_inviter, _change_owner], ids=lambda one: one.__name__
)
def test_invitations_that_are_not_valid_look_like_unknown_ones(
    path: str, ada: Any, bob: Any, restored: None, spoil: Any
) -> None:
    """Expired, revoked, used up, project deleted, inviter disabled or without the right: one response for all."""
    made = invite(ada, path)
    assert preview(bob, made["token"]).status_code == 200
    spoil()
    texts = set()
    for token in (made["token"], "unknown", made["token"][:-1]):
        for answer in (preview(bob, token), accept(bob, token)):
            assert answer.status_code == 404
            assert answer.json()["message"] == NOT_VALID
            texts.add(str({key: value for key, value in answer.json().items() if key != "errorId"}))
    assert len(texts) == 1, texts


def test_an_invitation_stops_when_its_creator_may_no_longer_share(
    path: str, ada: Any, bob: Any, client: Any, as_user: Any
) -> None:
    """And works again when the right is given back; the list shows it."""
    writer = as_user(client, "writer", "shareProject")
    made = invite(writer, path, right="write")
    as_user(client, "writer")
    assert [(row["id"], row["usable"]) for row in listed(ada, path)] == [(made["id"], False)]
    assert accept(bob, made["token"]).status_code == 404
    writer = as_user(client, "writer", "shareProject")
    assert ada.post(f"{path}/shares/users?username=writer", json={"read": True, "write": False}).status_code == 204
    assert accept(bob, made["token"]).status_code == 404, "who only reads may not share"
    assert ada.post(f"{path}/shares/users?username=writer", json={"read": True, "write": True}).status_code == 204
    assert [row["usable"] for row in listed(ada, path)] == [True]
    assert accept(bob, made["token"]).status_code == 200
