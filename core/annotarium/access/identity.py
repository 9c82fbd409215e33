"""Identifies the caller of a request by cookie, bearer token, basic credentials or API key."""

from __future__ import annotations

import base64
import binascii
import hashlib
from urllib.parse import unquote

from starlette.requests import HTTPConnection

from annotarium.access import api_key_usage, audit, repository
from annotarium.access.passwords import AccountDisabled, check_sign_in
from annotarium.access.rights import Access
from annotarium.access.tokens import read_sign_in_token
from annotarium.access.user_rights_cache import Subject, access_for_credential, cache
from annotarium.db.database import get_database
from annotarium.db.identifiers import now_ms
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import AccessDenied
from annotarium_schemas.messages import message

SESSION_COOKIE = "annotarium_session"
API_KEY_HEADER = "x-kairntech-key"
FOR_USER_HEADER = "x-annotarium-user"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def identify(request: HTTPConnection) -> Access | None:
    """The caller's rights, None if the request carries no valid credentials.

    An `Authorization` header takes precedence: if it is invalid, a valid cookie is not considered. Usually costs one
    small query; no transaction is open while a password is checked.

    Raises:
        AccountDisabled: the credentials are correct, but the account is disabled.
        AccessDenied: a cookie on an unsafe method without `X-Requested-With` (possibly a cross-site request).
        TooManyRequests: too many wrong passwords.
    """
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme:
        if scheme.lower() == "bearer":
            return _identify_by_token(value.strip(), "bearer")
        return _identify_by_password(value.strip(), client_address(request)) if scheme.lower() == "basic" else None
    key = request.headers.get(API_KEY_HEADER)
    if key:
        return _identify_by_api_key(key)
    token = request.cookies.get(SESSION_COOKIE)
    if not token:
        return None
    access = _identify_by_token(token, "cookie")
    if access is None or not _cookie_matches_page_user(request, access):
        return None
    _refuse_cross_site_requests(request)
    return access


def _cookie_matches_page_user(request: HTTPConnection, access: Access) -> bool:
    """Whether the cookie belongs to the user for whom the page was loaded.

    Another window may have signed in a different user, under whose name this page's changes would be saved. A client
    that does not send the header accepts the user of the cookie.
    """
    name = request.headers.get(FOR_USER_HEADER)
    return name is None or unquote(name) == access.username


def client_address(request: HTTPConnection) -> str:
    """The IP address a request comes from, `unknown` without one."""
    return request.client.host if request.client else "unknown"


def _refuse_cross_site_requests(request: HTTPConnection) -> None:
    if request.scope.get("method", "GET") in SAFE_METHODS:
        return
    if "x-requested-with" not in request.headers or request.headers.get("sec-fetch-site") == "cross-site":
        raise AccessDenied(
            "The request lacks the header X-Requested-With",
            cause="A request that changes something with the session cookie must come from the studio itself",
            fix="Send X-Requested-With: XMLHttpRequest, or use a bearer token",
        )


def _identify_by_token(token: str, credential: str) -> Access | None:
    claims = read_sign_in_token(token)
    if claims is None:
        return None
    database = get_database()
    revision, restriction = repository.read_rights_revision(database, claims.session_id)
    subject = cache.subject(database, claims.user_id, revision) if restriction is not None else None
    if subject is None or subject.token_revision != claims.revision or subject.disabled:
        return None
    return access_for_credential(subject, credential, claims.session_id, restriction or "")


def _identify_by_api_key(key: str) -> Access | None:
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    database = get_database()
    revision, _ = repository.read_rights_revision(database, None)
    facts = cache.key(database, digest, revision)
    if facts is None or (facts.expires_at is not None and facts.expires_at <= now_ms()):
        return None
    subject = cache.subject(database, facts.user_id, revision)
    if subject is None or subject.disabled:
        return None
    api_key_usage.note_use(facts.id)
    return access_for_credential(subject, "key", None, facts.restriction, facts.id)


def _identify_by_password(encoded: str, address: str) -> Access | None:
    try:
        text = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    username, colon, password = text.partition(":")
    if not colon:
        return None
    subject = authenticate_with_password(username, password, address)
    return None if subject is None else access_for_credential(subject, "basic", None)


def _audit_refused_sign_in(username: str, why: str, address: str) -> None:
    """Write the refusal to the audit log. `username` is empty for unknown names, which may be mistyped passwords."""
    with unit_of_work(actor=username, write=True) as unit:
        audit.add_entry(unit.session, username, "sign_in.refuse", username, result="refused", why=why, address=address)


def authenticate_with_password(username: str, password: str, address: str) -> Subject | None:
    """The user with that name and password, None if either is wrong.

    Raises:
        AccountDisabled: both are correct and the account is disabled.
        TooManyRequests: too many wrong passwords for the account or from the address.
    """
    database = get_database()
    revision, _ = repository.read_rights_revision(database, None)
    user_id = cache.user_id(database, username, revision)
    subject = cache.subject(database, user_id, revision) if user_id is not None else None
    if not check_sign_in(username, password, subject.password_hash if subject else None, address) or subject is None:
        _audit_refused_sign_in(subject.username if subject else "", "wrong password", address)
        return None
    if subject.disabled:
        _audit_refused_sign_in(subject.username, "disabled", address)
        raise AccountDisabled("Access denied.", cause=message("denied.disabled", "The account is disabled"))
    return subject
