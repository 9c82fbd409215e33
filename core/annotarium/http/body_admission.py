"""Decides, from the headers alone, whether the body of a request is read at all."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from annotarium.access.guard import Rule, find_call_refusal
from annotarium.access.request_limits import READ_UNASKED
from annotarium.errors import NotAuthenticated
from annotarium.http.requests import body_limit, body_too_long_error

_LENGTH, _ENCODING = b"content-length", b"transfer-encoding"


def announced_length(request: Request) -> int | None:
    """Length of the body in bytes according to the headers: 0 without a body, None if unknown."""
    for name, value in request.scope["headers"]:
        if name == _LENGTH:
            return int(value) if value.isdigit() else None
        if name == _ENCODING:
            return None
    return 0


async def admit_body(request: Request, rule: Rule, *, has_credentials: bool) -> None:
    """Refuse a body that is too long or whose sender may not call the route.

    A short body of a request with credentials is let through unchecked, because the guard checks the credentials next.

    Args:
        has_credentials: whether the request carries credentials.

    Raises:
        NotAuthenticated: no credentials, on a route that needs them.
        TooLarge: the body is longer than the route allows.
        AnnotariumError: the error that the guard would raise.
    """
    if not (has_credentials or rule.anonymous):
        raise NotAuthenticated("You are not or no longer authenticated.")
    length = announced_length(request)
    if length == 0:
        return
    limit = body_limit(rule.limits)
    if limit is not None and length is not None and length > limit:
        raise body_too_long_error(limit)
    if not rule.anonymous and (length is None or length > READ_UNASKED):
        refused = await run_in_threadpool(find_call_refusal, request, rule)
        if refused is not None:
            raise refused
