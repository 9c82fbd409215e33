"""What accounts may do, read from the database for `access.administration`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from sqlalchemy.orm import Session

from annotarium.access import repository
from annotarium.access.administration import PROJECT_FAMILIES, Level, Powers, ProjectRight
from annotarium.access.call import Call
from annotarium.access.repository import GrantedRights, Reach
from annotarium.access.subjects import GROUP_PROJECT_ADMIN, expand_permissions
from annotarium.db.models import Role


def read_powers(session: Session, user_id: int) -> Powers:
    """What a user may do, disabled or not; nothing for an unknown one."""
    return powers_of(session, [user_id])[user_id]


def powers_of(session: Session, user_ids: Collection[int]) -> dict[int, Powers]:
    """`read_powers` of several users by id, in as many queries as for one."""
    granted = repository.granted_rights_of(session, user_ids)
    reach = repository.project_reach(session, user_ids)
    permissions = {user_id: expand_permissions(one) for user_id, one in granted.items()}
    named = _named_projects(session, frozenset().union(*permissions.values()))
    grantable = _Grantable(session)
    return {
        user_id: _powers(granted[user_id], permissions[user_id], named, reach[user_id], grantable)
        if user_id in granted
        else Powers()
        for user_id in user_ids
    }


def _powers(
    granted: GrantedRights,
    permissions: frozenset[str],
    named: dict[str, list[ProjectRight]],
    reach: Iterable[Reach],
    grantable: _Grantable,
) -> Powers:
    groups = frozenset(group.name for group in granted.groups)
    administers_projects = any(role.rolename == GROUP_PROJECT_ADMIN for role in granted.roles)
    rights = {one for permission in permissions & named.keys() for one in named[permission]}
    for project, own_group, owned, write, shared_with in reach:
        level = Level.OWN if owned else Level.WRITE if write else Level.READ
        rights.add(_right(project, level, own_group, shared_with))
    return Powers(
        permissions=permissions - named.keys(),
        groups=groups,
        projects=frozenset(rights),
        project_groups=groups if administers_projects else frozenset(),
        grantable=grantable.with_permissions(permissions),
    )


def caller_powers(call: Call) -> Powers:
    """What the caller may do: the account's rights within those of the credentials that were shown."""
    powers = read_powers(call.session, call.access.user_id)
    return replace(powers, permissions=powers.permissions & call.access.permissions)


def _right(project: int, level: Level, own_group: str | None, shared_with: str | None = None) -> ProjectRight:
    groups = frozenset(name for name in (own_group, shared_with) if name is not None)
    return ProjectRight(project, level, groups, own_group)


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


class _Grantable:
    """Permissions of the roles that a user administrator of the platform may give: to himself, too.

    A role that gives the right to give others leads on to those. `{group}` stands for any group he chooses.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._roles: dict[str, Role] | None = None

    def with_permissions(self, permissions: frozenset[str]) -> frozenset[str]:
        """Those that somebody with these permissions may give."""
        if "createUserIn:*" not in permissions:
            return frozenset()
        if self._roles is None:
            self._roles = repository.read_roles(self._session)
        found: set[str] = set()
        while True:
            held = Powers(permissions=permissions | found)
            more = {
                permission.replace("{group}", "*")
                for rolename, role in self._roles.items()
                if held.can(f"assignRole:{rolename}")
                for permission in role.permissions
            }
            if more <= found:
                return frozenset(found)
            found |= more
