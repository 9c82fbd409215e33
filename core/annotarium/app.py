"""The application: routers of all domains under `/api`, one error handler, security headers, and the web app."""

from __future__ import annotations

import pkgutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson
import structlog
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.routing import APIRoute, APIWebSocketRoute, iter_route_contexts

import annotarium_schemas
from annotarium import __version__, domains
from annotarium.access.guard import Rule, rule_of_endpoint
from annotarium.http.error_handlers import install_error_handlers
from annotarium.http.middleware import install_middleware
from annotarium.http.openapi.published_description import to_published, with_headers
from annotarium.http.route_index import indexed_routes, install_route_index
from annotarium.http.routing import LazyRoute, ignore_alias_warnings
from annotarium.http.static_files import install_static_files
from annotarium.settings import get_settings

API_PREFIX = "/api"
log = structlog.get_logger(__name__)


def domain_routers() -> list[APIRouter]:
    """The `router` of each existing `annotarium.domains.<domain>.endpoints`, in alphabetical order.

    Documents come last: their identifiers may contain slashes, so their routes match longer paths too.
    """
    routers = []
    for module in pkgutil.iter_modules(domains.__path__):
        name = f"{domains.__name__}.{module.name}.endpoints"
        if module.ispkg and find_spec(name) is not None:
            routers.append(import_module(name).router)
    return sorted(routers, key=lambda router: any(route.path.endswith(":path}") for route in _api_routes(router)))


def _api_routes(router: APIRouter) -> Iterator[APIRoute]:
    return (route for route in router.routes if isinstance(route, APIRoute))


def declared_routes(app: FastAPI) -> Iterator[tuple[str, str, Rule | None]]:
    """Method (`SOCKET` for a WebSocket), path and access rule of every operation, included routers expanded."""
    for context in iter_route_contexts(app.routes):
        if isinstance(context.original_route, APIWebSocketRoute):
            yield "SOCKET", context.path or "", rule_of_endpoint(context.endpoint)
        elif isinstance(context.original_route, APIRoute):
            for method in sorted(context.methods or ()):
                yield method, context.path or "", rule_of_endpoint(context.endpoint)


def require_access_rules(app: FastAPI) -> None:
    """Raise, so that the server does not start, if a route under `/api` has no access rule (ARCHITECTURE, Access)."""
    undeclared = [f"{method} {path}" for method, path, rule in declared_routes(app) if rule is None]
    if undeclared:
        raise RuntimeError(f"Routes without an access rule: {', '.join(sorted(undeclared))}")


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    from annotarium.server.process_lifecycle import start_background_services, stop_background_services

    start_background_services(app)
    try:
        yield
    finally:
        await stop_background_services(app)


def _request_headers_by_operation(app: FastAPI) -> dict[tuple[str, str], list[str]]:
    """The headers that each operation reads, by `(METHOD, /path)`."""
    found = {}
    for method, path, rule in declared_routes(app):
        counting = (("Idempotency-Key", rule and rule.idempotent), ("If-Match", rule and rule.versioned))
        names = [name for name, counts in counting if counts]
        if names and method not in ("HEAD", "OPTIONS", "SOCKET"):
            found[method, path] = names
    return found


def _install_openapi(app: FastAPI) -> None:
    """Let the OpenAPI description use the published names.

    The generated file is served (`make schemas`; a test compares them): generating it takes a second and several
    megabytes that would stay in memory.
    """
    made = app.openapi

    def describe() -> dict[str, Any]:
        with ignore_alias_warnings():
            return to_published(with_headers(made(), _request_headers_by_operation(app)))

    app.openapi = cache(describe)  # type: ignore[method-assign]
    file = Path(annotarium_schemas.__file__).with_name("json") / "openapi.json"

    @cache
    def content() -> bytes:
        described = orjson.loads(file.read_bytes())
        described["info"]["version"] = __version__  # not in the file, which a release would otherwise outdate
        return orjson.dumps(described)

    def serve(_request: Request) -> Response:
        return Response(content(), media_type="application/json")

    app.add_route(f"{API_PREFIX}/openapi.json", serve, include_in_schema=False)


def create_app() -> FastAPI:
    """Build the application. The database and the search index are opened at start-up, not here."""
    telemetry = get_settings().telemetry  # off by default: looking for listeners slows down each request
    app = FastAPI(
        telemetry={"tracing": telemetry, "metrics": telemetry, "logs": telemetry},
        title="Annotarium",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    _install_openapi(app)
    install_route_index(app, list(indexed_routes(domain_routers(), API_PREFIX, app)))
    require_access_rules(app)
    install_error_handlers(app)
    install_middleware(app)
    install_static_files(app)
    return app


def create_preloaded_app() -> FastAPI:
    """The application with all routes built, so that forked processes share them."""
    app = create_app()
    for route in app.routes:
        if isinstance(route, LazyRoute):
            route.build()
    return app
