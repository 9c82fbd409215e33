"""Sign-in and sign-out. Every sign-in is a row in the database, so that the server can end it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from fastapi import Response

from annotarium.access import audit
from annotarium.access.call import Call
from annotarium.access.identity import SESSION_COOKIE, authenticate_with_password
from annotarium.access.restriction import AccessMode, make_restriction
from annotarium.access.tokens import UNLIMITED_SECONDS, SignInClaims, make_sign_in_token, session_seconds
from annotarium.db.identifiers import now_ms
from annotarium.db.models import SignInSession
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.auth import repository
from annotarium.domains.auth.durations import parse_duration
from annotarium.domains.auth.schemas import BearerToken, Credentials, Principal
from annotarium.errors import NotAuthenticated
from annotarium_schemas.messages import message

_MAX_AGENT_LENGTH = 255
_COOKIE_MAX_SECONDS = 400 * 86_400  # the limit of browsers


@dataclass(frozen=True)
class LoginOptions:
    """The requested token: its restrictions, its lifetime, and whether only a session cookie is set."""

    project_filter: str | None = None
    access_mode: AccessMode | None = None
    annotate_only: bool = False
    no_permissions: bool = False
    login_only: bool = False
    duration: str | None = None


def log_in(
    call: Call, body: Credentials, options: LoginOptions, response: Response | None = None, agent: str = ""
) -> BearerToken:
    """Exchange user name and password for a bearer token.

    With `login_only` the session cookie is set on `response` instead and the token in the result is empty.

    Raises:
        InvalidInput: the duration or the project filter cannot be parsed.
        NotAuthenticated: wrong user name or password (error `disabled` for a disabled account).
        TooManyRequests: too many wrong passwords.
    """
    seconds = parse_duration(options.duration, session_seconds())
    subject = authenticate_with_password(body.email, body.password, call.address)
    if subject is None:
        raise NotAuthenticated(message("signIn.wrong", "Wrong user name or password."), fix="Check both and try again")
    # After authentication: compiling a regular expression is expensive, and anonymous callers must not cause it.
    restriction = make_restriction(
        project_filter=options.project_filter,
        access_mode=options.access_mode,
        annotate_only=options.annotate_only,
        no_permissions=options.no_permissions,
    )
    renewable = options.login_only and not options.duration and not restriction.text
    facts = (subject.user_id, subject.token_revision, subject.username)
    token = _start_sign_in(_NewSignIn(*facts, seconds, restriction.text, renewable), call.address, agent)
    if options.login_only and response is not None:
        _set_session_cookie(response, token, seconds, secure=call.secure)
        token = ""
    return BearerToken(access_token=token, email=subject.username)


@dataclass(frozen=True)
class _NewSignIn:
    """A sign-in to create: its user, lifetime in seconds, restriction, and whether use extends it."""

    user_id: int
    token_revision: int
    username: str
    seconds: int
    restriction: str = ""
    renewable: bool = True


def _start_sign_in(begun: _NewSignIn, address: str, agent: str) -> str:
    expires_at = int(time.time()) + begun.seconds
    with unit_of_work(actor=begun.username, write=True) as unit:
        sign_in = SignInSession(
            user_id=begun.user_id,
            expires_at=expires_at * 1000,
            address=address[:_MAX_AGENT_LENGTH],
            agent=_printable_user_agent(agent),
            restriction=begun.restriction,
            renewable=begun.renewable,
        )
        unit.session.add(sign_in)
        unit.session.flush()
        facts = {"restriction": begun.restriction} if begun.restriction else {}
        audit.add_entry(unit.session, begun.username, "sign_in.start", begun.username, address=address, **facts)
    return make_sign_in_token(SignInClaims(begun.user_id, sign_in.id, begun.token_revision, expires_at))


def _printable_user_agent(agent: str) -> str:
    return "".join(sign for sign in agent if sign.isprintable())[:_MAX_AGENT_LENGTH]


def open_browser_session(call: Call, response: Response, agent: str = "") -> None:
    """Set the browser's session cookie: new after Basic authentication, else renewed after half its lifetime."""
    access = call.access
    seconds = session_seconds()
    user = repository.get_user(call.session, access.user_id)
    if access.credential == "basic":
        begun = _NewSignIn(user.id, user.token_revision, user.username, seconds)
        token = _start_sign_in(begun, call.address, agent)
        _set_session_cookie(response, token, seconds, secure=call.secure)
    elif access.credential == "cookie" and access.session_id is not None:
        sign_in = repository.find_sign_in(call.session, access.session_id)
        if sign_in is None or not sign_in.renewable or sign_in.expires_at is None:
            return
        if sign_in.expires_at - now_ms() > seconds * 500:
            return
        expires_at = int(time.time()) + seconds
        with unit_of_work(actor=user.username, write=True) as unit:
            repository.extend_sign_in(unit.session, sign_in.id, expires_at * 1000)
        token = make_sign_in_token(SignInClaims(user.id, sign_in.id, user.token_revision, expires_at))
        _set_session_cookie(response, token, seconds, secure=call.secure)


def _set_session_cookie(response: Response, token: str, seconds: int, *, secure: bool) -> None:
    age = min(seconds, _COOKIE_MAX_SECONDS) if seconds < UNLIMITED_SECONDS else _COOKIE_MAX_SECONDS
    response.set_cookie(SESSION_COOKIE, token, max_age=age, httponly=True, samesite="lax", secure=secure, path="/")


def log_out(call: Call, response: Response) -> None:
    """End the sign-in on the server and delete the cookie."""
    if call.access.session_id is not None:
        repository.end_sign_in(call.session, call.access.session_id)
        audit.add_entry(call.session, call.username, "sign_in.end", call.username)
    response.delete_cookie(SESSION_COOKIE, path="/", httponly=True, samesite="lax", secure=call.secure)


def read_principal(call: Call) -> Principal:
    """The caller's account, permissions and roles, as the web app needs them."""
    user = repository.get_user(call.session, call.access.user_id)
    return Principal(
        username=user.username,
        sso_login=call.access.sso_login,
        profilename=user.profilename or user.username,
        permissions=permissions_with_roles_and_projects(call),
        roles=sorted(call.access.roles),
    )


def permissions_with_roles_and_projects(call: Call) -> list[str]:
    """The caller's permissions, roles and project rights as one sorted list (T-006).

    Roles are `role:<name>`; access through ownership or shares is `readProject:<name>` and `writeProject:<name>`.
    """
    access = call.access
    opened = set()
    for project in repository.accessible_projects(call.session, access):
        if not access.opens(project.name):
            continue
        opened.add(f"readProject:{project.name}")
        if access.rights_on(project).write:
            opened.add(f"writeProject:{project.name}")
    return sorted(access.permissions | opened | {f"role:{rolename}" for rolename in access.roles})
