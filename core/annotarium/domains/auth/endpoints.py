"""Signing in and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.access.routing import Operations
from annotarium.domains.auth import service
from annotarium.domains.auth.schemas import BearerToken, Credentials, UserAgent

router = Operations(tags=["authentication"])


@router.post("/auth/login")
@guarded(anonymous=True, write=False)
def log_in(
    call: Call, body: Credentials, duration: Annotated[str | None, Query()] = None, user_agent: UserAgent = ""
) -> BearerToken:
    """Exchange name and password for a bearer token; `duration` shortens its life.

    The token says who, never what is allowed, so the published options that narrow its rights change nothing here.
    """
    return service.log_in(call, body, duration, user_agent)


@router.post("/auth/logout", status_code=204)
@guarded()
def log_out(call: Call, response: Response) -> None:
    """End the sign-in on the server."""
    service.log_out(call, response)
