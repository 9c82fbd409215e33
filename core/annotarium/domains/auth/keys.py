"""API keys: for programs, sent as `X-Kairntech-key`. A key is shown once; its digest is kept."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from annotarium.access import audit, revision
from annotarium.access.restriction import Restriction
from annotarium.db.identifiers import now_ms
from annotarium.db.models import ApiKey, User
from annotarium.db.unit import unit_of_work
from annotarium.domains.auth import repository
from annotarium.errors import Conflict, InvalidInput, NotFound
from annotarium_schemas.said import say

OPERATOR = "operator"
KEYS_MAX = 20
"""Keys of one user, expired ones too."""
LABEL_LENGTH = 100
LONGEST_MS = 100 * 365 * 86_400_000
PREFIX = "ann_"
"""By which programs that look for lost secrets know one."""


@dataclass(frozen=True)
class OwnedKey:
    """A key with the name of its user."""

    username: str
    key: ApiKey


def add_key(
    session: Session, user: User, label: str, restriction: Restriction, *, actor: str, expires_at: int | None = None
) -> tuple[ApiKey, str]:
    """Make a key in this transaction; the row, and the key itself, which nobody can read again.

    Args:
        expires_at: milliseconds since the Unix epoch, None = it stays until it is revoked.

    Raises:
        InvalidInput: the end lies in the past, or the label is empty or too long.
        Conflict: the user has as many keys as may be.
    """
    label = label.strip()
    if not label or len(label) > LABEL_LENGTH:
        message = say("wrong.keyLabel", "The name of a key has 1 to {most} characters", most=LABEL_LENGTH)
        raise InvalidInput(message, details=[{"field": "label", "message": message}])
    if expires_at is not None and not now_ms() < expires_at < now_ms() + LONGEST_MS:
        message = say("wrong.keyExpiry", "A key must expire in the future, within 100 years")
        raise InvalidInput(message, details=[{"field": "expiresAt", "message": message}])
    if repository.count_keys(session, user) >= KEYS_MAX:
        raise Conflict(
            say("limit.keys", "An account has {most} API keys at most", most=KEYS_MAX),
            fix=say("fix.revokeKey", "Revoke one that is not used any more"),
        )
    key = PREFIX + secrets.token_urlsafe(32)
    row = ApiKey(user_id=user.id, key_sha256=hashlib.sha256(key.encode()).hexdigest(), label=label, created_by=actor)
    row.restriction, row.expires_at = restriction.text, expires_at
    session.add(row)
    session.flush()
    audit.record(
        session, actor, "key.create", user.username, label=label, key=str(row.id), restriction=restriction.text
    )
    return row, key


def revoke_key(session: Session, row: ApiKey, username: str, *, actor: str) -> None:
    """End a key: it counts for nothing from the next request on."""
    audit.record(session, actor, "key.revoke", username, label=row.label, key=str(row.id))
    session.delete(row)
    revision.bump(session)


def create_key(username: str, label: str, restriction: Restriction | None = None, expires_at: int | None = None) -> str:
    """Make a key for an account (command line).

    Raises:
        NotFound: no such account. InvalidInput, Conflict: as `add_key`.
    """
    with unit_of_work(actor=OPERATOR, write=True) as unit:
        user = _account(unit.session, username)
        _, key = add_key(unit.session, user, label, restriction or Restriction(), actor=OPERATOR, expires_at=expires_at)
        return key


def all_keys(username: str | None) -> Sequence[OwnedKey]:
    """Keys of an account, or of all accounts, oldest first (command line)."""
    with unit_of_work(actor=OPERATOR, write=False) as unit:
        user = _account(unit.session, username) if username is not None else None
        return [OwnedKey(name, row) for row, name in repository.list_keys(unit.session, user)]


def revoke_by_id(identifier: str) -> OwnedKey:
    """Revoke a key by its number (command line).

    Raises:
        NotFound: there is none.
    """
    with unit_of_work(actor=OPERATOR, write=True) as unit:
        for row, name in repository.list_keys(unit.session, None):
            if str(row.id) == identifier:
                revoke_key(unit.session, row, name, actor=OPERATOR)
                return OwnedKey(name, row)
    raise NotFound(say("none.key", "There is no such API key"), fix="See annotarium keys list")


def _account(session: Session, username: str) -> User:
    user = repository.find_user(session, username)
    if user is None:
        raise NotFound(say("none.user", "There is no user {name}", name=username))
    return user
