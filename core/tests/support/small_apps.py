"""Applications with a few routes, for tests of what stands around every route."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI

from annotarium.http.error_handlers import install_error_handlers


def app_with_routes(router: APIRouter) -> FastAPI:
    """An application with the routes of a router, which answers errors as the studio does."""
    app = FastAPI()
    app.router.routes += router.routes
    install_error_handlers(app)
    return app
