"""Answers are written in the thread that made them.

FastAPI checks and writes the answer of a plain `def` endpoint in a second turn of its thread pool. Under load each turn
costs a wait for the interpreter; the guard, which already runs in a thread, does it in the first one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from inspect import iscoroutinefunction, isgeneratorfunction
from typing import Any

from fastapi import FastAPI, Response
from fastapi.datastructures import DefaultPlaceholder
from fastapi.exceptions import ResponseValidationError
from fastapi.routing import APIRoute, iter_route_contexts

from annotarium.access.guard import rule_of

Writer = Callable[[Any], Any]


def install_answers(app: FastAPI) -> None:
    """Give the endpoint of each route what writes its answers, as the route says."""
    routes: dict[Callable[..., Any], list[APIRoute]] = defaultdict(list)
    for route in _routes(app):
        routes[route.endpoint].append(route)
    for endpoint, its_routes in routes.items():
        writers = {_options(route) for route in its_routes}
        if len(writers) == 1 and _plain(its_routes[0]):
            endpoint.__answer__ = _writer(its_routes[0])  # type: ignore[attr-defined]


def _routes(app: FastAPI) -> Iterator[APIRoute]:
    for context in iter_route_contexts(app.routes):
        if isinstance(context.original_route, APIRoute):
            yield context.original_route


def _plain(route: APIRoute) -> bool:
    """Whether the answer is JSON of a declared shape and nothing else has a say in it."""
    endpoint = route.endpoint
    rule = rule_of(endpoint)
    return (
        rule is not None
        and route.response_field is not None
        and isinstance(route.response_class, DefaultPlaceholder)
        and (rule.brief or not iscoroutinefunction(endpoint))
        and not isgeneratorfunction(endpoint)
        and route.dependant.response_param_name is None
        and route.dependant.background_tasks_param_name is None
    )


def _options(route: APIRoute) -> tuple[Any, ...]:
    return (
        route.status_code,
        repr(route.response_model_include),
        repr(route.response_model_exclude),
        route.response_model_by_alias,
        route.response_model_exclude_unset,
        route.response_model_exclude_defaults,
        route.response_model_exclude_none,
    )


def _writer(route: APIRoute) -> Writer:
    field = route.response_field
    assert field is not None
    status = route.status_code or 200
    options: dict[str, Any] = {
        "include": route.response_model_include,
        "exclude": route.response_model_exclude,
        "by_alias": route.response_model_by_alias,
        "exclude_unset": route.response_model_exclude_unset,
        "exclude_defaults": route.response_model_exclude_defaults,
        "exclude_none": route.response_model_exclude_none,
    }

    def write(answer: Any) -> Any:
        if isinstance(answer, Response):
            return answer
        value, errors = field.validate(answer, {}, loc=("response",))
        if errors:
            raise ResponseValidationError(errors=errors, body=answer)
        return Response(field.serialize_json(value, **options), status, media_type="application/json")

    return write
