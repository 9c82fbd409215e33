"""Reads from the database what accounts may do, for `access.account_powers`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from sqlalchemy.orm import Session

from annotarium.access import repository
from annotarium.access.account_powers import PROJECT_FAMILIES, AccountPowers, ProjectRight, ProjectRightLevel
from annotarium.access.call import Call
from annotarium.access.repository import GrantedRights, ProjectGrant
from annotarium.access.user_rights_cache import GROUP_PROJECT_ADMIN, expand_permissions
from annotarium.db.models import Role


def read_account_powers(session: Session, user_id: int) -> AccountPowers:
    """The powers of a user, disabled or not; empty for an unknown user."""
    return read_powers_of_accounts(session, [user_id])[user_id]


def read_powers_of_accounts(session: Session, user_ids: Collection[int]) -> dict[int, AccountPowers]:
    """`read_account_powers` for several users, by id. The number of queries does not depend on the number of users."""
    granted = repository.read_granted_rights_of_users(session, user_ids)
    reach = repository.project_grants_of_users(session, user_ids)
    permissions = {user_id: expand_permissions(one) for user_id, one in granted.items()}
    named = _project_rights_by_permission(session, frozenset().union(*permissions.values()))
    grantable = _GrantablePermissions(session)
    return {
        user_id: _build_account_powers(granted[user_id], permissions[user_id], named, reach[user_id], grantable)
        if user_id in granted
        else AccountPowers()
        for user_id in user_ids
    }


def _build_account_powers(
    granted: GrantedRights,
    permissions: frozenset[str],
    named: dict[str, list[ProjectRight]],
    reach: Iterable[ProjectGrant],
    grantable: _GrantablePermissions,
) -> AccountPowers:
    groups = frozenset(group.name for group in granted.groups)
    administers_projects = any(role.rolename == GROUP_PROJECT_ADMIN for role in granted.roles)
    rights = {one for permission in permissions & named.keys() for one in named[permission]}
    for project, own_group, owned, write, shared_with in reach:
        level = ProjectRightLevel.OWN if owned else ProjectRightLevel.WRITE if write else ProjectRightLevel.READ
        rights.add(_make_project_right(project, level, own_group, shared_with))
    return AccountPowers(
        permissions=permissions - named.keys(),
        groups=groups,
        projects=frozenset(rights),
        project_groups=groups if administers_projects else frozenset(),
        grantable=grantable.with_permissions(permissions),
    )


def caller_powers(call: Call) -> AccountPowers:
    """What the caller may do: the powers of the account, limited to the permissions of the credentials in use."""
    powers = read_account_powers(call.session, call.access.user_id)
    return replace(powers, permissions=powers.permissions & call.access.permissions)


def _make_project_right(
    project: int, level: ProjectRightLevel, own_group: str | None, shared_with: str | None = None
) -> ProjectRight:
    groups = frozenset(name for name in (own_group, shared_with) if name is not None)
    return ProjectRight(project, level, groups, own_group)


def _project_rights_by_permission(session: Session, permissions: Iterable[str]) -> dict[str, list[ProjectRight]]:
    """The permissions that name an existing project, each with the rights it grants."""
    wanted = {
        permission: permission.partition(":")[2]
        for permission in permissions
        if permission.startswith(PROJECT_FAMILIES) and not permission.endswith(":*")
    }
    there = repository.projects_named(session, set(wanted.values())) if wanted else {}
    return {
        permission: [_make_project_right(there[name][0], _level_of_project_permission(permission), there[name][1])]
        for permission, name in wanted.items()
        if name in there
    }


def _level_of_project_permission(permission: str) -> ProjectRightLevel:
    return ProjectRightLevel.WRITE if permission.startswith("writeProject:") else ProjectRightLevel.READ


class _GrantablePermissions:
    """Permissions of the roles that a user administrator of the platform may assign, to the own account too.

    If such a role contains the right to assign further roles, those are included. `{group}` becomes `*`: any group can
    be chosen.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._roles: dict[str, Role] | None = None

    def with_permissions(self, permissions: frozenset[str]) -> frozenset[str]:
        """The permissions that an account with these permissions may assign."""
        if "createUserIn:*" not in permissions:
            return frozenset()
        if self._roles is None:
            self._roles = repository.read_all_roles(self._session)
        found: set[str] = set()
        while True:
            held = AccountPowers(permissions=permissions | found)
            more = {
                permission.replace("{group}", "*")
                for rolename, role in self._roles.items()
                if held.can(f"assignRole:{rolename}")
                for permission in role.permissions
            }
            if more <= found:
                return frozenset(found)
            found |= more
