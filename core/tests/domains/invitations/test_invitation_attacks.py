"""Attempts to get into a project by invitations: other tenants, replay, guessing, restricted tokens, logs."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from limits import RateLimitItemPerMinute
from sqlalchemy import select, update
from structlog.testing import capture_logs
from support.hostile_test_sizes import hostile_test_size

from annotarium.db.models import Base, IdempotencyKey, Invitation
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.invitations import attempt_limits, service
from annotarium.domains.invitations.attempt_limits import invitation_limits
from annotarium.domains.projects.archive.archive_format import archived_tables

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def _no_attempts() -> Iterator[None]:
    invitation_limits.forget_all()
    yield
    invitation_limits.forget_all()


@pytest.fixture
def ada(client: Any, as_user: Any) -> Any:
    return as_user(client, "ada", "ProjectManager", groups=("press",))


@pytest.fixture
def path(ada: Any, make_project: Any) -> str:
    return f"/api/projects/{make_project(owner='ada', group='press', label='Films').name}"


def invite(caller: Any, path: str, **body: Any) -> dict[str, Any]:
    answer = caller.post(f"{path}/invitations", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def accept(caller: Any, token: Any) -> Any:
    return caller.post("/api/invitations/_accept", json={"token": token})


def test_another_tenant_cannot_list_create_or_revoke(
    path: str, ada: Any, client: Any, as_user: Any, make_project: Any
) -> None:
    """An invitation of another project cannot be revoked through the own one either."""
    made = invite(ada, path)
    stranger = as_user(client, "stranger", "ProjectManager", "GroupProjectAdmin", groups=("radio",))
    own = f"/api/projects/{make_project(owner='stranger', group='radio').name}"
    for base in (path, own):
        assert stranger.delete(f"{base}/invitations/{made['id']}").status_code == 404
    assert stranger.get(f"{path}/invitations").status_code == 404
    assert stranger.post(f"{path}/invitations", json={}).status_code == 404
    assert [row["id"] for row in ada.get(f"{path}/invitations").json()["invitations"]] == [made["id"]]


def test_invitations_of_a_group_administrator_end_with_the_group(path: str, client: Any, as_user: Any) -> None:
    """Administrators of the group have the owner's rights until the project leaves the group."""
    head = as_user(client, "head", "GroupProjectAdmin", groups=("press",))
    bob = as_user(client, "bob", "Annotator")
    ada = as_user(client, "ada", "ProjectManager", groups=("press", "cinema"))
    made = invite(head, path, right="write")
    assert ada.post(f"{path}/_chgrp?groupName=cinema").status_code == 200
    assert accept(bob, made["token"]).status_code == 404
    assert head.get(f"{path}/invitations").status_code == 404
    assert ada.post(f"{path}/_chgrp?groupName=press").status_code == 200
    assert accept(bob, made["token"]).status_code == 200


def test_who_lost_the_share_cannot_use_the_link_again(path: str, ada: Any, client: Any, as_user: Any) -> None:
    """Neither after being removed nor after leaving; a new invitation works."""
    bob = as_user(client, "bob", "Annotator")
    made = invite(ada, path)
    assert accept(bob, made["token"]).status_code == 200
    assert ada.delete(f"{path}/shares/users/bob").status_code == 204
    assert accept(bob, made["token"]).status_code == 404
    assert bob.get(f"{path}/_info").status_code == 404
    again = invite(ada, path)
    assert accept(bob, again["token"]).status_code == 200
    assert bob.post(f"{path}/shares/_leave").status_code == 204
    assert accept(bob, again["token"]).status_code == 404


def test_the_token_of_a_used_up_link_admits_nobody_else(path: str, ada: Any, client: Any, as_user: Any) -> None:
    bob, eve = as_user(client, "bob", "Annotator"), as_user(client, "eve", "Annotator")
    made = invite(ada, path, uses=1)
    assert accept(bob, made["token"]).status_code == 200
    assert accept(eve, made["token"]).status_code == 404
    assert eve.get(f"{path}/_info").status_code == 404


def test_one_use_admits_one_of_several_at_the_same_time(path: str, ada: Any, client: Any, as_user: Any) -> None:
    made = invite(ada, path, uses=1)
    people = [as_user(client, f"guest{number}", "Annotator") for number in range(6)]
    with ThreadPoolExecutor(len(people)) as pool:
        statuses = sorted(pool.map(lambda one: accept(one, made["token"]).status_code, people))
    assert statuses == [200] + [404] * (len(people) - 1)
    assert len(ada.get(f"{path}/shares/users").json()) == 1


@pytest.mark.parametrize("uses", [1, None])
def test_a_person_who_accepts_several_times_at_once_is_admitted_once(
    path: str, ada: Any, client: Any, as_user: Any, uses: int | None
) -> None:
    """A double click, and two links to the same project: the rights that a request began with are older than the share
    of the other.
    """
    terms = {} if uses is None else {"uses": uses}
    made = [invite(ada, path, **terms), invite(ada, path, right="write", **terms)]
    bob = as_user(client, "bob", "Annotator")
    tokens = [one["token"] for one in made] * 3
    with ThreadPoolExecutor(len(tokens)) as pool:
        statuses = list(pool.map(lambda token: accept(bob, token).status_code, tokens))
    assert statuses == [200] * len(tokens)
    shares = [(row["username"], row["mode"]["write"]) for row in ada.get(f"{path}/shares/users").json()]
    assert shares == [("bob", True)]


@pytest.mark.parametrize(
    "restriction",
    [
        {"projectAccessMode": "read"},
        {"projectAccessMode": "write"},
        {"annotateOnly": True},
        {"projectFilter": ".*"},
        {"noPermissions": True},
    ],
    ids=lambda one: next(iter(one)),
)
def test_restricted_tokens_accept_nothing(path: str, ada: Any, client: Any, as_user: Any, restriction: Any) -> None:
    """They would otherwise give their user rights that outlive them."""
    as_user(client, "bob", "Annotator")
    made = invite(ada, path)
    client.cookies.clear()
    login = client.post("/api/auth/login", params=restriction, json={"email": "bob", "password": PASSWORD})
    headers = {"Authorization": f"Bearer {login.json()['access_token']}"}
    for operation in ("_preview", "_accept"):
        answer = client.post(f"/api/invitations/{operation}", json={"token": made["token"]}, headers=headers)
        assert answer.status_code == 403
    assert "bob" not in str(ada.get(f"{path}/shares/users").json())


@pytest.mark.parametrize(
    ("restriction", "status"),
    [
        ({"projectAccessMode": "read"}, 403),
        ({"projectAccessMode": "write"}, 403),
        ({"annotateOnly": True}, 403),
        ({"projectFilter": "other.*"}, 404),
        ({"projectAccessMode": "chmod"}, 200),
    ],
    ids=str,
)
def test_restricted_tokens_invite_only_where_they_may_share(
    path: str, ada: Any, client: Any, restriction: Any, status: int
) -> None:
    client.cookies.clear()
    login = client.post("/api/auth/login", params=restriction, json={"email": "ada", "password": PASSWORD})
    headers = {"Authorization": f"Bearer {login.json()['access_token']}"}
    assert client.post(f"{path}/invitations", json={}, headers=headers).status_code == status
    assert client.get(f"{path}/invitations", headers=headers).status_code == status


def test_guesses_are_throttled_per_account(path: str, ada: Any, client: Any, as_user: Any) -> None:
    """Of 10,000 guesses only a few reach the database; a valid token is refused then as well, but not to others."""
    made = invite(ada, path)
    eve, bob = as_user(client, "eve", "Annotator"), as_user(client, "bob", "Annotator")
    most = attempt_limits.TRIES_PER_ACCOUNT.amount
    answers = [accept(eve, secrets.token_urlsafe(32)) for _ in range(hostile_test_size(100, 10_000))]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [404] * most + [429] * (len(statuses) - most)
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 600
    assert accept(eve, made["token"]).status_code == 429
    assert accept(bob, made["token"]).status_code == 200


def test_guesses_are_throttled_per_address(client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many accounts of one address do not multiply the guesses."""
    monkeypatch.setattr(attempt_limits, "TRIES_PER_ADDRESS", RateLimitItemPerMinute(10, 10))
    people = [as_user(client, f"guest{number}", "Annotator") for number in range(5)]
    statuses = [accept(one, "guess").status_code for one in people for _ in range(4)]
    assert statuses == [404] * 10 + [429] * 10


@pytest.mark.parametrize("token", ["", "x" * 201, None, 7, ["a"], {"a": 1}, "\0", "' OR 1=1", "\u202e"])
def test_strange_tokens_are_refused(ada: Any, token: Any) -> None:
    assert accept(ada, token).status_code in (400, 404)


@pytest.mark.parametrize("identifier", ["0", "-1", "1e3", "9" * 19, "9" * 60, "²", "a", "%00", "_send"])
def test_strange_identifiers_are_refused(path: str, ada: Any, identifier: str) -> None:
    assert ada.delete(f"{path}/invitations/{identifier}").status_code in (400, 404, 405)


def test_the_token_is_in_no_log_and_in_no_other_table(path: str, ada: Any, client: Any, as_user: Any) -> None:
    """Also not with an `Idempotency-Key`, for which responses are stored, and not in messages about invalid bodies."""
    bob = as_user(client, "bob", "Annotator")
    with capture_logs() as logs:
        answer = ada.post(f"{path}/invitations", json={}, headers={"Idempotency-Key": "once"})
        token = answer.json()["token"]
        again = ada.post(f"{path}/invitations", json={}, headers={"Idempotency-Key": "once"})
        assert again.json()["token"] != token
        wrong = bob.post("/api/invitations/_accept", json={"token": token, "extra": 1})
        assert accept(bob, token).status_code == 200
    assert wrong.status_code == 400
    assert token not in wrong.text
    assert token not in str(logs)
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.scalars(select(IdempotencyKey).where(IdempotencyKey.key == "once")).all() == []
        for table in Base.metadata.sorted_tables:
            for row in unit.session.execute(select(table)):
                assert token not in str(tuple(row)), table.name


def test_archives_contain_no_invitations() -> None:
    assert not {"invitations", "invitation_uses"} & set(archived_tables())


def test_a_project_has_a_maximum_of_invitations(path: str, ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Revoked ones count until they expire, so that creating and revoking does not fill the table."""
    monkeypatch.setattr(service, "MOST_PER_PROJECT", 3)
    for _ in range(3):
        made = invite(ada, path)
        assert ada.delete(f"{path}/invitations/{made['id']}").status_code == 204
    assert ada.post(f"{path}/invitations", json={}).status_code == 409
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(update(Invitation).values(expires_at=1))
    created = invite(ada, path)
    assert [row["id"] for row in ada.get(f"{path}/invitations").json()["invitations"]] == [created["id"]]
    with unit_of_work(actor="", write=False) as unit:
        row = unit.session.scalars(select(Invitation).where(Invitation.id == int(made["id"]))).one_or_none()
        assert row is None, "expired ones are deleted"
