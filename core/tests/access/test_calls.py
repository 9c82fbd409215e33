"""What an endpoint knows about its call, what is refused before it runs, and the limits of idempotency keys."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from fastapi import FastAPI, Query, Request
from sqlalchemy.orm import object_session
from support.routed_app import app_with_routes

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import Rule, guarded, open_call, rule_of_endpoint, with_access_rule
from annotarium.access.identity import SESSION_COOKIE
from annotarium.access.request_limits import ANONYMOUS, STANDARD
from annotarium.access.throttle import throttle
from annotarium.db.models import Job
from annotarium.db.unit_of_work import unit_of_work
from annotarium.http.routing import DomainRouter
from annotarium.settings import get_settings
from annotarium_schemas.shape import Command


class Note(Command):
    text: str


def small_app() -> FastAPI:
    router = DomainRouter()
    made: list[str] = []

    @router.get("/told")
    @guarded(write=False)
    def read_call(call: Call) -> dict[str, Any]:
        restriction = call.unit.restriction
        return {
            "key": call.idempotency_key,
            "ifMatch": call.if_match,
            "address": call.address,
            "secure": call.secure,
            "restricted": bool(restriction),
            "actor": call.unit.actor,
        }

    @router.get("/versioned")
    @guarded(write=False, versioned=True)
    def versioned(call: Call) -> int | None:
        return call.if_match

    @router.post("/notes")
    @guarded(idempotent=True)
    def note(call: Call, body: Note, times: Annotated[int, Query(ge=1)] = 1) -> dict[str, Any]:
        made.append(body.text)
        return {"count": len(made), "times": times}

    @router.post("/projects/{project_name}/brief")
    @guarded("writeLabel", project="write", inline=True, owner=True)
    def brief(call: ProjectCall) -> str:
        return call.project.name

    @router.post("/projects/{project_name}/described")
    @guarded(project="write", write=True)
    def described(call: ProjectCall) -> bool:
        return object_session(call.project) is not None

    @router.post("/projects/{project_name}/glimpsed")
    @guarded(project="write", inline=True)
    def glimpsed(call: ProjectCall) -> bool:
        return object_session(call.project) is not None

    @router.get("/projects/{project_name}/looked-at")
    @guarded(project="read")
    def looked_at(call: ProjectCall) -> bool:
        return object_session(call.project) is not None

    @router.post("/open")
    @guarded(anonymous=True, write=False)
    def for_everybody(call: Call) -> str:
        return f"{call.access.user_id} {call.username}"

    @router.post("/projects/{project_name}/counted")
    @with_access_rule(Rule(project="read", write=True, effect="annotate", unthrottled_permission="useSearch"))
    async def counted(request: Request, project_name: str, body: Note) -> str:
        with open_call(request, Rule(project="read", write=False)) as call:
            return call.username + body.text

    return app_with_routes(router)


@pytest.fixture
def small(client: Any, data_folder: Path) -> Iterator[Any]:
    with type(client)(small_app()) as small:
        yield small


def narrow_key(client: Any, caller: Any, **limits: Any) -> dict[str, str]:
    """Return the header of an API key with a restriction."""
    made = caller.post(f"/api/users/{caller.username}/keys", json={"label": "narrow"} | limits)
    assert made.status_code == 200, made.text
    client.cookies.clear()
    return {"X-Kairntech-key": made.json()["key"]}


def test_a_call_carries_its_address_scheme_headers_and_restriction(
    small: Any, client: Any, as_user: Any, make_project: Any
) -> None:
    marie = as_user(small, "marie", "Annotator")
    plain = {"key": None, "ifMatch": None, "address": "testclient", "restricted": False, "actor": "marie"}
    assert marie.get("/told").json() == plain | {"secure": False}
    headers = {"Idempotency-Key": "k", "If-Match": '"3"'}
    told = marie.get("https://testserver/told", headers=headers).json()
    assert told == plain | {"key": "k", "secure": True}, "versions are for the routes that hold them against something"
    assert marie.get("/versioned", headers=headers).json() == 3
    project = make_project(readers=("marie",)).name
    key = narrow_key(client, as_user(client, "marie", "Annotator"), projectFilter=project, projectAccessMode="read")
    assert small.get("/told", headers=key).json() == plain | {"secure": False, "restricted": True}


@pytest.mark.parametrize(("version", "status"), [("9" * 18, 200), ("9" * 19, 400), ('W/"' + "9" * 18 + '"', 200)])
def test_if_match_versions_have_at_most_18_digits(small: Any, as_user: Any, version: str, status: int) -> None:
    answer = as_user(small, "marie").get("/versioned", headers={"If-Match": version})
    assert answer.status_code == status
    assert status == 400 or answer.json() == 10**18 - 1


def test_the_rule_of_an_endpoint_is_what_it_declares() -> None:
    @guarded(
        "a",
        "b",
        any_of=True,
        write=False,
        anonymous=True,
        owner=True,
        versioned=True,
        effect="read",
        pending_project=True,
    )
    def endpoint(call: Call) -> None:
        """Empty endpoint."""

    expected = Rule(
        ("a", "b"),
        any_of=True,
        write=False,
        anonymous=True,
        owner=True,
        versioned=True,
        effect="read",
        pending_project=True,
    )
    assert rule_of_endpoint(endpoint) == expected
    assert rule_of_endpoint(small_app) is None and rule_of_endpoint(None) is None
    reads: Any = guarded(project="read")(endpoint_of_project)
    assert rule_of_endpoint(reads) == Rule(project="read", write=False)
    assert rule_of_endpoint(guarded(project="read", write=True)(endpoint_of_project)) == Rule(
        project="read", write=True
    )
    assert rule_of_endpoint(guarded(project="write", inline=True, idempotent=True)(endpoint_of_project)) == Rule(
        project="write", inline=True, idempotent=True
    )


def endpoint_of_project(call: ProjectCall) -> None:
    """Empty endpoint of a project."""


def test_only_a_long_write_route_stores_changes_of_the_project_row(small: Any, as_user: Any, make_project: Any) -> None:
    """In other routes the project is read-only: a value set on it by mistake is not stored."""
    marie, path = as_user(small, "marie"), f"/projects/{make_project(writers=('marie',)).name}"
    assert marie.post(f"{path}/described").json() is True
    assert marie.post(f"{path}/glimpsed").json() is False
    assert marie.get(f"{path}/looked-at").json() is False


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": "Basic bWFyaWU6d3Jvbmc="},
        {"Authorization": "Basic !"},
        {"X-Kairntech-key": "nonsense"},
        {"Cookie": f"{SESSION_COOKIE}=nonsense"},
    ],
)
def test_an_open_route_treats_invalid_credentials_as_anonymous(
    small: Any, as_user: Any, headers: dict[str, str]
) -> None:
    as_user(small, "marie")
    answer = small.post("/open", headers=headers)
    assert (answer.status_code, answer.json()) == (200, "0 ")


def test_an_open_route_ignores_a_cookie_from_another_site(small: Any, as_user: Any) -> None:
    """A cookie, which any site can make a browser send, is ignored; with the header of the web app it identifies the
    user.
    """
    token = as_user(small, "marie").headers["Authorization"].removeprefix("Bearer ")
    cookie = {"Cookie": f"{SESSION_COOKIE}={token}"}
    assert small.post("/open", headers=cookie).json() == "0 "
    assert small.post("/open", headers=cookie | {"X-Requested-With": "XMLHttpRequest"}).json().endswith(" marie")


def test_an_asynchronous_endpoint_keeps_its_signature() -> None:
    async def read_call(request: Request, project_name: str, body: Note) -> dict[str, int]:
        return {}

    async def nothing(request: Request) -> None:
        return None

    rule = Rule(write=False)
    signature = inspect.signature(with_access_rule(rule)(read_call))
    assert {name: one.annotation for name, one in signature.parameters.items()} == {
        "request": Request,
        "project_name": str,
        "body": Note,
    }
    assert signature.return_annotation == dict[str, int]
    assert inspect.signature(with_access_rule(rule)(nothing)).return_annotation is None


def test_with_access_rule_keeps_a_socket_endpoint_and_its_limits() -> None:
    async def socket(name: str) -> None:
        """Takes no request: it authenticates with its own token."""

    bounded = Rule(write=False, bounds=ANONYMOUS)
    endpoint: Any = with_access_rule(bounded)(socket)
    assert endpoint is socket
    assert rule_of_endpoint(endpoint) == bounded
    assert rule_of_endpoint(with_access_rule(bounded, STANDARD)(socket)) == Rule(write=False, bounds=STANDARD)


def test_an_idempotency_key_with_other_arguments_is_refused(small: Any, as_user: Any) -> None:
    marie, key = as_user(small, "marie"), {"Idempotency-Key": "one"}
    first = marie.post("/notes?times=2", json={"text": "a"}, headers=key)
    assert first.json() == {"count": 1, "times": 2}
    assert marie.post("/notes?times=2", json={"text": "a"}, headers=key).json() == first.json()
    for path, text in (("/notes", "a"), ("/notes?times=3", "a"), ("/notes?times=2", "b")):
        refused = marie.post(path, json={"text": text}, headers=key)
        assert (refused.status_code, refused.json()["message"]) == (
            400,
            "This Idempotency-Key was used for another request",
        )
    assert as_user(small, "paul").post("/notes", json={"text": "a"}, headers=key).json()["count"] == 2


@pytest.mark.parametrize("narrow", [False, True])
def test_only_the_first_128_characters_of_an_idempotency_key_count(
    small: Any, client: Any, as_user: Any, make_project: Any, narrow: bool
) -> None:
    """As many characters as are stored; the same for a full and a restricted token."""
    marie = as_user(client, "marie", "Annotator")
    project = make_project(writers=("marie",)).name
    limits = {"projectFilter": project, "projectAccessMode": "write"}
    headers = narrow_key(client, marie, **limits) if narrow else marie.headers

    def send(key: str) -> int:
        path = f"/api/projects/{project}/labels"
        answer = client.post(path, json={"label": "One"}, headers=headers | {"Idempotency-Key": key})
        return int(answer.status_code)

    as_user(client, "marie", "Annotator", "writeLabel")
    assert send("k" * 128 + "a") == 200
    assert send("k" * 128 + "b") == 200, "the answer of the first call"
    assert send("k" * 127 + "a") != 200, "another call, which finds the label there"


def test_a_read_only_key_may_not_call_a_writing_route(small: Any, client: Any, as_user: Any, make_project: Any) -> None:
    project = make_project(owner="marie").name
    path = f"/projects/{project}/brief"
    marie = as_user(small, "marie", "ProjectManager")
    assert marie.post(path).json() == project
    keys = as_user(client, "marie", "ProjectManager")
    for mode, status in (("read", 403), ("write", 200)):
        key = narrow_key(client, keys, projectFilter=project, projectAccessMode=mode)
        assert small.post(path, headers=key).status_code == status, mode


def test_the_owner_needs_no_permission_where_the_rule_admits_owners(
    small: Any, as_user: Any, make_project: Any
) -> None:
    project = make_project(owner="olga", writers=("wim",), readers=("rita",))
    path = f"/projects/{project.name}/brief"
    assert as_user(small, "olga").post(path).status_code == 200
    refused = as_user(small, "wim").post(path)
    assert (refused.status_code, "writeLabel" in refused.json()["cause"]) == (403, True)
    assert as_user(small, "rita", "writeLabel").post(path).json()["message"] == "The project is read-only"
    assert as_user(small, "sven", "writeLabel").post(path).json()["message"] == (f"There is no project {project.name}")
    assert small.post(path).status_code == 401


def test_only_valid_calls_count_against_the_rate_limit(
    small: Any, as_user: Any, make_project: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused body is not counted; over the limit, 429 is returned before errors in the body are reported."""
    monkeypatch.setenv("ANNOTARIUM_ANNOTATE_CALLS_PER_MINUTE", "2")
    get_settings.cache_clear()
    throttle.forget_all()
    name = make_project(readers=("marie", "free")).name
    path = f"/projects/{name}/counted"
    marie = as_user(small, "marie")
    assert [marie.post(path, json={"wrong": 1}).status_code for _ in range(3)] == [400] * 3
    assert [marie.post(path, json={"text": "!"}).status_code for _ in range(3)] == [200, 200, 429]
    assert marie.post(path, json={"wrong": 1}).status_code == 429
    free = as_user(small, "free", "useSearch")
    assert [free.post(path, json={"text": "!"}).json() for _ in range(3)] == ["free!"] * 3
    assert small.post(path, json={"text": "!"}).status_code == 401
    assert as_user(small, "sven").post(path, json={"text": "!"}).status_code == 404
    get_settings.cache_clear()
    throttle.forget_all()


def test_a_restoration_job_is_visible_to_the_user_who_started_it(client: Any, as_user: Any) -> None:
    """Before the project exists and after its creation failed; other routes of it, and other users, get 404."""
    marie, paul = as_user(client, "marie", "ProjectManager"), as_user(client, "paul", "ProjectManager")
    arguments = {"project_name": "to-come", "project_label": "To come"}
    with unit_of_work(actor="tests", write=True) as unit:
        made = {"type": "PROJECT_RESTORATION", "created_by": "marie", "state": "done", "status": "FAILED"}
        unit.session.add(Job(id="b" * 32, function="restore_project", arguments=arguments, **made))
    path = "/api/projects/to-come"
    assert marie.get(f"{path}/job/{'b' * 32}").status_code == 200
    assert paul.get(f"{path}/job/{'b' * 32}").status_code == 404
    assert marie.get(f"{path}/documents").status_code == 404
