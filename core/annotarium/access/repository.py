"""Look-ups of the guard and of the caller's rights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, bindparam, select
from sqlalchemy.orm import Session

from annotarium.access.revision import KEY
from annotarium.db.models import (
    ApiKey,
    Group,
    GroupShare,
    InstanceFact,
    Membership,
    Project,
    Role,
    SignInSession,
    User,
    UserRole,
    UserShare,
)

PLATFORM_PERMISSION = "createUserIn:*"


# Built once: these run with every request, and building a statement takes longer than running it.
_PROJECT = select(Project).where(Project.name == bindparam("name"), Project.deleted_at.is_(None))
_FACTS, _SIGN_INS = InstanceFact.__table__, SignInSession.__table__
_STILL_OPEN = and_(_SIGN_INS.c.id == bindparam("sign_in"), _SIGN_INS.c.ended_at.is_(None))
_REVISION = (
    select(_FACTS.c.value, _SIGN_INS.c.id)
    .select_from(_FACTS.outerjoin(_SIGN_INS, _STILL_OPEN))
    .where(_FACTS.c.key == KEY)
)


def find_project(session: Session, name: str) -> Project | None:
    """The live project of that name."""
    if "\0" in name:
        return None
    return session.scalar(_PROJECT, {"name": name})


def read_revision(session: Session, sign_in_id: int | None) -> tuple[int, bool]:
    """The revision of rights, and whether that sign-in is still open (True without one). One query."""
    if sign_in_id is None:
        value = session.scalar(select(InstanceFact.value).where(InstanceFact.key == KEY))
        return _revision(value), True
    row = session.connection().execute(_REVISION, {"sign_in": sign_in_id}).one_or_none()
    if row is None:
        return 0, session.get(SignInSession, sign_in_id) is not None
    return _revision(row[0]), row[1] is not None


def _revision(value: dict[str, Any] | None) -> int:
    return int(value["revision"]) if value else 0


def find_user_id(session: Session, username: str) -> int | None:
    """The id of a user by name."""
    if "\0" in username:
        return None  # PostgreSQL refuses the character; no name has it
    return session.scalar(select(User.id).where(User.username == username))


def find_key_owner(session: Session, key_sha256: str) -> int | None:
    """The id of the user an API key belongs to."""
    return session.scalar(select(ApiKey.user_id).where(ApiKey.key_sha256 == key_sha256))


@dataclass(frozen=True)
class GrantedRights:
    """What the record says about one user, before expansion."""

    user: User
    roles: list[Role]
    groups: list[Group]
    shares: list[tuple[int, bool]]


def read_granted_rights(session: Session, user_id: int) -> GrantedRights | None:
    """User, roles, groups and shares (project id, write); None for an unknown user."""
    user = session.get(User, user_id)
    if user is None:
        return None
    roles = session.scalars(select(Role).join(UserRole, UserRole.role_id == Role.id).where(UserRole.user_id == user_id))
    groups = session.scalars(
        select(Group).join(Membership, Membership.group_id == Group.id).where(Membership.user_id == user_id)
    )
    own = session.execute(select(UserShare.project_id, UserShare.write).where(UserShare.user_id == user_id))
    through_groups = session.execute(
        select(GroupShare.project_id, GroupShare.write)
        .join(Membership, Membership.group_id == GroupShare.group_id)
        .where(Membership.user_id == user_id)
    )
    shares = [(row[0], row[1]) for row in (*own, *through_groups)]
    return GrantedRights(user, list(roles), list(groups), shares)


def read_roles(session: Session) -> dict[str, Role]:
    """All roles by technical name."""
    return {role.rolename: role for role in session.scalars(select(Role))}


def platform_administrators(session: Session) -> set[int]:
    """Ids of the enabled users who hold `createUserIn:*`."""
    holding = [role.id for role in session.scalars(select(Role)) if PLATFORM_PERMISSION in role.permissions]
    enabled = select(User.id).where(User.disabled.is_(False))
    through_roles = enabled.join(UserRole, UserRole.user_id == User.id).where(UserRole.role_id.in_(holding))
    found = set(session.scalars(through_roles))
    direct = session.execute(select(User.id, User.permissions).where(User.disabled.is_(False)))
    return found | {row[0] for row in direct if PLATFORM_PERMISSION in row[1]}
