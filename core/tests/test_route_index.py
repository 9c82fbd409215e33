"""The index of routes finds what the framework would find."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi import APIRouter, FastAPI
from starlette.testclient import TestClient

from annotarium.app import create_app, declared_routes
from annotarium.route_index import install_route_index, split_by_key


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


def test_what_is_no_operation_says_so(client: Any) -> None:
    assert client.get("/api/projects/a/nothing").status_code == 404
    assert client.get("/api/projects/a/labels/").status_code == 404
    assert client.delete("/api/projects/a/annotations").status_code == 405
    assert client.get("/api").status_code == 404


def test_the_first_of_two_routes_that_match_answers() -> None:
    first, second = APIRouter(), APIRouter()

    @first.get("/a/{name}/c/{rest:path}")
    def many(name: str, rest: str) -> str:
        return f"many {name} {rest}"

    @second.get("/a/{name}/{third}/d")
    def any_third(name: str, third: str) -> str:
        return f"any {name} {third}"

    app = FastAPI()
    groups = split_by_key([first, second], "/api")
    for _, router in groups:
        app.include_router(router, prefix="/api")
    install_route_index(app, [key for key, _ in groups])
    client = TestClient(app)
    assert client.get("/api/a/x/c/d").json() == "many x d"
    assert client.get("/api/a/x/c/d/e").json() == "many x d/e"
    assert client.get("/api/a/x/q/d").json() == "any x q"
    assert client.get("/api/a/x/q/e").status_code == 404


def test_routes_without_a_place_stop_the_start() -> None:
    router = APIRouter()
    router.add_api_route("/{anything}", lambda: None)
    with pytest.raises(RuntimeError, match="begins with a parameter"):
        split_by_key([router], "/api")
