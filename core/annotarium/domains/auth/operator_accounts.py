"""Accounts managed by the operator: the first administrator, and passwords set on the command line."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlalchemy.orm import Session

from annotarium.access import audit, rights_revision
from annotarium.access.api_keys import revoke_all_keys_of_user
from annotarium.access.passwords import hash_password, limiter, require_good_password
from annotarium.access.predefined_roles import MINIMAL, PREDEFINED_ROLES, ensure_predefined_roles
from annotarium.db.identifiers import now_ms
from annotarium.db.models import User, UserRole
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.auth import repository
from annotarium.errors import NotFound
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

FIRST_ADMINISTRATOR = "admin"
OPERATOR = "operator"


@dataclass(frozen=True)
class GeneratedPassword:
    """The generated password of the first administrator. Print it once: only its hash is stored."""

    username: str
    password: str


def update_roles_and_delete_old_sign_ins() -> None:
    """Update the predefined roles; delete sign-ins and idempotency keys that ended or expired over a week ago.

    Called at every start of a server process.
    """
    a_week_ago = now_ms() - 7 * 86_400_000
    with unit_of_work(actor=OPERATOR, write=True) as unit:
        ensure_predefined_roles(unit.session)
        repository.delete_old_sign_ins(unit.session, a_week_ago)
        repository.delete_old_idempotency_keys(unit.session, a_week_ago)


def ensure_first_administrator() -> GeneratedPassword | None:
    """Create the account `admin` with every predefined role except the minimal one if the database has no users.

    Returns:
        The password if it was generated here; None if there are users already, or if `admin_password` set it.
    """
    with unit_of_work(actor=OPERATOR, write=False) as unit:
        started_before = repository.any_user(unit.session)
    if started_before:
        update_roles_and_delete_old_sign_ins()
        return None
    chosen = get_settings().admin_password
    password = chosen.get_secret_value() if chosen else secrets.token_urlsafe(12)
    require_good_password(password, "admin_password")
    password_hash = hash_password(password)
    with unit_of_work(actor=OPERATOR, write=True) as unit:
        ensure_predefined_roles(unit.session)
        unit.session.flush()
        if repository.any_user(unit.session):
            return None  # another process created it in the meantime
        _add_administrator(unit.session, password_hash)
    return None if chosen else GeneratedPassword(FIRST_ADMINISTRATOR, password)


def _add_administrator(session: Session, password_hash: str) -> None:
    user = User(username=FIRST_ADMINISTRATOR, profilename="Administrator", password_hash=password_hash)
    user.created_by = user.modified_by = OPERATOR
    session.add(user)
    session.flush()
    names = [role.rolename for role in PREDEFINED_ROLES if role.rolename != MINIMAL]
    for role_id in repository.role_ids(session, names):
        session.add(UserRole(user_id=user.id, role_id=role_id))
    audit.add_entry(session, OPERATOR, "user.create", FIRST_ADMINISTRATOR)
    rights_revision.note_rights_change(session)


def set_password(username: str, password: str, *, keep_keys: bool = False) -> int:
    """Set an account's password, end its sign-ins and enable it (command line).

    Args:
        keep_keys: do not revoke the account's API keys.

    Returns:
        The number of API keys that were revoked.

    Raises:
        NotFound: there is no such account. InvalidInput: the password violates the password policy.
    """
    require_good_password(password)
    password_hash = hash_password(password)
    with unit_of_work(actor=OPERATOR, write=True) as unit:
        user = repository.find_user(unit.session, username)
        if user is None:
            raise NotFound(message("none.user", "There is no user {name}", name=username))
        user.password_hash = password_hash
        user.token_revision += 1
        user.disabled = False
        revoked = 0 if keep_keys else revoke_all_keys_of_user(unit.session, user, actor=OPERATOR)
        audit.add_entry(unit.session, OPERATOR, "user.password", username)
        rights_revision.note_rights_change(unit.session)
    limiter.forget_all()
    return revoked
