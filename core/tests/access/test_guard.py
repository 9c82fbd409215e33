"""The guard: rules of routes, versions, idempotency keys of creates, and which error of a wrong request comes first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import APIRouter, FastAPI, Request

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import Rule, check_permissions, guarded
from annotarium.access.rights import Access
from annotarium.app import require_access_rules
from annotarium.db.models import Project
from annotarium.errors import AccessDenied
from annotarium.http.error_handlers import install_error_handlers
from annotarium.http.routing import DomainRouter
from annotarium_schemas.shape import Command


class Note(Command):
    text: str


def small_app() -> FastAPI:
    router = DomainRouter()
    made: list[str] = []

    @router.get("/projects/{project_name}")
    @guarded(project="read", versioned=True)
    def read(call: ProjectCall, http: Request) -> dict[str, Any]:
        return {"name": call.project.name, "ifMatch": call.if_match, "path": http.url.path}

    @router.post("/projects/{project_name}/notes")
    @guarded("writeLabel", project="write", idempotent=True)
    def write(call: ProjectCall, body: Note) -> dict[str, Any]:
        made.append(body.text)
        call.project.description = body.text
        return {"count": len(made), "nothing": None}

    @router.post("/projects/{project_name}/owned")
    @guarded("shareProject", project="write", owner=True)
    def owned(call: ProjectCall) -> None:
        return None

    @router.post("/other")
    @guarded(idempotent=True)
    def other(call: Call) -> dict[str, int]:
        return {}

    app = FastAPI()
    app.router.routes += router.routes
    install_error_handlers(app)
    return app


@pytest.fixture
def small(client: Any, data_folder: Path) -> Iterator[Any]:
    test_client = type(client)
    with test_client(small_app()) as small:
        yield small


def test_inaccessible_projects_look_like_absent_ones(small: Any, as_user: Any, make_project: Any) -> None:
    project = make_project(readers=("reader",), writers=("writer",))
    answers = [
        as_user(small, "stranger", "ProjectManager").get(f"/projects/{name}") for name in (project.name, "absent")
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    bodies = [{k: v for k, v in answer.json().items() if k != "errorId"} for answer in answers]
    assert str(bodies[0]).replace(project.name, "absent") == str(bodies[1])
    answer = as_user(small, "reader").get(f"/projects/{project.name}")
    assert answer.json() == {"name": project.name, "ifMatch": None, "path": f"/projects/{project.name}"}
    assert as_user(small, "reader").get("/projects/a%00b").status_code == 404


def test_reading_is_not_writing_and_writing_needs_the_permission(small: Any, as_user: Any, make_project: Any) -> None:
    project = make_project(readers=("reader",), writers=("writer",), owner="owner")
    path, body = f"/projects/{project.name}/notes", {"text": "x"}
    assert small.post(path, json=body).status_code == 401
    assert as_user(small, "reader", "writeLabel").post(path, json=body).status_code == 403
    assert as_user(small, "writer").post(path, json=body).status_code == 403
    assert as_user(small, "owner").post(path, json=body).status_code == 403
    assert as_user(small, "writer", "writeLabel").post(path, json=body).status_code == 200
    owned = f"/projects/{project.name}/owned"
    assert as_user(small, "writer").post(owned).status_code == 403
    assert as_user(small, "owner").post(owned).status_code == 200


def test_missing_rights_are_reported_before_errors_in_the_request(small: Any, as_user: Any, make_project: Any) -> None:
    project = make_project(readers=("reader",), writers=("writer",))
    path, wrong = f"/projects/{project.name}/notes", {"text": 3, "more": 1}
    assert small.post(path, json=wrong).status_code == 401
    assert as_user(small, "stranger", "writeLabel").post(path, json=wrong).status_code == 404
    assert as_user(small, "reader", "writeLabel").post(path, json=wrong).status_code == 403
    answer = as_user(small, "writer", "writeLabel").post(path, json=wrong)
    assert answer.status_code == 400
    assert {detail["field"] for detail in answer.json()["details"]} == {"text", "more"}


def test_a_create_with_an_idempotency_key_happens_once(small: Any, as_user: Any, make_project: Any) -> None:
    project = make_project(writers=("writer",))
    writer = as_user(small, "writer", "writeLabel")
    path, key = f"/projects/{project.name}/notes", {"Idempotency-Key": "k1"}
    first = writer.post(path, json={"text": "a"}, headers=key)
    again = writer.post(path, json={"text": "a"}, headers=key)
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert writer.post(path, json={"text": "a"}).json()["count"] == first.json()["count"] + 1
    assert writer.post("/other", headers=key).status_code == 400
    refused = writer.post(path, json={"text": "b"}, headers=key)
    assert (refused.status_code, refused.json()["fix"]) == (400, "Use a new key for each call"), (
        "b is not lost silently"
    )
    someone = as_user(small, "someone", "writeLabel")
    assert someone.post("/other", headers=key).status_code == 200, "keys belong to a user"


@pytest.mark.parametrize(
    ("header", "version"),
    [(None, None), ("*", None), ('"12"', 12), ('W/"3"', 3), ("7", 7), ("x", 400), ("²", 400), ("9" * 5000, 400)],
)
def test_versions_in_if_match(
    small: Any, as_user: Any, make_project: Any, header: str | None, version: int | None
) -> None:
    project = make_project(readers=("reader",))
    headers = {} if header is None else {"If-Match": header.encode("latin-1")}
    answer = as_user(small, "reader").get(f"/projects/{project.name}", headers=headers)
    if version == 400:
        assert answer.status_code == 400
    else:
        assert answer.json()["ifMatch"] == version


def test_a_route_without_a_rule_fails_the_start() -> None:
    app, router, inner = small_app(), APIRouter(), APIRouter()
    require_access_rules(app)

    @inner.get("/open")
    def forgotten() -> None:
        return None

    router.include_router(inner, prefix="/inner")
    app.include_router(router, prefix="/api")
    with pytest.raises(RuntimeError, match="GET /api/inner/open"):
        require_access_rules(app)


@pytest.mark.parametrize(
    ("held", "rule", "allowed"),
    [
        ({"a"}, Rule(("a",)), True),
        ({"a"}, Rule(("a", "b")), False),
        ({"a"}, Rule(("a", "b"), any_of=True), True),
        ({"c"}, Rule(("a", "b"), any_of=True), False),
        ({"f:*"}, Rule(("f:{name}",)), True),
        ({"f:x"}, Rule(("f:{name}",)), True),
        ({"f:y"}, Rule(("f:{name}",)), False),
        ({"f:y"}, Rule(("f:",)), True),
        ({"g:y"}, Rule(("f:",)), False),
        ({"f:x"}, Rule(("f:*",)), False),
    ],
)
def test_rules(held: set[str], rule: Rule, allowed: bool) -> None:
    access = Access(1, "u", permissions=frozenset(held))
    if allowed:
        check_permissions(access, rule, {"name": "x"})
        return
    with pytest.raises(AccessDenied):
        check_permissions(access, rule, {"name": "x"})


@pytest.mark.parametrize(
    ("access", "expected"),
    [
        (Access(5, "o"), (True, True, True)),
        (Access(1, "u", administered_group_ids=frozenset({9})), (True, True, True)),
        (Access(1, "u", shared_read=frozenset({3})), (True, False, False)),
        (Access(1, "u", shared_write=frozenset({3})), (True, True, False)),
        (Access(1, "u", shared_write=frozenset({3}), locked_project_ids=frozenset({3})), (True, False, False)),
        (Access(1, "u", permissions=frozenset({"readProject:p"})), (True, False, False)),
        (Access(1, "u", permissions=frozenset({"writeProject:*"})), (True, True, False)),
        (Access(1, "u", group_ids=frozenset({9})), (False, False, False)),
        (Access(0, ""), (False, False, False)),
    ],
)
def test_rights_on_a_project(access: Access, expected: tuple[bool, bool, bool]) -> None:
    rights = access.rights_on(Project(id=3, name="p", owner_id=5, group_id=9))
    assert (rights.read, rights.write, rights.owner) == expected
    assert not Access(0, "").rights_on(Project(id=4, name="q", owner_id=None, group_id=None)).read


def test_an_idempotent_route_may_not_take_the_raw_request() -> None:
    """Otherwise a client that retries after a lost response would be refused because the call differs."""

    def make(call: Call, request: Request) -> None:
        """Its request would read differently each time."""

    with pytest.raises(TypeError, match="make"):
        guarded(idempotent=True)(make)
