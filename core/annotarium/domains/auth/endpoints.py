"""Endpoints of sign-in and sign-out."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.access.restriction import AccessMode
from annotarium.domains.auth import service
from annotarium.domains.auth.schemas import BearerToken, Credentials, UserAgent
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["authentication"])

FILTER = "Regular expression over whole project names: the token opens no other projects"
MODE = (
    "The most the token may do with projects: `read` also annotates texts without storing anything, `write` also"
    " changes projects, `chmod` also changes shares and owners"
)
ANNOTATE_ONLY = "The token annotates texts with annotators and plans, and nothing else"
LOGIN_ONLY = "Only sign in: the session cookie is set, `access_token` is empty"
NO_PERMISSIONS = "The token has no permissions: only what ownership and shares of projects open"
DURATION = "Life of the token: `1 day`, `3 hours`, `30 minutes`, `90 seconds`; never longer than a sign-in"


@router.post("/auth/login")
@guarded(anonymous=True, write=False)
def log_in(
    call: Call,
    body: Credentials,
    response: Response,
    project_filter: Annotated[str | None, Query(alias="projectFilter", description=FILTER)] = None,
    project_access_mode: Annotated[AccessMode | None, Query(alias="projectAccessMode", description=MODE)] = None,
    annotate_only: Annotated[bool, Query(alias="annotateOnly", description=ANNOTATE_ONLY)] = False,
    login_only: Annotated[bool, Query(alias="loginOnly", description=LOGIN_ONLY)] = False,
    no_permissions: Annotated[bool, Query(alias="noPermissions", description=NO_PERMISSIONS)] = False,
    duration: Annotated[str | None, Query(description=DURATION)] = None,
    user_agent: UserAgent = "",
) -> BearerToken:
    """Exchange user name and password for a bearer token that is limited to the requested restrictions.

    A restricted token cannot change accounts: it cannot create other tokens or API keys.
    """
    options = service.LoginOptions(
        project_filter, project_access_mode, annotate_only, no_permissions, login_only, duration
    )
    return service.log_in(call, body, options, response, user_agent)


@router.post("/auth/logout", status_code=204)
@guarded(effect="annotate")
def log_out(call: Call, response: Response) -> None:
    """End the sign-in on the server: its tokens and session cookie are no longer accepted."""
    service.log_out(call, response)
