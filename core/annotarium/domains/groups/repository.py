"""SQL of groups."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, func, or_, select, true
from sqlalchemy.orm import Session

from annotarium.access.giving import administered_groups
from annotarium.access.rights import Access
from annotarium.db.models import Group, Membership, Project, Role, User


def _reach(access: Access) -> ColumnElement[bool]:
    """Groups the caller may know of: the own ones and those whose users or settings he manages."""
    managed = administered_groups(access)
    if managed is None or access.can("writeGroup:*"):
        return true()
    written = {name.removeprefix("writeGroup:") for name in access.permissions if name.startswith("writeGroup:")}
    return or_(Group.id.in_(access.group_ids), Group.name.in_(managed | written))


def list_groups(session: Session, access: Access, *, mapped: bool) -> list[Group]:
    """Groups within reach by label; `mapped`: only those tied to an identity provider."""
    query = select(Group).where(_reach(access)).order_by(Group.label, Group.name)
    if mapped:
        query = query.where(or_(Group.identifier.is_not(None), Group.mapping_discriminator.is_not(None)))
    return list(session.scalars(query))


def find_group(session: Session, access: Access, name: str) -> Group | None:
    """A group within reach."""
    if "\0" in name:
        return None
    return session.scalar(select(Group).where(Group.name == name, _reach(access)))


def name_is_taken(session: Session, name: str) -> bool:
    """Whether a group has that name."""
    return session.scalar(select(Group.id).where(Group.name == name)) is not None


def label_is_taken(session: Session, label: str, except_id: int = 0) -> bool:
    """Whether another group has that label, whatever its case."""
    query = select(Group.id).where(func.lower(Group.label) == func.lower(label), Group.id != except_id)
    return session.scalar(query.limit(1)) is not None


def find_roles(session: Session, rolenames: Collection[str]) -> list[Role]:
    """Roles by technical name."""
    return list(session.scalars(select(Role).where(Role.rolename.in_(rolenames))))


def live_projects(session: Session, group: Group) -> list[Project]:
    """Projects of a group."""
    return list(session.scalars(select(Project).where(Project.group_id == group.id, Project.deleted_at.is_(None))))


def sole_members(session: Session, group: Group) -> list[User]:
    """Users who are in this group and in no other."""
    others = select(Membership.user_id).where(Membership.group_id != group.id)
    query = select(User).join(Membership, Membership.user_id == User.id)
    return list(session.scalars(query.where(Membership.group_id == group.id, User.id.not_in(others))))
