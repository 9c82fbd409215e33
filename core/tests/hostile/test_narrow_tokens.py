"""Attempts to exceed the restriction of a token or API key."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import select
from support.hostile_test_sizes import hostile_test_size

from annotarium.access import passwords
from annotarium.access.identity import SESSION_COOKIE
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME
from annotarium.access.restriction import PATTERN_MAX, check_project_filter, make_restriction
from annotarium.db.models import ApiKey, Job, SignInSession
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.auth.operator_api_keys import create_key
from annotarium.errors import AccessDenied, InvalidInput, NotFound
from annotarium.events.hub import get_hub
from annotarium.jobs.context import JobContext
from annotarium.jobs.testing import run_pending_jobs

PASSWORD = "correct horse battery"
INSIDE, OUTSIDE = "inside", "outside"
RESTRICTIONS = {
    "read": {"projectAccessMode": "read"},
    "write": {"projectAccessMode": "write"},
    "annotate": {"annotateOnly": True},
    "filter": {"projectFilter": "inside.*"},
    "none": {"noPermissions": True},
}


class RestrictedClient:
    """A client that sends these headers and no other credentials."""

    def __init__(self, client: Any, **headers: str) -> None:
        self.client, self.headers = client, headers

    def call(self, method: str, path: str, **arguments: Any) -> Any:
        self.client.cookies.clear()
        headers = self.headers | arguments.pop("headers", {})
        return self.client.request(method, f"/api{path}", headers=headers, **arguments)


def log_in(client: Any, **query: Any) -> Any:
    client.cookies.clear()
    return client.post("/api/auth/login", params=query, json={"email": "chief", "password": PASSWORD})


def narrow(client: Any, **query: Any) -> RestrictedClient:
    answer = log_in(client, **query)
    assert answer.status_code == 200, answer.text
    return RestrictedClient(client, Authorization=f"Bearer {answer.json()['access_token']}")


def by_key(client: Any, **body: Any) -> RestrictedClient:
    answer = narrow(client).call("POST", "/users/chief/keys", json={"label": "script"} | body)
    assert answer.status_code == 200, answer.text
    return RestrictedClient(client, **{"X-Kairntech-key": answer.json()["key"]})


@pytest.fixture(autouse=True)
def chief(client: Any, as_user: Any) -> Iterator[Any]:
    passwords.limiter.forget_all()
    yield as_user(client, "chief", *PREDEFINED_BY_NAME)
    client.cookies.clear()
    with unit_of_work(actor="tests", write=True) as unit:
        for row in unit.session.scalars(select(ApiKey)):
            unit.session.delete(row)


@pytest.fixture(autouse=True, scope="module")
def _projects(data_folder: Any) -> list[str]:
    return []


@pytest.fixture
def projects(make_project: Any, _projects: list[str]) -> None:
    if not _projects:
        _projects.append("made")
        for name in (INSIDE, OUTSIDE):
            make_project(name, owner="chief")


@pytest.mark.parametrize("way", ["token", "key"])
@pytest.mark.parametrize("kind", list(RESTRICTIONS))
def test_a_restricted_caller_cannot_extend_its_rights(client: Any, projects: None, kind: str, way: str) -> None:
    """A restricted caller cannot create keys, passwords, e-mail addresses, sign-ins, accounts, groups or roles."""
    caller = (by_key if way == "key" else narrow)(client, **RESTRICTIONS[kind])
    assert caller.call("GET", "/current_user").json()["username"] == "chief"
    tries = [
        ("POST", "/users/chief/keys", {"label": "wider"}),
        ("GET", "/users/chief/keys", None),
        ("GET", "/users/chief/sign_ins", None),
        ("DELETE", "/users/chief/sign_ins", None),
        ("PATCH", "/users/chief/profile", {"password": "another long password"}),
        ("PATCH", "/users/chief/profile", {"email": "thief@example.org"}),
        ("POST", "/users", {"username": "helper", "password": "another long password"}),
        ("PATCH", "/users/chief", {"permissions": ["writeProject:*"]}),
        ("POST", "/groups", {"label": "Helpers"}),
        ("POST", "/roles", {"label": "Helper", "permissions": ["writeProject:*"]}),
    ]
    answers = [caller.call(method, path, json=body).status_code for method, path, body in tries]
    assert answers == [403] * len(tries)
    assert log_in(client).status_code == 200, "the password is still the old one"


@pytest.mark.parametrize("kind", list(RESTRICTIONS))
def test_a_restricted_token_as_cookie_keeps_restriction_and_expiry(client: Any, projects: None, kind: str) -> None:
    token = log_in(client, duration="90 seconds", **RESTRICTIONS[kind]).json()["access_token"]
    cookie = {"cookie": f"{SESSION_COOKIE}={token}", "X-Requested-With": "XMLHttpRequest"}
    caller = RestrictedClient(client, **cookie)
    again = caller.call("GET", "/users/chief?jwtFormat=true")
    assert "set-cookie" not in again.headers
    assert caller.call("POST", "/users/chief/keys", json={"label": "wider"}).status_code == 403


def test_a_cookie_does_not_prolong_a_short_token(client: Any) -> None:
    token = log_in(client, duration="90 seconds").json()["access_token"]
    answer = RestrictedClient(client, cookie=f"{SESSION_COOKIE}={token}").call("GET", "/users/chief?jwtFormat=true")
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("beside", ["basic", "cookie", "key"])
def test_other_credentials_do_not_widen_a_restricted_bearer_token(client: Any, projects: None, beside: str) -> None:
    full = log_in(client).json()["access_token"]
    others = {
        "basic": ("Authorization", "Basic " + base64.b64encode(f"chief:{PASSWORD}".encode()).decode()),
        "cookie": ("cookie", f"{SESSION_COOKIE}={full}"),
        "key": ("X-Kairntech-key", create_key("chief", "full")),
    }
    bearer = narrow(client, projectAccessMode="read").headers["Authorization"]
    headers = [("Authorization", bearer), others[beside], ("X-Requested-With", "XMLHttpRequest")]
    client.cookies.clear()
    answer = client.patch(f"/api/projects/{INSIDE}/config", json={"label": "x"}, headers=headers)
    assert answer.status_code == 403
    assert client.get(f"/api/projects/{INSIDE}/_info", headers=headers).json()["readOnly"] is True


def test_login_only_returns_a_restricted_session_and_no_token(client: Any, projects: None) -> None:
    answer = log_in(client, loginOnly="true", projectFilter="inside")
    assert answer.json() == {"access_token": "", "email": "chief"}
    assert "httponly" in answer.headers["set-cookie"].lower()
    names = [one["name"] for one in client.get("/api/projects").json()]
    assert names == [INSIDE], "the session is as narrow as it was asked for"


def test_new_projects_must_match_the_filter(client: Any, projects: None) -> None:
    caller = narrow(client, projectFilter="inside.*")
    for body in ({"label": "Elsewhere"}, {"label": "x", "name": "elsewhere"}, {"label": "x", "name": OUTSIDE}):
        answer = caller.call("POST", "/projects", json=body | {"nature": "sequence_labelling", "lang": "en"})
        assert answer.status_code == 403, answer.text
    body = {"label": "Inside too", "nature": "sequence_labelling", "lang": "en"}
    assert caller.call("POST", "/projects", json=body).json()["projectName"] == "inside_too"
    assert caller.call("POST", "/projects", json=body | {"name": "inside_also"}).status_code == 200


def test_names_of_imported_projects_must_match_the_filter(client: Any, projects: None) -> None:
    full = narrow(client)
    archive = full.call("POST", f"/projects/{OUTSIDE}/_export").content
    caller = narrow(client, projectFilter="inside.*")
    files = {"file": ("a.spa", archive)}
    assert caller.call("POST", "/projects/_import", files=files).status_code == 403
    taken = caller.call("POST", f"/projects/_import?projectName={OUTSIDE}", files=files)
    free = caller.call("POST", "/projects/_import?projectName=free-name", files=files)
    assert (taken.status_code, free.status_code) == (403, 403)
    answer = caller.call("POST", "/projects/_import?projectName=inside_again", files=files)
    assert answer.status_code == 200, answer.text
    run_pending_jobs()
    job = caller.call("GET", f"/jobs/{answer.json()['id']}").json()
    assert job["status"] == "COMPLETED", job
    assert "inside_again" in [one["name"] for one in caller.call("GET", "/projects").json()]
    other = narrow(client, projectFilter="inside")
    assert other.call("GET", f"/jobs/{answer.json()['id']}").status_code != 200
    assert other.call("POST", f"/projects/{INSIDE}/_restore", files=files).status_code == 200
    run_pending_jobs()


def test_a_job_inherits_the_restriction_of_its_token(client: Any, projects: None) -> None:
    caller = narrow(client, projectFilter="inside.*", projectAccessMode="write")
    answer = caller.call("POST", f"/projects/{INSIDE}/job?timeout=0")
    assert answer.status_code == 200, answer.text
    with unit_of_work(actor="tests", write=True) as unit:
        job = unit.session.get(Job, answer.json()["id"])
        assert job is not None
        assert job.restriction == '{"projectAccessMode":"write","projectFilter":"inside.*"}'
        job.state, job.fence = "running", 1
        facts = {"username": job.created_by, "project_id": job.project_id, "fence": 1, "restriction": job.restriction}
        context = JobContext(job.id, **facts)
    with context.open(INSIDE) as call:
        assert call.unit.restriction == job.restriction, "jobs started by the job have it too"
    with pytest.raises(NotFound), context.open(OUTSIDE, write=False):
        pass
    reading = JobContext(job.id, **facts | {"restriction": '{"projectAccessMode":"read"}'})
    with reading.open(INSIDE, write=False), pytest.raises(AccessDenied), reading.open(INSIDE):
        pass


def test_exports_are_readable_within_the_restriction_only(client: Any, projects: None) -> None:
    reader = narrow(client, projectFilter="inside", projectAccessMode="read")
    wide = narrow(client)
    jobs = [
        caller.call("POST", f"/projects/{name}/_export_async").json()["id"]
        for caller, name in ((reader, INSIDE), (wide, OUTSIDE))
    ]
    run_pending_jobs()
    beans = [wide.call("GET", f"/jobs/{job}").json() for job in jobs]
    assert [bean["status"] for bean in beans] == ["COMPLETED"] * 2, "reading is enough to export"
    own, foreign = (bean["result"]["download"] for bean in beans)
    assert reader.call("GET", own).status_code == 200
    assert reader.call("GET", foreign).status_code == 404
    assert narrow(client, annotateOnly=True).call("GET", own).status_code == 403
    assert narrow(client, projectFilter=OUTSIDE).call("GET", own).status_code == 404
    assert wide.call("GET", own).status_code == 200
    assert reader.call("GET", f"/jobs/{jobs[1]}").status_code == 404
    assert jobs[1] not in [one["id"] for one in reader.call("GET", "/jobs").json()]
    assert reader.call("DELETE", f"/projects/{INSIDE}/job/{jobs[0]}").status_code == 403


def test_uploads_of_other_tokens_are_not_accessible(client: Any, projects: None) -> None:
    wide, caller = narrow(client), narrow(client, projectFilter="inside.*")
    (sent,) = wide.call("POST", "/uploads", files={"file": ("a.json", b"[]")}).json()
    assert wide.call("GET", f"/uploads/{sent['id']}").status_code == 200
    assert caller.call("GET", f"/uploads/{sent['id']}").status_code == 404
    load = caller.call("POST", f"/projects/{INSIDE}/documents/_load", json=[{"id": sent["id"]}])
    assert load.status_code == 404, load.text


def test_a_stored_response_of_a_full_token_is_not_returned_to_a_restricted_one(client: Any, projects: None) -> None:
    """`Idempotency-Key` belongs to a user and a restriction."""
    key = {"Idempotency-Key": "same"}
    wide, caller = narrow(client), narrow(client, projectFilter="inside.*")
    body = {"label": "Seen by all", "name": "outside_more", "nature": "sequence_labelling", "lang": "en"}
    assert wide.call("POST", "/projects", json=body, headers=key).status_code == 200
    assert caller.call("POST", "/projects", json=body, headers=key).status_code == 403
    inside = body | {"name": "inside_more"}
    first, again = (caller.call("POST", "/projects", json=inside, headers=key) for _ in range(2))
    assert (first.status_code, first.json()) == (200, again.json())


@contextmanager
def listening(caller: RestrictedClient) -> Iterator[Any]:
    token = caller.call("GET", "/eventbus-login").json()["access_token"]
    with caller.client.websocket_connect(f"/api/events?token={token}") as socket:
        yield socket


@pytest.mark.parametrize("way", ["token", "key"])
def test_a_live_connection_receives_only_events_its_token_may_read(client: Any, projects: None, way: str) -> None:
    caller = (by_key if way == "key" else narrow)(client, projectFilter="inside.*")
    with listening(caller) as socket:
        with unit_of_work(actor="tests", write=True) as unit:
            unit.emit("thing", {"of": OUTSIDE}, project=OUTSIDE)
            unit.emit("projects", {"type": "created", "name": OUTSIDE}, user="chief")
            unit.emit("visibility", {"type": "changed", "name": OUTSIDE}, user="chief", project=OUTSIDE)
            unit.emit("thing", {"of": INSIDE}, project=INSIDE)
        assert socket.receive_json()["arg"] == {"of": INSIDE}
    assert narrow(client, annotateOnly=True).call("GET", "/eventbus-login").status_code == 403


def test_revoking_a_key_ends_its_live_connection_and_the_next_request(client: Any, projects: None) -> None:
    caller, wide = by_key(client, projectAccessMode="read"), narrow(client)
    assert caller.call("GET", "/projects").status_code == 200
    (key,) = wide.call("GET", "/users/chief/keys").json()
    with listening(caller) as socket:
        assert wide.call("DELETE", f"/users/chief/keys/{key['identifier']}").status_code == 200
        get_hub().check_rights()
        assert socket.receive()["type"] == "websocket.close"
    assert caller.call("GET", "/projects").status_code == 401


def test_a_live_connection_ends_with_its_token(client: Any, projects: None) -> None:
    caller = narrow(client, duration="2 seconds")
    with listening(caller) as socket:
        assert socket.receive()["type"] == "websocket.close"


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("", "empty"),
        ("(", "unclosed group"),
        ("a)|(b", "unopened group"),
        ("(?=a)b", "look-around"),
        (r"(a)\1", "backreferences"),
        ("a" * (PATTERN_MAX + 1), "more than"),
        (r"((\w{100}){100}){100}", "size limit"),
    ],
)
def test_an_invalid_filter_expression_is_refused_at_sign_in(client: Any, pattern: str, why: str) -> None:
    answer = log_in(client, projectFilter=pattern)
    assert answer.status_code == 400
    assert answer.json()["details"][0]["field"] == "projectFilter"
    assert why in answer.json()["cause"]
    wrong = client.post(f"/api/auth/login?projectFilter={pattern}", json={"email": "chief", "password": "x"})
    assert wrong.status_code == 401, "expressions of callers without an account are not even compiled"


def test_any_expression_is_matched_in_linear_time_or_refused() -> None:
    """The engine does not backtrack: nested repetitions, which take exponential time in other engines."""
    restriction = make_restriction(project_filter="(((a+)+)+)+b")
    assert not restriction.opens("a" * 100_000)
    random.seed(7)
    parts = ["a", "b", ".", "*", "+", "?", "(", ")", "(?:", "|", "[a-z]", r"\w", "{2,9}", "^", "$", "\\", "(?i)", "é"]
    refused = 0
    for _ in range(hostile_test_size(2_000, 50_000)):
        pattern = "".join(random.choices(parts, k=random.randint(1, 12)))
        try:
            check_project_filter(pattern)
        except InvalidInput:
            refused += 1
            continue
        make_restriction(project_filter=pattern).opens("ab" * 100)
    assert refused


def test_a_filter_expression_matches_whole_names(client: Any) -> None:
    restriction = make_restriction(project_filter="a|ab")
    assert [restriction.opens(name) for name in ("a", "ab", "abc", "xa", "a\n")] == [True, True, False, False, False]


def test_ended_sign_ins_of_restricted_tokens_are_refused(client: Any) -> None:
    caller = narrow(client, projectAccessMode="read")
    assert caller.call("POST", "/auth/logout").status_code == 204
    assert caller.call("GET", "/projects").status_code == 401
    with unit_of_work(actor="tests", write=False) as unit:
        texts = set(unit.session.scalars(select(SignInSession.restriction)))
    assert '{"projectAccessMode":"read"}' in texts
