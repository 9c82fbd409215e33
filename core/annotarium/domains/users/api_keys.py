"""API keys of an account. Its user creates, lists and revokes them; its administrators list and revoke them."""

from __future__ import annotations

from annotarium.access import api_keys
from annotarium.access.call import Call
from annotarium.access.repository import list_api_keys as rows_of
from annotarium.access.restriction import Restriction, make_restriction, parse_restriction
from annotarium.db.identifiers import now_ms
from annotarium.db.models import ApiKey, User
from annotarium.db.timestamps import from_iso, iso
from annotarium.domains.users import policy
from annotarium.domains.users.schemas import ApiKeyCreate, ApiKeyCreated, ApiKeyRead
from annotarium.errors import AccessDenied, InvalidInput, NotFound
from annotarium_schemas.messages import message

_ADMINISTRATIVE = ("createUserIn", "writeGroup", "assignRole")


def _get_own_or_administered_account(call: Call, username: str) -> User:
    if username == call.username:
        return policy.get_visible_user(call, username)
    return policy.get_administered_user(call, username)


def list_keys(call: Call, username: str) -> list[ApiKeyRead]:
    """API keys of an account, newest first, without the secret key itself."""
    rows = rows_of(call.session, _get_own_or_administered_account(call, username))
    return [ApiKeyRead(**_key_read_fields(row)) for row, _ in reversed(rows)]


def create_key(call: Call, username: str, body: ApiKeyCreate) -> ApiKeyCreated:
    """Create an API key for the caller's own account.

    Raises:
        AccessDenied: the account is another user's, or the call was authenticated by an API key.
        InvalidInput: a restriction or the expiry date is malformed.
        Conflict: the account has the maximum number of keys.
    """
    if username != call.username:
        policy.get_visible_user(call, username)
        raise AccessDenied(
            message("denied.otherKey", "Only {name} can create API keys for that account", name=username),
            fix=message("fix.operatorKey", "The operator of the server can: annotarium keys create"),
        )
    if call.access.credential == "key":
        raise AccessDenied(
            message("denied.keyByKey", "An API key cannot create other API keys"),
            fix=message("fix.signInForKey", "Sign in with your password and create it there"),
        )
    restriction = _requested_restriction(call, body)
    user = policy.get_visible_user(call, username)
    row, key = api_keys.add_key(
        call.session, user, body.label, restriction, actor=call.username, expires_at=_parse_expiry(body.expires_at)
    )
    return ApiKeyCreated(**_key_read_fields(row), key=key)


def revoke_key(call: Call, username: str, identifier: str) -> None:
    """Revoke a key, effective from the next request."""
    rows = rows_of(call.session, _get_own_or_administered_account(call, username))
    row = next((row for row, _ in rows if str(row.id) == identifier), None)
    if row is None:
        raise NotFound(
            message("none.key", "This API key does not exist"),
            fix=message("fix.keyGone", "It may already have been revoked"),
        )
    api_keys.revoke_key(call.session, row, username, actor=call.username)


def _requested_restriction(call: Call, body: ApiKeyCreate) -> Restriction:
    for permission in body.permissions or ():
        if permission.partition(":")[0] in _ADMINISTRATIVE:
            text = message("wrong.keyPermission", "A restricted key cannot manage accounts: {name}", name=permission)
            raise InvalidInput(text, details=[{"field": "permissions", "message": text}])
    restriction = make_restriction(
        project_filter=body.project_filter,
        access_mode=body.project_access_mode,
        annotate_only=body.annotate_only,
        no_permissions=body.no_permissions,
        permissions=body.permissions,
    )
    for permission in sorted(restriction.permissions or ()):
        if not call.access.can(permission):
            text = message("wrong.keyNotHeld", "You do not have {name} yourself", name=permission)
            raise InvalidInput(text, details=[{"field": "permissions", "message": text}])
    return restriction


def _parse_expiry(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        return from_iso(text)
    except ValueError as error:
        problem = message("wrong.moment", "{name} is not an ISO 8601 date and time", name="expiresAt")
        raise InvalidInput(problem, details=[{"field": "expiresAt", "message": problem}]) from error


def _key_read_fields(row: ApiKey) -> dict[str, object]:
    restriction = parse_restriction(row.restriction) if row.restriction else Restriction()
    permissions = restriction.permissions
    return {
        "identifier": str(row.id),
        "label": row.label,
        "created_at": iso(row.created_at) or "",
        "created_by": row.created_by,
        "expires_at": iso(row.expires_at),
        "expired": row.expires_at is not None and row.expires_at <= now_ms(),
        "last_used_at": iso(row.last_used_at),
        "project_filter": restriction.project_filter,
        "project_access_mode": restriction.access_mode,
        "annotate_only": restriction.annotate_only,
        "no_permissions": permissions == frozenset(),
        "permissions": sorted(permissions) if permissions else None,
    }
