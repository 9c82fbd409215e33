"""The required effect of a rule, the user on an open route, and the arguments of an endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from fastapi import FastAPI, Query, Request
from sqlalchemy import select
from support.routed_app import app_with_routes

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import Rule, check_permissions, guarded, with_access_rule
from annotarium.access.request_limits import ANONYMOUS, STANDARD
from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import AccessDenied
from annotarium.http.routing import DomainRouter


@pytest.mark.parametrize(
    ("rule", "required_effect"),
    [
        (Rule(write=False), "read"),
        (Rule(write=False, project="read"), "read"),
        (Rule(write=False, project="write"), "write"),
        (Rule(write=True, project="read"), "write"),
        (Rule(write=True, effect="annotate"), "annotate"),
        (Rule(write=False, effect="chmod"), "chmod"),
    ],
)
def test_required_effect_of_a_rule(rule: Rule, required_effect: str) -> None:
    assert rule.required_effect == required_effect


def test_repeatable_rules_and_their_limits() -> None:
    assert [Rule(write=write, inline=True).repeatable for write in (True, False)] == [True, False]
    assert Rule(write=True, idempotent=True).repeatable and not Rule(write=True).repeatable
    assert Rule(anonymous=True).limits is ANONYMOUS and Rule().limits is STANDARD
    assert Rule(anonymous=True, bounds=STANDARD).limits is STANDARD


def test_a_rule_that_names_a_family_accepts_any_of_its_permissions() -> None:
    rule = Rule(("createUserIn:",))
    check_permissions(Access(1, "u", permissions=frozenset({"createUserIn:press"})), rule, {})
    for held in ("createUser:press", "c:press", "createUserIn"):
        with pytest.raises(AccessDenied):
            check_permissions(Access(1, "u", permissions=frozenset({held})), rule, {})


def test_missing_permissions_are_named() -> None:
    with pytest.raises(AccessDenied) as refused:
        check_permissions(Access(1, "u"), Rule(("readLabel:{name}", "b"), any_of=True), {"name": "x"})
    assert "readLabel:x or b" in str(refused.value.cause)


def small_app() -> FastAPI:
    router = DomainRouter()

    @router.get("/who")
    @guarded(anonymous=True, write=False)
    def who(call: Call) -> str:
        return call.username

    @router.get("/named")
    @guarded(write=False)
    def named(call: Call, wanted: Annotated[str, Query(alias="theName", max_length=3)]) -> str:
        return wanted

    @router.post("/projects/{project_name}/described")
    @guarded(project="write")
    def described(call: ProjectCall, text: str) -> None:
        call.project.description = text

    return app_with_routes(router)


@pytest.fixture
def small(client: Any, data_folder: Path) -> Iterator[Any]:
    with type(client)(small_app()) as small:
        yield small


def test_an_open_route_identifies_the_user_and_tolerates_invalid_credentials(small: Any, as_user: Any) -> None:
    assert small.get("/who").json() == ""
    assert as_user(small, "marie").get("/who").json() == "marie"
    assert small.get("/who", headers={"Authorization": "Bearer nonsense"}).json() == ""


def test_declared_parameter_aliases_and_limits_apply(small: Any, as_user: Any) -> None:
    caller = as_user(small, "marie")
    assert caller.get("/named?theName=abc").json() == "abc"
    assert caller.get("/named?wanted=abc").status_code == 400
    assert caller.get("/named?theName=abcd").status_code == 400


def test_changes_of_the_project_by_a_writing_route_are_stored(small: Any, as_user: Any, make_project: Any) -> None:
    name = make_project(writers=("marie",)).name
    assert as_user(small, "marie").post(f"/projects/{name}/described?text=new").status_code == 200
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.scalars(select(Project.description).where(Project.name == name)).one() == "new"


def test_a_synchronous_endpoint_is_returned_unwrapped() -> None:
    """`with_access_rule` only records the rule on a synchronous endpoint."""

    def endpoint(request: Request) -> None:
        """Opens its own calls."""

    rule = Rule(write=False)
    assert with_access_rule(rule)(endpoint) is endpoint
    assert endpoint.__access_rule__ == rule  # type: ignore[attr-defined]
    bound: Any = with_access_rule(rule, STANDARD)(endpoint)
    assert bound.__access_rule__.bounds is STANDARD
