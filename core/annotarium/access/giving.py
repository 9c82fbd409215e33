"""Who may give which role or permission to whom (threats T15): nobody gives what he does not hold.

The permission `assignRole:{role}` is the right to give a role. Outside the platform user administrators the giver needs
every permission of the role besides, the role must not be restricted, and a role of a group stays in the group.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy.orm import Session

from annotarium.access import repository
from annotarium.access.permissions import is_permission
from annotarium.access.rights import Access
from annotarium.db.models import Role
from annotarium.errors import AccessDenied, Conflict, InvalidInput
from annotarium_schemas.said import say


def administered_groups(access: Access) -> frozenset[str] | None:
    """Names of the groups whose users the caller manages, None for all groups."""
    if access.is_platform_user_administrator:
        return None
    prefix = "createUserIn:"
    return frozenset(name.removeprefix(prefix) for name in access.permissions if name.startswith(prefix))


ADMINISTRATIVE_FAMILIES = frozenset({"createUserIn", "writeGroup", "assignRole"})
PLATFORM_WIDE = frozenset(
    {
        "readProject:*",
        "readTheme:*",
        "seeGlobalJobs",
        "testMailTemplates",
        "useProduction",
        "writeGlobalMessage",
        "writeProject:*",
    }
)


def is_administrative(permission: str) -> bool:
    """Whether the permission reaches beyond the holder's own projects."""
    return permission in PLATFORM_WIDE or permission.partition(":")[0] in ADMINISTRATIVE_FAMILIES


def may_give_role(access: Access, role: Role) -> bool:
    """Whether the caller may give the role to, and take it from, a user he manages."""
    if not access.can(f"assignRole:{role.rolename}"):
        return False
    if access.is_platform_user_administrator:
        return True
    if role.restricted or (role.group_id is not None and role.group_id not in access.group_ids):
        return False
    return all(access.can(permission) for permission in role.permissions)


def require_may_give_roles(access: Access, roles: Iterable[Role]) -> None:
    """Raise `AccessDenied` naming the first role the caller may not give."""
    for role in roles:
        if not may_give_role(access, role):
            raise AccessDenied(
                f"You may not give or take the role {role.label}.",
                cause=f"It needs assignRole:{role.rolename} and every right of the role",
            )


def require_may_give_permissions(access: Access, permissions: Iterable[str]) -> None:
    """Raise `InvalidInput` for what is no permission, `AccessDenied` for one the caller does not hold."""
    for permission in permissions:
        if not is_permission(permission):
            message = f"{permission[:80]} is not a permission"
            raise InvalidInput(
                message, fix="Take one of GET /permissions", details=[{"field": "permissions", "message": message}]
            )
        if not access.can(permission):
            raise AccessDenied(f"You may not give or take {permission}.", cause="You do not hold it yourself")


def require_platform_administrator(session: Session) -> None:
    """Raise `Conflict` when the changes made in this transaction leave no platform user administrator."""
    session.flush()
    if not repository.platform_administrators(session):
        raise Conflict(
            say(
                "account.lastAdministrator",
                "The last platform user administrator cannot be removed, disabled or stripped of the right",
            ),
            fix="Give another user the role Platform User Admin first",
        )
