"""Converts every exception into the published error body (conflicts 44)."""

from __future__ import annotations

import secrets
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DataError, DBAPIError, DisconnectionError, IntegrityError, OperationalError
from starlette.exceptions import HTTPException

from annotarium.access.guard import find_call_refusal, rule_of_endpoint
from annotarium.db.disconnected import DatabaseUnavailable, is_disconnected
from annotarium.db.disk_full import DiskFull, is_disk_full
from annotarium.db.serialization_failures import is_lock_timeout, is_serialization_failure
from annotarium.errors import AnnotariumError, Conflict, InvalidInput, MethodNotAllowed, NotFound, ServiceUnavailable
from annotarium.system.validation_messages import validation_message
from annotarium_schemas.messages import join_messages, message

log = structlog.get_logger(__name__)
MOST_DETAILS = 100
"""Maximum number of validation errors reported for one request."""
_LONGEST_NAME = 200
"""Keys of a request are truncated to this length in error messages."""


def _error_response(request: Request, error: AnnotariumError) -> JSONResponse:
    body = error.body() | {"errorId": getattr(request.state, "request_id", None) or secrets.token_hex(8)}
    headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = error.allow
    return JSONResponse(body, status_code=error.status, headers=headers)


def _field_path(location: tuple[Any, ...]) -> str:
    return ".".join(str(part)[:_LONGEST_NAME] for part in location if part not in ("body", "query", "path"))


def _access_error(request: Request) -> AnnotariumError | None:
    """The access error of the caller, who must not get details about the request when they may not call the route."""
    rule = rule_of_endpoint(getattr(request.scope.get("route"), "endpoint", None))
    return None if rule is None else find_call_refusal(request, rule)


def _validation_error(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, RequestValidationError)
    refused = _access_error(request)
    if refused is not None:
        return _error_response(request, refused)
    details = [_validation_detail(item) for item in failure.errors()[:MOST_DETAILS]]
    first = details[0] if details else None
    why = None if first is None else join_messages([first["field"], first["message"]], ": ")
    words = message("wrong.request", "The request is not valid: {why}", why=why or "?")
    return _error_response(request, InvalidInput(words, details=details))


def _validation_detail(item: dict[str, Any]) -> dict[str, Any]:
    if item["type"] == "json_invalid":
        place = next((part + 1 for part in item["loc"] if isinstance(part, int)), 1)
        why = str(item["ctx"]["error"])
        words = message("wrong.json", "the body is not JSON at character {place:,}: {why}", place=place, why=why)
        return {"field": "", "message": words}
    return {"field": _field_path(item["loc"]), "message": validation_message(item)}


def _http_error(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, HTTPException)
    if isinstance(failure.__cause__, RequestValidationError):
        return _validation_error(request, failure.__cause__)
    if isinstance(failure.__cause__, AnnotariumError):
        refused = _access_error(request) if isinstance(failure.__cause__, (InvalidInput, NotFound)) else None
        return _error_response(request, refused or failure.__cause__)
    error = AnnotariumError(str(failure.detail))
    error.status = failure.status_code
    error.error = "http_error"
    return _error_response(request, error)


def _annotarium_error(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, AnnotariumError)
    return _error_response(request, failure)


def _database_error(request: Request, failure: Exception) -> JSONResponse:
    if is_lock_timeout(failure):
        log.warning("database_busy", path=request.url.path, error=str(failure)[:200])
        long = message("busy.change", "Another change is taking a long time")
        return _error_response(
            request,
            ServiceUnavailable(message("busy.record", "The database is busy"), cause=long, fix="Try again in a minute"),
        )
    if is_serialization_failure(failure):
        return _concurrent_change(request, failure)
    if is_disk_full(failure):
        return _disk_full_error(request, failure)
    if is_disconnected(failure):
        log.warning("database_disconnected", path=request.url.path, error=str(failure.__cause__ or failure)[:300])
        return _error_response(request, DatabaseUnavailable())
    if isinstance(failure, DataError):  # a character or number that this database cannot store
        log.warning("value_refused", path=request.url.path, error=str(failure.orig)[:200])
        cause = "It holds a character or a number that no text or number here can have"
        return _error_response(request, InvalidInput("The request holds a value that cannot be kept", cause=cause))
    if not isinstance(failure, OperationalError):
        return _unexpected(request, failure)
    log.error("database_unavailable", path=request.url.path, error=str(failure))
    return _error_response(
        request, ServiceUnavailable(message("server.noDatabase", "The database did not respond"), fix="Retry later")
    )


def _disk_full_error(request: Request, failure: Exception) -> JSONResponse:
    log.error("disk_full", path=request.url.path, error=str(failure)[:300])
    return _error_response(request, DiskFull())


def _os_error(request: Request, failure: Exception) -> JSONResponse:
    return _disk_full_error(request, failure) if is_disk_full(failure) else _unexpected(request, failure)


def _concurrent_change(request: Request, failure: Exception) -> JSONResponse:
    log.warning("integrity_refused", path=request.url.path, error=str(failure))
    return _error_response(
        request,
        Conflict(
            message("changed.sameMoment", "Somebody else changed the same thing at the same moment"), fix="Try again"
        ),
    )


def _unexpected(request: Request, failure: Exception) -> JSONResponse:
    log.error("unexpected_error", path=request.url.path, exc_info=failure)
    return _error_response(
        request,
        AnnotariumError(
            message("unexpected", "Unexpected error."),
            cause=message("server.wrong", "Something went wrong in the server"),
        ),
    )


def install_error_handlers(app: FastAPI) -> None:
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(AnnotariumError, _annotarium_error)
    app.add_exception_handler(IntegrityError, _concurrent_change)
    app.add_exception_handler(DBAPIError, _database_error)
    app.add_exception_handler(OSError, _os_error)
    app.add_exception_handler(DisconnectionError, _database_error)
    app.add_exception_handler(Exception, _unexpected)
