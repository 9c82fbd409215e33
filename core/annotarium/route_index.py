"""Finds the few routes a request can mean, instead of trying all of them one after the other.

The framework matches a path against each route in turn: with 200 operations that costs more than most answers. Routes
are grouped by their first and third word and their number of words; a request is handed to a small router that holds
the groups it can mean and works as the framework's own. What no group has goes the long way, to the same answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute, iter_route_contexts
from starlette.types import Receive, Scope, Send

Key = tuple[str, str, int]
"""First word, third word (`ANY` for a parameter), number of words (`MANY` when a parameter may hold several)."""
ANY, MANY = "{}", 0
_KEPT = 1_024


def _key(path: str) -> Key:
    words = path.split("/")[2:]  # behind "/api"
    return words[0] if words else "", words[2] if len(words) > 2 else "", len(words)


def _route_key(path: str) -> Key:
    first, third, count = _key(path)
    if first.startswith("{"):
        raise RuntimeError(f"The route {path} begins with a parameter: the index of routes cannot place it")
    return first, ANY if third.startswith("{") else third, MANY if ":path}" in path else count


def _may_mean(asked: Key, route: Key) -> bool:
    return asked[0] == route[0] and route[1] in (asked[1], ANY) and route[2] in (asked[2], MANY)


def split_by_key(routers: Iterable[APIRouter], prefix: str) -> list[tuple[Key, APIRouter]]:
    """The routes of the routers, in their order, as routers of one key each.

    Raises:
        RuntimeError: a route cannot be placed: it begins with a parameter, or a router within a router has a prefix.
    """
    groups: list[tuple[Key, APIRouter]] = []
    for router in routers:
        for context in iter_route_contexts(router.routes):
            route = context.original_route
            if not isinstance(route, APIRoute | APIWebSocketRoute) or route.path != context.path:
                raise RuntimeError(f"{context.path}: routers within routers have no prefix")
            key = _route_key(f"{prefix}{route.path}")
            if not groups or groups[-1][0] != key:
                groups.append((key, APIRouter()))
            groups[-1][1].routes.append(route)
    return groups


def install_route_index(app: FastAPI, keys: list[Key]) -> None:
    """Have requests dispatched by key. `keys` are those of the routers that were included last, in their order.

    To be called before anything is appended that matches every path.
    """
    grouped = list(zip(keys, app.router.routes[-len(keys) :], strict=True))
    otherwise = app.router.middleware_stack

    @lru_cache(maxsize=_KEPT)
    def find(asked: Key) -> APIRouter | None:
        routes = [route for key, route in grouped if _may_mean(asked, key)]
        if not routes:
            return None
        router = APIRouter(redirect_slashes=False)
        router.routes = [*routes, *app.router.routes[-1:]]  # what answers to every path stays last
        return router

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        router = find(_key(scope["path"])) if scope["type"] == "http" else None
        if router is None:
            await otherwise(scope, receive, send)
        else:
            await router.app(scope, receive, send)

    app.router.middleware_stack = dispatch
