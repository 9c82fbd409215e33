"""Serves the built web app: files, and the single page for every other path outside `/api`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from fastapi.routing import APIRoute
from starlette.routing import Match, Route

from annotarium.errors import AnnotariumError, MethodNotAllowed, NotFound
from annotarium_schemas.messages import message


def webapp_folder() -> Path:
    """The folder of the built web app, inside the package."""
    return Path(str(files("annotarium") / "webapp"))


_PAGE_METHODS = ("GET", "HEAD")


def _missing_route_error(request: Request, path: str) -> AnnotariumError:
    """404 for a path without any operation, 405 for one with operations of other methods."""
    words = message("none.operation", "There is no operation {method} /{path}", method=request.method, path=path)
    methods = set(_PAGE_METHODS)
    if path == "api" or path.startswith("api/"):
        candidates = [one for one in request.scope["router"].routes if isinstance(one, APIRoute)]
        found = (one.methods for one in candidates if one.matches(request.scope)[0] is Match.PARTIAL)
        methods = {method for methods in found for method in methods or ()}
    return MethodNotAllowed(words, methods=methods) if methods else NotFound(words)


async def _serve_webapp_file(request: Request) -> Response:
    path = request.path_params["path"]
    if path == "api" or path.startswith("api/") or request.method not in _PAGE_METHODS:
        raise _missing_route_error(request, path)
    folder = webapp_folder()
    candidate = (folder / path).resolve()
    if (
        path
        and candidate.is_relative_to(folder.resolve())
        and candidate.is_file()
        and not candidate.name.startswith(".")
    ):
        lasting = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
        return FileResponse(candidate, headers={"cache-control": lasting})
    index = folder / "index.html"
    if not index.is_file():
        return PlainTextResponse("The studio is not built. Run `make studio`, then reload.", status_code=503)
    return FileResponse(index, headers={"cache-control": "no-cache"})


def install_static_files(app: FastAPI) -> None:
    """Serve the web app for all requests that no API route matches, with any method."""
    route = Route("/{path:anything}", _serve_webapp_file, include_in_schema=False)
    route.methods = None  # all methods: the framework would answer 405 for paths that do not exist
    app.router.routes.append(route)
