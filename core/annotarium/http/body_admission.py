"""Whether the body of a request is read at all: before its first byte is asked for."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from annotarium.access.guard import Rule, find_call_refusal
from annotarium.access.request_limits import READ_UNASKED
from annotarium.errors import NotAuthenticated
from annotarium.http.requests import body_limit, body_too_long_error

_LENGTH, _ENCODING = b"content-length", b"transfer-encoding"


def announced_length(request: Request) -> int | None:
    """Bytes of the body as its headers say: 0 for no body, None when they do not say."""
    for name, value in request.scope["headers"]:
        if name == _LENGTH:
            return int(value) if value.isdigit() else None
        if name == _ENCODING:
            return None
    return 0


async def admit_body(request: Request, rule: Rule, *, has_credentials: bool) -> None:
    """Refuse a body that is too long or whose sender may not call the route.

    A short body of somebody who shows credentials is read: the guard, which looks at them, comes next.

    Args:
        shown: whether the request carries credentials.

    Raises:
        NotAuthenticated: nobody is signed in, on a route that needs it.
        TooLarge: the body is longer than the route allows.
        AnnotariumError: what the guard would raise.
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
