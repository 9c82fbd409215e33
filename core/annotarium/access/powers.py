"""What accounts may do, read from the database for `access.administration`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy.orm import Session

from annotarium.access import repository
from annotarium.access.administration import PROJECT_FAMILIES, Level, Powers, ProjectRight
from annotarium.access.call import Call
from annotarium.access.subjects import GROUP_PROJECT_ADMIN, expand_permissions


def read_powers(session: Session, user_id: int) -> Powers:
    """What a user may do, disabled or not; nothing for an unknown one."""
    granted = repository.read_granted_rights(session, user_id)
    if granted is None:
        return Powers()
    groups = frozenset(group.name for group in granted.groups)
    administers_projects = any(role.rolename == GROUP_PROJECT_ADMIN for role in granted.roles)
    permissions = expand_permissions(granted)
    named = _named_projects(session, permissions)
    rights = {one for rows in named.values() for one in rows}
    for project, home, owned, write, shared_with in repository.project_reach(session, user_id):
        level = Level.OWN if owned else Level.WRITE if write else Level.READ
        rights.add(_right(project, level, home, shared_with))
    return Powers(
        permissions=permissions - named.keys(),
        groups=groups,
        projects=frozenset(rights),
        project_groups=groups if administers_projects else frozenset(),
        grantable=_grantable(session, permissions),
    )


def caller_powers(call: Call) -> Powers:
    """What the caller may do: the account's rights within those of the credentials that were shown."""
    powers = read_powers(call.session, call.access.user_id)
    return replace(powers, permissions=powers.permissions & call.access.permissions)


def _right(project: int, level: Level, home: str | None, shared_with: str | None = None) -> ProjectRight:
    groups = frozenset(name for name in (home, shared_with) if name is not None)
    return ProjectRight(project, level, groups, home)


def _named_projects(session: Session, permissions: Iterable[str]) -> dict[str, list[ProjectRight]]:
    """The permissions that name a project that is there, each with the right it stands for."""
    wanted = {
        permission: permission.partition(":")[2]
        for permission in permissions
        if permission.startswith(PROJECT_FAMILIES) and not permission.endswith(":*")
    }
    there = repository.projects_named(session, set(wanted.values())) if wanted else {}
    return {
        permission: [_right(there[name][0], _level_of(permission), there[name][1])]
        for permission, name in wanted.items()
        if name in there
    }


def _level_of(permission: str) -> Level:
    return Level.WRITE if permission.startswith("writeProject:") else Level.READ


def _grantable(session: Session, permissions: frozenset[str]) -> frozenset[str]:
    """Permissions of the roles that a user administrator of the platform may give: to himself, too.

    A role that gives the right to give others leads on to those. `{group}` stands for any group he chooses.
    """
    if "createUserIn:*" not in permissions:
        return frozenset()
    roles = repository.read_roles(session)
    found: set[str] = set()
    while True:
        held = Powers(permissions=permissions | found)
        more = {
            permission.replace("{group}", "*")
            for rolename, role in roles.items()
            if held.can(f"assignRole:{rolename}")
            for permission in role.permissions
        }
        if more <= found:
            return frozenset(found)
        found |= more
