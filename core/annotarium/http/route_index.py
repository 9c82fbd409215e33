"""Finds the few routes that can match a request, instead of trying all of them one after the other.

The framework matches a path against each route in turn: with 200 operations that costs more than most responses. Each
route has a key made of its first and third path segment and the number of segments. A request is passed to a small
router with only the candidate routes, which otherwise works like the framework's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIWebSocketRoute
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from annotarium.http.routing import LazyRoute

RouteKey = tuple[str, str, int]
"""First and third segment (`ANY` for a parameter), number of segments (`MANY` if a parameter may have several)."""
ANY, MANY = "{}", 0
_CACHED_KEYS = 1_024


def _path_key(path: str) -> RouteKey:
    words = path.split("/")[2:]  # after "/api"
    return words[0] if words else "", words[2] if len(words) > 2 else "", len(words)


def _route_key(path: str) -> RouteKey:
    first, third, count = _path_key(path)
    if first.startswith("{"):
        raise RuntimeError(f"The route {path} begins with a parameter: the index of routes cannot place it")
    return first, ANY if third.startswith("{") else third, MANY if ":path}" in path else count


def _may_match(requested: RouteKey, route: RouteKey) -> bool:
    return requested[0] == route[0] and route[1] in (requested[1], ANY) and route[2] in (requested[2], MANY)


def indexed_routes(
    routers: Iterable[APIRouter], prefix: str, provider: FastAPI
) -> Iterator[tuple[RouteKey, BaseRoute]]:
    """The operations of the routers below a prefix, in their order, each with its key.

    Raises:
        RuntimeError: an operation has no key: it begins with a parameter, or was not declared with a `DomainRouter`.
    """
    for router in routers:
        for route in router.routes:
            if isinstance(route, LazyRoute):
                key = _route_key(f"{prefix}{route.path}")
                yield key, route.under(prefix, dependency_overrides_provider=provider)
            elif isinstance(route, APIWebSocketRoute):
                path = f"{prefix}{route.path}"
                yield _route_key(path), APIWebSocketRoute(path, route.endpoint, name=route.name)
            else:
                raise RuntimeError(f"{route} is no operation of a domain: declare it with a router of `Operations`")


def install_route_index(app: FastAPI, operations: list[tuple[RouteKey, BaseRoute]]) -> None:
    """Add operations and dispatch requests to them by key. Other routes of the application are always tried."""
    app.router.routes += [route for _, route in operations]
    keys = {id(route): key for key, route in operations}
    otherwise = app.router.middleware_stack

    @lru_cache(maxsize=_CACHED_KEYS)
    def find(requested: RouteKey) -> APIRouter:
        router = APIRouter(redirect_slashes=False)
        routes = app.router.routes
        router.routes = [one for one in routes if id(one) not in keys or _may_match(requested, keys[id(one)])]
        return router

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await find(_path_key(scope["path"])).app(scope, receive, send)
        else:
            await otherwise(scope, receive, send)

    app.router.middleware_stack = dispatch
