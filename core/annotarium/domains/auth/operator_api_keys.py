"""API keys as the operator creates, lists and revokes them on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from annotarium.access.api_keys import add_key, revoke_key
from annotarium.access.repository import list_api_keys
from annotarium.access.restriction import Restriction
from annotarium.db.models import ApiKey, User
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.auth import repository
from annotarium.errors import NotFound
from annotarium_schemas.messages import message

OPERATOR = "operator"


@dataclass(frozen=True)
class OwnedKey:
    """An API key with the name of its user."""

    username: str
    key: ApiKey


def create_key(username: str, label: str, restriction: Restriction | None = None, expires_at: int | None = None) -> str:
    """Create a key for an account and return its secret text (command line).

    Raises:
        NotFound: there is no such account. InvalidInput, Conflict: as `add_key`.
    """
    with unit_of_work(actor=OPERATOR, write=True) as unit:
        user = _get_account(unit.session, username)
        _, key = add_key(unit.session, user, label, restriction or Restriction(), actor=OPERATOR, expires_at=expires_at)
        return key


def all_keys(username: str | None) -> Sequence[OwnedKey]:
    """The API keys of an account, or of all accounts, oldest first (command line)."""
    with unit_of_work(actor=OPERATOR, write=False) as unit:
        user = _get_account(unit.session, username) if username is not None else None
        return [OwnedKey(name, row) for row, name in list_api_keys(unit.session, user)]


def revoke_key_by_id(identifier: str) -> OwnedKey:
    """Revoke the key with this id (command line).

    Raises:
        NotFound: there is no such key.
    """
    with unit_of_work(actor=OPERATOR, write=True) as unit:
        for row, name in list_api_keys(unit.session, None):
            if str(row.id) == identifier:
                revoke_key(unit.session, row, name, actor=OPERATOR)
                return OwnedKey(name, row)
    raise NotFound(message("none.key", "This API key does not exist"), fix="See annotarium keys list")


def _get_account(session: Session, username: str) -> User:
    user = repository.find_user(session, username)
    if user is None:
        raise NotFound(message("none.user", "There is no user {name}", name=username))
    return user
