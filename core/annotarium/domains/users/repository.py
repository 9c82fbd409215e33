"""SQL of users."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from annotarium.access.repository import visible_groups_clause, visible_roles_clause, visible_users_clause
from annotarium.access.rights import Access
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Group, Membership, Project, Role, SignInSession, User, UserRole


def _user_belongs_to_groups(groups: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists(
        select(Membership.user_id)
        .join(Group, Group.id == Membership.group_id)
        .where(Membership.user_id == User.id, groups)
        .correlate(User)
    )


def list_users(session: Session, access: Access, group_name: str | None) -> list[User]:
    """Users visible to the caller, ordered by name; with `group_name`, the members of that group."""
    query = select(User).where(visible_users_clause(access)).order_by(User.username)
    if group_name:
        query = query.where(_user_belongs_to_groups((Group.name == group_name) & visible_groups_clause(access)))
    return list(session.scalars(query))


def name_is_taken(session: Session, username: str) -> bool:
    """Whether an account has that name, ignoring case."""
    return session.scalar(select(User.id).where(func.lower(User.username) == func.lower(username)).limit(1)) is not None


def roles_of(session: Session, user_ids: Collection[int]) -> dict[int, list[Role]]:
    """Roles by user id."""
    found: dict[int, list[Role]] = defaultdict(list)
    query = select(UserRole.user_id, Role).join(Role, Role.id == UserRole.role_id).order_by(Role.rolename)
    for user_id, role in session.execute(query.where(UserRole.user_id.in_(user_ids))):
        found[user_id].append(role)
    return found


def groups_of(session: Session, user_ids: Collection[int]) -> dict[int, list[Group]]:
    """Groups by user id, ordered by name."""
    found: dict[int, list[Group]] = defaultdict(list)
    query = select(Membership.user_id, Group).join(Group, Group.id == Membership.group_id).order_by(Group.name)
    for user_id, group in session.execute(query.where(Membership.user_id.in_(user_ids))):
        found[user_id].append(group)
    return found


def find_roles(session: Session, rolenames: Collection[str], access: Access | None = None) -> list[Role]:
    """Roles by technical name; if `access` is given, only those visible to the caller."""
    query = select(Role).where(Role.rolename.in_(rolenames))
    return list(session.scalars(query if access is None else query.where(visible_roles_clause(access))))


def find_groups(session: Session, names: Collection[str]) -> list[Group]:
    return list(session.scalars(select(Group).where(Group.name.in_(names)).order_by(Group.name)))


def count_members(session: Session, group_id: int) -> int:
    query = select(func.count()).select_from(Membership).where(Membership.group_id == group_id)
    return session.scalar(query) or 0


def set_roles(session: Session, user: User, roles: Iterable[Role]) -> None:
    session.execute(delete(UserRole).where(UserRole.user_id == user.id))
    session.add_all(UserRole(user_id=user.id, role_id=role.id) for role in roles)


def add_memberships(session: Session, user: User, groups: Iterable[Group]) -> None:
    """Add a user to groups."""
    session.add_all(Membership(user_id=user.id, group_id=group.id) for group in groups)


def remove_memberships(session: Session, user: User, groups: Iterable[Group]) -> None:
    """Remove a user from groups."""
    ids = [group.id for group in groups]
    session.execute(delete(Membership).where(Membership.user_id == user.id, Membership.group_id.in_(ids)))


def end_sign_ins(session: Session, user: User, *, keep: int | None = None) -> None:
    """End the sign-in sessions of a user, except the one with the id `keep`."""
    query = update(SignInSession).where(SignInSession.user_id == user.id, SignInSession.ended_at.is_(None))
    if keep is not None:
        query = query.where(SignInSession.id != keep)
    session.execute(query.values(ended_at=now_ms()))


def list_open_sign_ins(session: Session, user: User) -> list[SignInSession]:
    """Sign-in sessions of a user that have neither ended nor expired, newest first."""
    query = select(SignInSession).where(
        SignInSession.user_id == user.id,
        SignInSession.ended_at.is_(None),
        or_(SignInSession.expires_at.is_(None), SignInSession.expires_at > now_ms()),
    )
    return list(session.scalars(query.order_by(SignInSession.id.desc())))


def projects_owned(session: Session, user: User) -> list[Project]:
    """Live projects owned by a user."""
    query = select(Project).where(Project.owner_id == user.id, Project.deleted_at.is_(None)).order_by(Project.name)
    return list(session.scalars(query))
