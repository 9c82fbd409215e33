"""SQL of roles."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotarium.access.repository import visible_roles_clause
from annotarium.access.rights import Access
from annotarium.db.models import Group, Role


def list_roles(session: Session, access: Access) -> list[tuple[Role, str | None]]:
    """Roles visible to the caller, each with the name of its group (None = no group), ordered by label."""
    query = select(Role, Group.name).outerjoin(Group, Group.id == Role.group_id).where(visible_roles_clause(access))
    return [(row[0], row[1]) for row in session.execute(query.order_by(Role.label, Role.rolename))]


def find_role(session: Session, access: Access, rolename: str) -> tuple[Role, str | None] | None:
    """The role, if visible to the caller, with the name of its group (None = no group)."""
    if "\0" in rolename:
        return None
    query = select(Role, Group.name).outerjoin(Group, Group.id == Role.group_id)
    row = session.execute(query.where(Role.rolename == rolename, visible_roles_clause(access))).one_or_none()
    return None if row is None else (row[0], row[1])


def find_group(session: Session, name: str) -> Group | None:
    return session.scalar(select(Group).where(Group.name == name))


def name_is_taken(session: Session, rolename: str) -> bool:
    """Whether a role has that technical name, ignoring case."""
    query = select(Role.id).where(func.lower(Role.rolename) == func.lower(rolename)).limit(1)
    return session.scalar(query) is not None


def detach_role_from_groups(session: Session, rolename: str) -> None:
    """Remove a role from the roles that groups attach to their new users."""
    for group in session.scalars(select(Group)):
        for field in ("attached_roles", "system_attached_roles"):
            given = getattr(group, field)
            if rolename in given:
                setattr(group, field, [one for one in given if one != rolename])
