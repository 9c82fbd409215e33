"""Authentication: the credentials that a request may carry, and how soon a change takes effect (threats T18, G16)."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, select

from annotarium.access import passwords, rights_revision
from annotarium.access.identity import SESSION_COOKIE
from annotarium.db.database import get_database
from annotarium.db.models import AuditEntry, Role, SignInSession, User, UserRole
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.auth.operator_api_keys import create_key

pytestmark = pytest.mark.parametrize("database_kind", ["sqlite", "postgresql"], indirect=True, scope="module")
PASSWORD = "correct horse battery"
ME = "/api/current_user"


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    passwords.limiter.forget_all()
    passwords.verified_passwords.forget_all()


def basic(username: str, password: str) -> dict[str, str]:
    return {"authorization": "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()}


@pytest.fixture
def marie(client: Any, as_user: Any) -> Any:
    client.cookies.clear()
    return as_user(client, "marie", "Reader")


def _cookie(caller: Any) -> dict[str, str]:
    return {"cookie": f"{SESSION_COOKIE}={caller.headers['Authorization'].removeprefix('Bearer ')}"}


def test_all_four_credentials_are_accepted(client: Any, marie: Any) -> None:
    key = create_key("marie", "script")
    for headers in (marie.headers, basic("marie", PASSWORD), {"X-Kairntech-key": key}, _cookie(marie)):
        answer = client.get(ME, headers=headers)
        assert answer.status_code == 200, headers
        assert answer.json() == {"username": "marie", "ssoLogin": False}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        basic("marie", "wrong"),
        basic("nobody", PASSWORD),
        basic("mar\0ie", PASSWORD),
        {"authorization": "Basic !!!"},
        {"authorization": "Basic " + base64.b64encode(b"\xff\xfe:x").decode()},
        {"authorization": "Basic " + base64.b64encode(b"nocolon").decode()},
        {"authorization": "Bearer "},
        {"authorization": "Bearer a.b.c"},
        {"authorization": "Digest x"},
        {"X-Kairntech-key": "unknown"},
        {"cookie": f"{SESSION_COOKIE}=rubbish"},
    ],
)
def test_other_credentials_get_401_without_the_browser_dialog(client: Any, marie: Any, headers: dict[str, str]) -> None:
    answer = client.get(ME, headers=headers)
    assert answer.status_code == 401
    assert answer.json()["error"] == "not_authenticated"
    assert "www-authenticate" not in answer.headers


@pytest.mark.parametrize(("said", "status"), [("marie", 200), ("l%C3%A9a", 401), ("", 401)])
def test_a_request_that_names_its_user_is_refused_under_another_users_cookie(
    client: Any, marie: Any, said: str, status: int
) -> None:
    # The cookie belongs to the user who signed in last in this browser; a page in another window may show another user.
    headers = _cookie(marie) | {"X-Annotarium-User": said, "X-Requested-With": "XMLHttpRequest"}
    assert client.get(ME, headers=headers).status_code == status
    assert client.post("/api/auth/logout", headers=headers).status_code == (204 if status == 200 else 401)


def test_the_user_header_may_hold_a_non_ascii_name(client: Any, as_user: Any) -> None:
    client.cookies.clear()
    headers = _cookie(as_user(client, "léa", "Reader"))
    assert client.get(ME, headers=headers | {"X-Annotarium-User": "l%C3%A9a"}).json()["username"] == "léa"
    assert client.get(ME, headers=headers | {"X-Annotarium-User": "marie"}).status_code == 401


def test_a_valid_cookie_does_not_make_up_for_a_wrong_header(client: Any, marie: Any) -> None:
    assert client.get(ME, headers=_cookie(marie) | basic("marie", "wrong")).status_code == 401


def test_a_writing_request_by_cookie_requires_the_header_of_the_web_app(client: Any, marie: Any) -> None:
    path = "/api/users/marie/profile"
    body = {"profilename": "Marie M."}
    cookie = _cookie(marie)
    assert client.patch(path, json=body, headers=cookie).status_code == 403
    studio = cookie | {"X-Requested-With": "XMLHttpRequest"}
    assert client.patch(path, json=body, headers=studio | {"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert client.patch(path, json=body, headers=studio).status_code == 200
    assert client.patch(path, json=body, headers=marie.headers).status_code == 200


def test_disabling_an_account_takes_effect_with_the_next_request(client: Any, marie: Any, as_admin: Any) -> None:
    key = create_key("marie", "script")
    ways = [marie.headers, basic("marie", PASSWORD), {"X-Kairntech-key": key}, _cookie(marie)]
    assert {client.get(ME, headers=headers).status_code for headers in ways} == {200}
    assert as_admin.patch("/api/users/marie", json={"disabled": True}).status_code == 200
    assert [client.get(ME, headers=headers).status_code for headers in ways] == [401] * 4
    as_admin.patch("/api/users/marie", json={"disabled": False})
    assert client.get(ME, headers=basic("marie", PASSWORD)).status_code == 200
    assert client.get(ME, headers=marie.headers).status_code == 401, "the old sign-in stays ended"


def test_only_the_right_password_reveals_that_an_account_is_disabled(client: Any, marie: Any, as_admin: Any) -> None:
    """E-021."""
    as_admin.patch("/api/users/marie", json={"disabled": True})
    right = client.get("/api/users/marie?jwtFormat=true", headers=basic("marie", PASSWORD))
    assert (right.status_code, right.json()["error"]) == (401, "disabled")
    assert right.json()["message"] == "Access denied."
    wrong = client.get("/api/users/marie?jwtFormat=true", headers=basic("marie", "wrong password"))
    assert (wrong.status_code, wrong.json()["error"]) == (401, "not_authenticated")
    as_admin.patch("/api/users/marie", json={"disabled": False})


def test_a_revoked_right_takes_effect_with_the_next_request(client: Any, as_user: Any) -> None:
    chief = as_user(client, "chief", "PlatformUserAdmin")
    assert chief.get("/api/permissions").status_code == 200
    with unit_of_work(actor="tests", write=True) as unit:
        user = unit.session.scalars(select(User).where(User.username == "chief")).one()
        role = unit.session.scalars(select(Role).where(Role.rolename == "PlatformUserAdmin")).one()
        unit.session.delete(unit.session.get(UserRole, (user.id, role.id)))
        rights_revision.note_rights_change(unit.session)
    assert chief.get("/api/permissions").status_code == 403


def test_ended_sign_ins_and_those_of_others_are_refused(client: Any, marie: Any) -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        for row in unit.session.scalars(select(SignInSession)):
            row.ended_at = 1
    assert marie.get(ME).status_code == 401


@contextmanager
def _counted_statements() -> Iterator[list[str]]:
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA")):
            statements.append(statement)

    engine = get_database().read_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", note)


@pytest.mark.parametrize("way", ["bearer", "basic", "key", "cookie"])
def test_authentication_costs_one_query(client: Any, marie: Any, way: str) -> None:
    ways = {
        "bearer": marie.headers,
        "basic": basic("marie", PASSWORD),
        "key": {"X-Kairntech-key": create_key("marie", "script")},
        "cookie": _cookie(marie),
    }
    client.get(ME, headers=ways[way])
    with _counted_statements() as statements:
        assert client.get(ME, headers=ways[way]).status_code == 200
    assert len(statements) == 1, statements


def test_password_guessing_is_slowed_after_five_attempts(
    client: Any, marie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G16: from then on each attempt has to wait, even with the right password; the audit log records the refusals."""
    monkeypatch.setattr(passwords, "_backoff", lambda over, _longest: 0 if over < 0 else 600)
    answers = [client.get(ME, headers=basic("marie", f"guess {n}")) for n in range(7)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429] * 2
    assert 0 < int(answers[-1].headers["retry-after"]) <= 600
    assert client.get(ME, headers=basic("marie", PASSWORD)).status_code == 429
    assert client.get(ME, headers=marie.headers).status_code == 200, "who is signed in already works on"
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(AuditEntry).where(AuditEntry.action == "sign_in.refuse", AuditEntry.actor == "marie")
        details = [entry.details for entry in unit.session.scalars(query)]
    assert len(details) >= 5
    assert "guess" not in str(details)


def test_open_routes_ignore_bad_credentials(client: Any, marie: Any) -> None:
    for headers in (basic("marie", "wrong"), {"authorization": "Bearer x"}, _cookie(marie)):
        assert client.get("/api/ui-config", headers=headers).status_code == 200


def test_members_of_a_group_without_sign_in_are_refused(client: Any, as_user: Any, as_admin: Any) -> None:
    insider = as_user(client, "insider", "Reader", groups=("closed",))
    assert insider.get(ME).status_code == 200
    assert as_admin.patch("/api/groups/closed", json={"loginAllowed": False}).status_code == 200
    assert insider.get(ME).status_code == 401
    as_admin.post("/api/users/insider/groups?groupName=closed", json=None)
    as_user(client, "insider", "Reader", groups=("closed", "open"))
    assert client.get(ME, headers=insider.headers).status_code == 200
