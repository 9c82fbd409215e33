"""Applications that have nothing but the routes of a test."""

from __future__ import annotations

from fastapi import FastAPI

from annotarium.http.error_handlers import install_error_handlers
from annotarium.http.routing import DomainRouter


def app_with_routes(router: DomainRouter) -> FastAPI:
    """An application with these routes, which answers errors as the server does."""
    app = FastAPI()
    app.router.routes += router.routes
    install_error_handlers(app)
    return app
