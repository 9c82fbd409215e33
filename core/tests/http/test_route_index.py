"""The route index finds the same routes as the framework."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi import APIRouter, FastAPI
from fastapi.exceptions import FastAPIError
from starlette.testclient import TestClient

from annotarium.access.guard import Rule, with_access_rule
from annotarium.app import create_app, declared_routes
from annotarium.http.route_index import indexed_routes, install_route_index
from annotarium.http.routing import DomainRouter, LazyRoute


def test_every_operation_is_found_under_the_index(client: Any) -> None:
    operations = [one for one in declared_routes(create_app()) if one[0] != "SOCKET"]
    assert len(operations) > 150
    for method, path, rule in operations:
        asked = re.sub(r"\{[a-z_]+(:path)?\}", lambda match: "a/b" if match[1] else "a", path)
        answer = client.request(method, asked)
        assert answer.status_code != 405, (method, asked)
        assert "There is no operation" not in answer.text, (method, asked)
        if rule is not None and not rule.anonymous:
            assert answer.status_code == 401, (method, asked, answer.text)


def test_other_routes_are_refused_with_a_message(client: Any) -> None:
    assert client.get("/api/projects/a/nothing").status_code == 404
    assert client.get("/api/projects/a/labels/").status_code == 404
    assert client.delete("/api/projects/a/annotations").status_code == 405
    assert client.get("/api").status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "MKCOL"])
def test_an_unknown_path_is_404_for_every_method(client: Any, as_admin: Any, method: str) -> None:
    """A client that probes for an operation gets the response that GET gives: 404, never 405."""
    for path in ("/api", "/api/nothing/at/all", "/api/messages", "/api/projects/a/lexica", "/api/projects/a/labels/"):
        for caller in (client, as_admin):
            answer = caller.request(method, path)
            assert (answer.status_code, answer.headers.get("allow")) == (404, None), (path, answer.text)
            if method != "HEAD":
                body = answer.json()
                assert (body["code"], body["error"]) == (404, "not_found")
                assert body["message"] == f"There is no operation {method} {path}"


def test_a_path_with_other_methods_is_405_and_names_them(client: Any) -> None:
    """405 as HTTP defines it: the header `Allow`, and an error with a fix."""
    for method, path, allowed in (
        ("DELETE", "/api/projects/a/annotations", "POST"),
        ("POST", "/api/projects/a/plans/b", "DELETE, GET, PATCH"),
        ("GET", "/api/projects/a/_annotate", "POST"),
        ("POST", "/documents", "GET, HEAD"),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed), answer.text
        body = answer.json()
        assert (body["code"], body["error"]) == (405, "method_not_allowed")
        assert allowed in body["fix"] and f"{method} {path}" in body["message"]


def test_the_first_of_two_matching_routes_is_called() -> None:
    first, second = DomainRouter(), DomainRouter()

    @first.get("/a/{name}/c/{rest:path}")
    @with_access_rule(Rule(anonymous=True))
    def many(name: str, rest: str) -> str:
        return f"many {name} {rest}"

    @second.get("/a/{name}/{third}/d")
    @with_access_rule(Rule(anonymous=True))
    def any_third(name: str, third: str) -> str:
        return f"any {name} {third}"

    app = FastAPI()
    install_route_index(app, list(indexed_routes([first, second], "/api", app)))
    client = TestClient(app)
    assert client.get("/api/a/x/c/d").json() == "many x d"
    assert client.get("/api/a/x/c/d/e").json() == "many x d/e"
    assert client.get("/api/a/x/q/d").json() == "any x q"
    assert client.get("/api/a/x/q/e").status_code == 404


def test_routes_that_cannot_be_indexed_fail_the_start() -> None:
    router = DomainRouter()
    router.add_api_route("/{anything}", lambda: None)
    with pytest.raises(RuntimeError, match="begins with a parameter"):
        list(indexed_routes([router], "/api", FastAPI()))


def test_plain_framework_routers_fail_the_start() -> None:
    router = APIRouter()
    router.add_api_route("/anything", lambda: None)
    with pytest.raises(RuntimeError, match="no operation"):
        list(indexed_routes([router], "/api", FastAPI()))


def test_a_route_is_built_by_its_first_request() -> None:
    router = DomainRouter(tags=["things"])

    @router.get("/things/{number}")
    @with_access_rule(Rule(anonymous=True))
    def thing(number: int) -> dict[str, int]:
        return {"number": number}

    @router.post("/things/{number}")
    @with_access_rule(Rule(anonymous=True))
    def change(number: int) -> None:
        return None

    app = FastAPI()
    install_route_index(app, list(indexed_routes([router], "/api", app)))
    routes = [route for route in app.routes if isinstance(route, LazyRoute)]

    def built() -> list[str]:
        return sorted(route.endpoint.__name__ for route in routes if route.is_built)

    client = TestClient(app)
    assert client.get("/api/other/1").status_code == 404 and not built()
    assert client.delete("/api/things/1").status_code == 405
    assert client.get("/api/things/one").status_code == 422
    assert [client.get("/api/things/7").json(), client.get("/api/things/8").json()] == [{"number": 7}, {"number": 8}]
    assert built() == ["thing"]
    described = app.openapi()["paths"]["/api/things/{number}"]
    assert set(described) == {"get", "post"} and described["get"]["tags"] == ["things"]
    assert built() == ["change", "thing"]


def test_a_route_that_cannot_be_built_reports_why_each_time() -> None:
    def broken(thing: Any) -> None:
        return None

    broken.__annotations__["thing"] = TestClient  # not a type that can be serialised
    operation = LazyRoute("/broken", broken)
    for _ in range(2):
        with pytest.raises(FastAPIError, match="Invalid args"):
            operation.build()
    broken.__annotations__["thing"] = int
    assert operation.dependant.query_params[0].name == "thing"
    assert not hasattr(operation, "no_such_thing")
