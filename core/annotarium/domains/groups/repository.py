"""SQL of groups."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from annotarium.access.repository import visible_groups_clause, visible_roles_clause
from annotarium.access.rights import Access
from annotarium.db.models import Group, Membership, Project, Role, User


def list_groups(session: Session, access: Access, *, mapped: bool) -> list[Group]:
    """Groups visible to the caller, ordered by label; `mapped`: only those mapped to an identity provider."""
    query = select(Group).where(visible_groups_clause(access)).order_by(Group.label, Group.name)
    if mapped:
        query = query.where(or_(Group.identifier.is_not(None), Group.mapping_discriminator.is_not(None)))
    return list(session.scalars(query))


def name_is_taken(session: Session, name: str) -> bool:
    return session.scalar(select(Group.id).where(Group.name == name)) is not None


def label_is_taken(session: Session, label: str, except_id: int = 0) -> bool:
    """Whether another group has this label, ignoring case."""
    query = select(Group.id).where(func.lower(Group.label) == func.lower(label), Group.id != except_id)
    return session.scalar(query.limit(1)) is not None


def find_roles(session: Session, rolenames: Collection[str]) -> list[Role]:
    """Roles by technical name; unknown names are ignored."""
    return list(session.scalars(select(Role).where(Role.rolename.in_(rolenames))))


def names_of_visible_roles(session: Session, access: Access, rolenames: Collection[str]) -> set[str]:
    """The subset of the names that belong to roles visible to the caller."""
    query = select(Role.rolename).where(Role.rolename.in_(rolenames), visible_roles_clause(access))
    return set(session.scalars(query))


def roles_of_group(session: Session, group: Group) -> list[Role]:
    return list(session.scalars(select(Role).where(Role.group_id == group.id)))


def find_users_by_id(session: Session, user_ids: Collection[int]) -> list[User]:
    """Users by id, ordered by user name."""
    return list(session.scalars(select(User).where(User.id.in_(user_ids)).order_by(User.username)))


def live_projects_of_group(session: Session, group: Group) -> list[Project]:
    """Projects of the group that are not deleted."""
    return list(session.scalars(select(Project).where(Project.group_id == group.id, Project.deleted_at.is_(None))))


def sole_members(session: Session, group: Group) -> list[User]:
    """Users who are in this group and in no other."""
    others = select(Membership.user_id).where(Membership.group_id != group.id)
    query = select(User).join(Membership, Membership.user_id == User.id)
    return list(session.scalars(query.where(Membership.group_id == group.id, User.id.not_in(others))))
