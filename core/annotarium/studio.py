"""Serves the built studio: files under `/assets`, the single page for every other path outside `/api`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from annotarium.errors import NotFound
from annotarium_schemas.said import say


def webapp_folder() -> Path:
    """Where the built studio lies, inside the package."""
    return Path(str(files("annotarium") / "webapp"))


async def _page(request: Request) -> Response:
    path = request.path_params["path"]
    if path == "api" or path.startswith("api/"):
        raise NotFound(
            say("none.operation", "There is no operation {method} /{path}", method=request.method, path=path)
        )
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


def install_studio(app: FastAPI) -> None:
    """Mount the studio behind all API routes."""
    app.router.routes.append(Route("/{path:path}", _page, methods=["GET", "HEAD"], include_in_schema=False))
