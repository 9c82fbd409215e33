"""Look-ups of the guard and of the caller's rights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, bindparam, select
from sqlalchemy.orm import Session

from annotarium.access.revision import KEY
from annotarium.db.damage import mend
from annotarium.db.engine import Database
from annotarium.db.kept import Kept
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
_PROJECT_COLUMNS = tuple(column.name for column in Project.__table__.columns)
_PROJECT_ROW = Kept(
    select(*Project.__table__.columns).where(Project.name == bindparam("name"), Project.deleted_at.is_(None))
)
_glimpsed: dict[str, tuple[tuple[Any, ...], Project]] = {}
_GLIMPSED_MAX = 256
_FACTS, _SIGN_INS = InstanceFact.__table__, SignInSession.__table__
_STILL_OPEN = and_(_SIGN_INS.c.id == bindparam("sign_in"), _SIGN_INS.c.ended_at.is_(None))
_REVISION = Kept(
    select(
        select(_FACTS.c.value).where(_FACTS.c.key == KEY).scalar_subquery(),
        select(_SIGN_INS.c.id).where(_STILL_OPEN).scalar_subquery(),
    )
)


def find_project(session: Session, name: str) -> Project | None:
    """The live project of that name."""
    if "\0" in name:
        return None
    return session.scalar(_PROJECT, {"name": name})


def glimpse_project(session: Session, name: str) -> Project | None:
    """Like `find_project`, to be read only: the same object, of no session, for as long as its row is the same."""
    if "\0" in name:
        return None
    row = _PROJECT_ROW.first(session, {"name": name})
    if row is None:
        return None
    kept = _glimpsed.get(name)
    if kept is None or kept[0] != row:
        if len(_glimpsed) >= _GLIMPSED_MAX:
            _glimpsed.clear()
        project = Project(**dict(zip(_PROJECT_COLUMNS, row, strict=True)))
        mend(project)
        kept = _glimpsed[name] = (row, project)
    return kept[1]


def read_revision(database: Database, sign_in_id: int | None) -> tuple[int, bool]:
    """The revision of rights as it is now, and whether that sign-in is still open (True without one). One query."""
    row = _REVISION.look_up(database, {"sign_in": sign_in_id})
    assert row is not None
    return _revision(row[0]), sign_in_id is None or row[1] is not None


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
