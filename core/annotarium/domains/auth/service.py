"""Signing in and out. Every sign-in is a row in the record, so that the server can end it."""

from __future__ import annotations

import time

from fastapi import Response

from annotarium.access import audit
from annotarium.access.call import Call
from annotarium.access.identity import SESSION_COOKIE, sign_in_subject
from annotarium.access.tokens import UNLIMITED_SECONDS, SignInClaims, make_sign_in_token, session_seconds
from annotarium.db.identifiers import now_ms
from annotarium.db.models import SignInSession
from annotarium.db.unit import unit_of_work
from annotarium.domains.auth import repository
from annotarium.domains.auth.durations import parse_duration
from annotarium.domains.auth.schemas import BearerToken, Credentials, Principal
from annotarium.errors import NotAuthenticated
from annotarium_schemas.said import say

_SHOWN = 255
_COOKIE_MAX_SECONDS = 400 * 86_400  # what browsers allow


def log_in(call: Call, body: Credentials, duration: str | None, agent: str = "") -> BearerToken:
    """Exchange name and password for a bearer token.

    Raises:
        NotAuthenticated: wrong name or password (error `disabled` for a disabled account).
        TooManyRequests: too many wrong passwords.
    """
    seconds = parse_duration(duration, session_seconds())
    subject = sign_in_subject(body.email, body.password, call.address)
    if subject is None:
        raise NotAuthenticated(say("signIn.wrong", "Wrong user name or password."), fix="Check both and try again")
    token, _ = _start(subject.user_id, subject.token_revision, subject.username, seconds, call.address, agent)
    return BearerToken(access_token=token, email=subject.username)


def _start(user_id: int, token_revision: int, username: str, seconds: int, address: str, agent: str) -> tuple[str, int]:
    expires_at = int(time.time()) + seconds
    with unit_of_work(actor=username, write=True) as unit:
        sign_in = SignInSession(
            user_id=user_id, expires_at=expires_at * 1000, address=address[:_SHOWN], agent=_printable(agent)
        )
        unit.session.add(sign_in)
        unit.session.flush()
        audit.record(unit.session, username, "sign_in.start", username, address=address)
    return make_sign_in_token(SignInClaims(user_id, sign_in.id, token_revision, expires_at)), seconds


def _printable(agent: str) -> str:
    return "".join(sign for sign in agent if sign.isprintable())[:_SHOWN]


def open_browser_session(call: Call, response: Response, agent: str = "") -> None:
    """Give the browser its session cookie: a new one after Basic credentials, a fresh one when half of it is over."""
    access = call.access
    seconds = session_seconds()
    user = repository.get_user(call.session, access.user_id)
    if access.credential == "basic":
        token, _ = _start(user.id, user.token_revision, user.username, seconds, call.address, agent)
        _set_cookie(response, token, seconds, secure=call.secure)
    elif access.credential == "cookie" and access.session_id is not None:
        sign_in = repository.find_sign_in(call.session, access.session_id)
        if sign_in is None or sign_in.expires_at is None or sign_in.expires_at - now_ms() > seconds * 500:
            return
        expires_at = int(time.time()) + seconds
        with unit_of_work(actor=user.username, write=True) as unit:
            repository.extend_sign_in(unit.session, sign_in.id, expires_at * 1000)
        token = make_sign_in_token(SignInClaims(user.id, sign_in.id, user.token_revision, expires_at))
        _set_cookie(response, token, seconds, secure=call.secure)


def _set_cookie(response: Response, token: str, seconds: int, *, secure: bool) -> None:
    age = min(seconds, _COOKIE_MAX_SECONDS) if seconds < UNLIMITED_SECONDS else _COOKIE_MAX_SECONDS
    response.set_cookie(SESSION_COOKIE, token, max_age=age, httponly=True, samesite="lax", secure=secure, path="/")


def log_out(call: Call, response: Response) -> None:
    """End the sign-in on the server and drop the cookie."""
    if call.access.session_id is not None:
        repository.end_sign_in(call.session, call.access.session_id)
        audit.record(call.session, call.username, "sign_in.end", call.username)
    response.delete_cookie(SESSION_COOKIE, path="/", httponly=True, samesite="lax", secure=call.secure)


def principal(call: Call) -> Principal:
    """The caller as the studio needs it."""
    user = repository.get_user(call.session, call.access.user_id)
    return Principal(
        username=user.username,
        sso_login=call.access.sso_login,
        profilename=user.profilename or user.username,
        permissions=mixed_permissions(call),
        roles=sorted(call.access.roles),
    )


def mixed_permissions(call: Call) -> list[str]:
    """Permissions with the roles mixed in as `role:<name>`, and what ownership and shares open as `readProject:<name>`
    and `writeProject:<name>` (T-006)."""
    access = call.access
    opened = set()
    for project in repository.reached_projects(call.session, access):
        opened.add(f"readProject:{project.name}")
        if access.rights_on(project).write:
            opened.add(f"writeProject:{project.name}")
    return sorted(access.permissions | opened | {f"role:{rolename}" for rolename in access.roles})
