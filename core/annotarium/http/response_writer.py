"""Answers are written in the thread that made them.

FastAPI checks and writes the answer of a plain `def` endpoint in a second turn of its thread pool. Under load each turn
costs a wait for the interpreter; the guard, which already runs in a thread, does it in the first one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from inspect import iscoroutinefunction, isgeneratorfunction
from typing import Any

from fastapi import FastAPI, Response
from fastapi.datastructures import DefaultPlaceholder
from fastapi.exceptions import ResponseValidationError
from fastapi.routing import APIRoute

from annotarium.access.guard import rule_of, set_response_writer
from annotarium.http.routing import LazyRoute

ResponseWriter = Callable[[Any], Any]
_SERIALIZE_OPTIONS = ("include", "exclude", "by_alias", "exclude_unset", "exclude_defaults", "exclude_none")


def install_response_writers(app: FastAPI) -> None:
    """Give the endpoint of each operation what writes its answers, as the route says, once the operation is read."""
    operations: dict[Callable[..., Any], list[LazyRoute]] = defaultdict(list)
    for route in app.routes:
        if isinstance(route, LazyRoute):
            operations[route.endpoint].append(route)
    for its_routes in operations.values():
        if len({_options(route) for route in its_routes}) == 1:
            for route in its_routes:
                route.on_built = _install


def _install(route: APIRoute) -> None:
    if _is_plain_json(route):
        set_response_writer(route.endpoint, _writer(route))


def _is_plain_json(route: APIRoute) -> bool:
    """Whether the answer is JSON of a declared shape and nothing else has a say in it."""
    endpoint = route.endpoint
    rule = rule_of(endpoint)
    return (
        rule is not None
        and route.response_field is not None
        and isinstance(route.response_class, DefaultPlaceholder)
        and (rule.inline or not iscoroutinefunction(endpoint))
        and not isgeneratorfunction(endpoint)
        and route.dependant.response_param_name is None
        and route.dependant.background_tasks_param_name is None
    )


def _options(route: LazyRoute) -> tuple[Any, ...]:
    return (
        route.options.get("status_code"),
        *(repr(route.options.get(f"response_model_{name}")) for name in _SERIALIZE_OPTIONS),
    )


def _writer(route: APIRoute) -> ResponseWriter:
    field = route.response_field
    assert field is not None
    status = route.status_code or 200
    options: dict[str, Any] = {name: getattr(route, f"response_model_{name}") for name in _SERIALIZE_OPTIONS}

    def write(answer: Any) -> Any:
        if isinstance(answer, Response):
            return answer
        value, errors = field.validate(answer, {}, loc=("response",))
        if errors:
            raise ResponseValidationError(errors=errors, body=answer)
        return Response(field.serialize_json(value, **options), status, media_type="application/json")

    return write
