"""Sign-in and sign-out through the API (conflict 46 of the contract)."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from annotarium.access import passwords
from annotarium.access.identity import SESSION_COOKIE
from annotarium.access.tokens import SignInClaims, make_sign_in_token, read_sign_in_token
from annotarium.db.models import AuditEntry, SignInSession
from annotarium.db.unit_of_work import unit_of_work
from annotarium.settings import get_settings

PASSWORD = "correct horse battery"
LOGIN, LOGOUT, ME = "/api/auth/login", "/api/auth/logout", "/api/current_user"
STUDIO = {"X-Requested-With": "XMLHttpRequest"}


def basic(username: str, password: str = PASSWORD) -> dict[str, str]:
    return {"authorization": "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()}


@pytest.fixture(autouse=True)
def _marie(client: Any, as_user: Any) -> Iterator[None]:
    passwords.limiter.forget_all()
    passwords.verified_passwords.forget_all()
    as_user(client, "marie", "Reader", "createProject")
    client.cookies.clear()
    yield
    client.cookies.clear()


def log_in(client: Any, **query: str) -> Any:
    return client.post(LOGIN, params=query, json={"email": "marie", "password": PASSWORD})


def test_name_and_password_return_a_bearer_token(client: Any) -> None:
    answer = log_in(client)
    assert answer.status_code == 200
    assert set(answer.json()) == {"access_token", "email"}
    assert answer.json()["email"] == "marie"
    assert SESSION_COOKIE not in answer.headers.get("set-cookie", "")
    bearer = {"authorization": f"Bearer {answer.json()['access_token']}"}
    assert client.get(ME, headers=bearer).json()["username"] == "marie"


@pytest.mark.parametrize(
    "body",
    [
        {"email": "marie", "password": "wrong"},
        {"email": "nobody", "password": PASSWORD},
        {"email": "Marie", "password": PASSWORD},
    ],
)
def test_all_wrong_credentials_get_the_same_response(client: Any, body: dict[str, str]) -> None:
    answer = client.post(LOGIN, json=body)
    assert answer.status_code == 401
    assert answer.json()["message"] == "Wrong user name or password."
    assert "www-authenticate" not in answer.headers


@pytest.mark.parametrize(
    "body", [{}, {"email": "marie"}, {"email": "", "password": "x"}, {"email": 1, "password": "x"}, []]
)
def test_incomplete_credentials_are_refused(client: Any, body: Any) -> None:
    assert client.post(LOGIN, json=body).status_code == 400


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [("", 28_800), ("60", 60), ("5m", 300), ("2H", 7_200), ("PT1H30M", 5_400), ("P1D", 28_800), ("999h", 28_800)],
)
def test_the_duration_shortens_a_token_and_never_lengthens_it(client: Any, duration: str, seconds: int) -> None:
    before = int(time.time())
    token = log_in(client, duration=duration).json()["access_token"]
    claims = read_sign_in_token(token)
    assert claims is not None
    assert before + seconds <= claims.expires_at <= time.time() + seconds


@pytest.mark.parametrize("duration", ["0", "-5", "soon", "PT", "P", "1y", "1e9"])
def test_an_invalid_duration_is_refused(client: Any, duration: str) -> None:
    answer = log_in(client, duration=duration)
    assert answer.status_code == 400
    assert answer.json()["details"][0]["field"] == "duration"


def test_sign_out_ends_the_sign_in_on_the_server(client: Any) -> None:
    """E-049: a second sign-out gets a 401 response, which the web app treats as already signed out."""
    first = {"authorization": f"Bearer {log_in(client).json()['access_token']}"}
    second = {"authorization": f"Bearer {log_in(client).json()['access_token']}"}
    assert client.post(LOGOUT, headers=first).status_code == 204
    assert client.post(LOGOUT, headers=first).status_code == 401
    assert client.get(ME, headers=first).status_code == 401
    assert client.get(ME, headers=second).status_code == 200, "other sign-ins go on"


def test_the_web_app_signs_in_with_a_cookie(client: Any) -> None:
    answer = client.get("/api/users/marie?jwtFormat=true", headers=basic("marie"))
    assert answer.status_code == 200
    principal = answer.json()
    assert (principal["username"], principal["ssoLogin"], principal["profilename"]) == ("marie", False, "Marie")
    assert {"role:Reader", "createProject", "useSearch"} <= set(principal["permissions"])
    assert principal["roles"] == ["Reader"]
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "max-age=28800" in cookie
    assert "secure" not in cookie
    again = client.get("/api/users/marie?jwtFormat=true")
    assert again.json() == principal, "at application start the cookie is enough"
    assert "set-cookie" not in again.headers
    assert client.post(LOGOUT).status_code == 403, "another site could have sent this"
    out = client.post(LOGOUT, headers=STUDIO)
    assert out.status_code == 204
    assert 'annotarium_session=""' in out.headers["set-cookie"]


def test_the_cookie_is_secure_over_https(client: Any) -> None:
    answer = client.get("https://studio.test/api/users/marie?jwtFormat=true", headers=basic("marie"))
    assert "secure" in answer.headers["set-cookie"].lower()


def test_every_sign_in_creates_a_new_session(client: Any) -> None:
    tokens = set()
    for _ in range(2):
        answer = client.get("/api/users/marie?jwtFormat=true", headers=basic("marie"))
        tokens.add(answer.headers["set-cookie"].split(";")[0])
    assert len(tokens) == 2


def test_a_user_cannot_sign_in_as_another_user(client: Any, as_user: Any) -> None:
    as_user(client, "paul", "PlatformUserAdmin")
    answer = client.get("/api/users/marie?jwtFormat=true", headers=basic("paul"))
    assert answer.status_code == 404
    assert "set-cookie" not in answer.headers


def test_an_active_session_is_renewed_after_half_of_its_duration(client: Any) -> None:
    client.get("/api/users/marie?jwtFormat=true", headers=basic("marie"))
    claims = read_sign_in_token(client.cookies[SESSION_COOKIE])
    assert claims is not None
    soon = int(time.time()) + 600
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.get(SignInSession, claims.session_id)
        assert row is not None
        row.expires_at = soon * 1000
    old = make_sign_in_token(SignInClaims(claims.user_id, claims.session_id, 0, soon))
    client.cookies.clear()
    answer = client.get("/api/users/marie?jwtFormat=true", headers={"cookie": f"{SESSION_COOKIE}={old}"})
    renewed = read_sign_in_token(answer.headers["set-cookie"].split(";")[0].partition("=")[2])
    assert renewed is not None
    assert renewed.session_id == claims.session_id
    assert renewed.expires_at > soon + 3_600


def test_sessions_without_expiry(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-001: 0 minutes = the session does not expire."""
    monkeypatch.setattr(get_settings(), "session_minutes", 0)
    answer = client.get("/api/users/marie?jwtFormat=true", headers=basic("marie"))
    assert "max-age=34560000" in answer.headers["set-cookie"].lower()


def test_sign_ins_are_in_the_audit_log_without_secrets(client: Any) -> None:
    log_in(client)
    client.post(LOGIN, json={"email": "marie", "password": "wrong secret"})
    client.post(LOGIN, json={"email": "my-other-password", "password": "x"})
    with unit_of_work(actor="tests", write=False) as unit:
        entries = [
            (row.action, row.actor, row.result, str(row.details)) for row in unit.session.scalars(select(AuditEntry))
        ]
    actions = {(action, actor, result) for action, actor, result, _ in entries}
    assert ("sign_in.start", "marie", "ok") in actions
    assert ("sign_in.refuse", "marie", "refused") in actions
    assert ("sign_in.refuse", "", "refused") in actions
    assert "secret" not in str(entries)
    assert "my-other-password" not in str(entries)


def test_two_hundred_password_guesses_are_limited_per_name(
    client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G16: five attempts per name, whether or not it exists, then back-off; others at the same address can sign in."""
    monkeypatch.setattr(passwords, "_backoff", lambda over, _longest: 0 if over < 0 else 600)
    names = ["marie", *(f"user{n}" for n in range(3))]
    answers = [client.post(LOGIN, json={"email": names[n % 4], "password": f"guess{n}"}) for n in range(200)]
    assert [answer.status_code for answer in answers] == [401] * 20 + [429] * 180
    assert len({answer.text.split("errorId")[0] for answer in answers[:20]}) == 1, "no name is told from another"
    assert log_in(client).status_code == 429
    as_user(client, "paul", "Reader")
    assert client.post(LOGIN, json={"email": "paul", "password": PASSWORD}).status_code == 200


def test_the_principal_lists_writable_projects(client: Any, make_project: Any, as_user: Any) -> None:
    """T-006: a project is read-only unless the principal has `writeProject:<name>`."""
    make_project("principal-owned", owner="petra")
    make_project("principal-shared", owner="paul", writers=("petra",))
    make_project("principal-read", owner="paul", readers=("petra",))
    make_project("principal-hidden", owner="paul")
    held = as_user(client, "petra", "Reader").get("/api/users/petra?jwtFormat=true").json()["permissions"]
    reads = sorted(one.partition(":")[2] for one in held if one.startswith("readProject:"))
    writes = sorted(one.partition(":")[2] for one in held if one.startswith("writeProject:"))
    assert reads == ["principal-owned", "principal-read", "principal-shared"]
    assert writes == ["principal-owned", "principal-shared"]
