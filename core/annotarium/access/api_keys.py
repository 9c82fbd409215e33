"""API keys for programs, sent as `X-Kairntech-key`. A key is shown once; only its digest is stored."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy.orm import Session

from annotarium.access import audit, repository, rights_revision
from annotarium.access.restriction import Restriction
from annotarium.db.identifiers import now_ms
from annotarium.db.models import ApiKey, User
from annotarium.errors import Conflict, InvalidInput
from annotarium_schemas.messages import message

KEYS_MAX = 20
"""Maximum number of keys of one user, expired ones included."""
LABEL_LENGTH = 100
LONGEST_MS = 100 * 365 * 86_400_000
PREFIX = "ann_"
"""Lets secret scanners recognise a key."""


def add_key(
    session: Session, user: User, label: str, restriction: Restriction, *, actor: str, expires_at: int | None = None
) -> tuple[ApiKey, str]:
    """Create a key in this transaction; returns the row and the key itself, which cannot be read again later.

    Args:
        expires_at: milliseconds since the Unix epoch, None = valid until it is revoked.

    Raises:
        InvalidInput: `expires_at` is in the past or more than 100 years ahead, or the label is empty or too long.
        Conflict: the user already has `KEYS_MAX` keys.
    """
    label = label.strip()
    if not label or len(label) > LABEL_LENGTH:
        text_ = message("wrong.keyLabel", "The name of a key has 1 to {most} characters", most=LABEL_LENGTH)
        raise InvalidInput(text_, details=[{"field": "label", "message": text_}])
    if expires_at is not None and not now_ms() < expires_at < now_ms() + LONGEST_MS:
        text_ = message("wrong.keyExpiry", "A key must expire in the future, within 100 years")
        raise InvalidInput(text_, details=[{"field": "expiresAt", "message": text_}])
    if repository.count_api_keys(session, user) >= KEYS_MAX:
        raise Conflict(
            message("limit.keys", "An account can have at most {most} API keys", most=KEYS_MAX),
            fix=message("fix.revokeKey", "Revoke a key that is no longer used"),
        )
    key = PREFIX + secrets.token_urlsafe(32)
    row = ApiKey(user_id=user.id, key_sha256=hashlib.sha256(key.encode()).hexdigest(), label=label, created_by=actor)
    row.restriction, row.expires_at = restriction.text, expires_at
    session.add(row)
    session.flush()
    audit.add_entry(
        session, actor, "key.create", user.username, label=label, key=str(row.id), restriction=restriction.text
    )
    return row, key


def revoke_key(session: Session, row: ApiKey, username: str, *, actor: str) -> None:
    """Delete a key; it is rejected from the next request on."""
    audit.add_entry(session, actor, "key.revoke", username, label=row.label, key=str(row.id))
    session.delete(row)
    rights_revision.note_rights_change(session)


def revoke_all_keys_of_user(session: Session, user: User, *, actor: str) -> int:
    """Delete all keys of an account; returns their number."""
    rows = [row for row, _ in repository.list_api_keys(session, user)]
    for row in rows:
        revoke_key(session, row, user.username, actor=actor)
    return len(rows)
