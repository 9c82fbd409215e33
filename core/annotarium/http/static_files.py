"""Serves the built web app: files, and the single page for every other path outside `/api`.

The build writes a `.br` and a `.gz` beside each file that becomes smaller by it (`webapp/build/compressed-files.ts`).
They are served in place of the file to clients that accept them, and are no files of their own.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from importlib.resources import files
from mimetypes import guess_type
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from fastapi.routing import APIRoute
from starlette.routing import Match, Route

from annotarium.errors import AnnotariumError, MethodNotAllowed, NotFound
from annotarium.http.etags import matches_etag
from annotarium_schemas.messages import message

# The smaller one first: it is taken where a client accepts both equally.
_SUFFIXES = {"br": ".br", "gzip": ".gz"}
_ACCEPTED_ENCODING = re.compile(r"\s*([\w-]+|\*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?", re.ASCII)
_PAGE_METHODS = ("GET", "HEAD")


def webapp_folder() -> Path:
    """The folder of the built web app, inside the package."""
    return Path(str(files("annotarium") / "webapp"))


def _missing_route_error(request: Request, path: str) -> AnnotariumError:
    """404 for a path without any operation, 405 for one with operations of other methods."""
    words = message("none.operation", "There is no operation {method} /{path}", method=request.method, path=path)
    methods = set(_PAGE_METHODS)
    if path == "api" or path.startswith("api/"):
        candidates = [one for one in request.scope["router"].routes if isinstance(one, APIRoute)]
        found = (one.methods for one in candidates if one.matches(request.scope)[0] is Match.PARTIAL)
        methods = {method for methods in found for method in methods or ()}
    return MethodNotAllowed(words, methods=methods) if methods else NotFound(words)


def choose_encoding(accepted: str, available: Iterable[str]) -> str | None:
    """The available encoding that an `Accept-Encoding` header prefers (RFC 9110, 12.5.3); None: the file as it is."""
    weights: dict[str, float] = {}
    for part in accepted.lower().split(","):
        if match := _ACCEPTED_ENCODING.fullmatch(part):
            weights[match[1]] = min(1.0, float(match[2] or 1))
    others = weights.get("*", 0.0)
    best = max(available, key=lambda encoding: weights.get(encoding, others), default=None)
    weight = 0.0 if best is None else weights.get(best, others)
    return best if weight > 0 and weight >= weights.get("identity", 0.0) else None


def _is_served(file: Path, folder: Path) -> bool:
    """Whether it is a file of the web app: inside its folder, neither hidden nor a compressed form of another."""
    hidden = file.name.startswith(".") or file.suffix in _SUFFIXES.values()
    return not hidden and file.is_relative_to(folder.resolve()) and file.is_file()


def _entity_tag(stat: os.stat_result, encoding: str | None) -> str:
    """Differs for each encoding of a file: their bytes differ (RFC 9110, 8.8.3.3)."""
    content = f"{stat.st_mtime_ns}-{stat.st_size}-{encoding or ''}"
    return f'"{hashlib.md5(content.encode(), usedforsecurity=False).hexdigest()}"'


def _file_response(request: Request, file: Path, cache_control: str) -> Response:
    """The file in the encoding that the client prefers, or 304 if the client has it."""
    forms = {encoding: file.with_name(file.name + suffix) for encoding, suffix in _SUFFIXES.items()}
    compressed = {encoding: form for encoding, form in forms.items() if form.is_file()}
    encoding = choose_encoding(",".join(request.headers.getlist("accept-encoding")), compressed)
    sent = file if encoding is None else compressed[encoding]
    stat = sent.stat()
    headers = {"cache-control": cache_control, "etag": _entity_tag(stat, encoding)}
    if compressed:
        headers["vary"] = "Accept-Encoding"
    if matches_etag(",".join(request.headers.getlist("if-none-match")), headers["etag"]):
        return Response(status_code=304, headers=headers)
    if encoding is not None:
        headers["content-encoding"] = encoding
    media_type = guess_type(file.name)[0] or "application/octet-stream"
    return FileResponse(sent, headers=headers, media_type=media_type, stat_result=stat)


async def _serve_webapp_file(request: Request) -> Response:
    path = request.path_params["path"]
    if path == "api" or path.startswith("api/") or request.method not in _PAGE_METHODS:
        raise _missing_route_error(request, path)
    folder = webapp_folder()
    candidate = (folder / path).resolve()
    if path and _is_served(candidate, folder):
        lasting = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
        return _file_response(request, candidate, lasting)
    index = folder / "index.html"
    if not index.is_file():
        return PlainTextResponse("The studio is not built. Run `make studio`, then reload.", status_code=503)
    return _file_response(request, index, "no-cache")


def install_static_files(app: FastAPI) -> None:
    """Serve the web app for all requests that no API route matches, with any method."""
    route = Route("/{path:anything}", _serve_webapp_file, include_in_schema=False)
    route.methods = None  # all methods: the framework would answer 405 for paths that do not exist
    app.router.routes.append(route)
