"""Who may see and manage which user."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy.orm import Session

from annotarium.access.call import Call
from annotarium.access.giving import (
    administered_groups,
    is_administrative,
    require_may_give_permissions,
    require_may_give_roles,
)
from annotarium.access.rights import Access
from annotarium.access.subjects import read_permissions
from annotarium.db.models import Group, Role, User
from annotarium.domains.users import repository
from annotarium.errors import AccessDenied, Conflict, InvalidInput, NotFound
from annotarium_schemas.said import say


def get_visible(call: Call, username: str) -> User:
    """The user, if the caller may know of it (else `NotFound`)."""
    user = repository.find_user(call.session, call.access, username)
    if user is None:
        raise NotFound(say("none.user", "There is no user {name}", name=username))
    return user


def manages(session: Session, access: Access, user: User) -> bool:
    """Whether the caller administers the account.

    A group administrator manages users all of whose groups are his, and who hold no administrative right that he lacks
    (whoever sets a password could act with the rights of the account).
    """
    managed = administered_groups(access)
    if managed is None:
        return True
    groups = {group.name for group in repository.groups_of(session, [user.id])[user.id]}
    if not groups or not groups <= managed:
        return False
    held = read_permissions(session, user.id)
    return all(access.can(permission) for permission in held if is_administrative(permission))


def require_managed(call: Call, username: str) -> User:
    """The user, if the caller manages it (else `AccessDenied`, or `NotFound` out of sight)."""
    user = get_visible(call, username)
    if not manages(call.session, call.access, user):
        raise AccessDenied(f"You do not manage the user {username}.")
    return user


def resolve_groups(call: Call, names: Collection[str]) -> list[Group]:
    """Groups whose users the caller manages, by name.

    Raises:
        NotFound: no such group, or one out of reach.
    """
    managed = administered_groups(call.access)
    wanted = set(names)
    groups = repository.find_groups(call.session, wanted)
    missing = wanted - {group.name for group in groups if managed is None or group.name in managed}
    if missing:
        raise NotFound(say("none.managedGroup", "There is no group {name} whose users you manage", name=min(missing)))
    return groups


def resolve_roles(session: Session, rolenames: Iterable[str]) -> list[Role]:
    """Roles by name.

    Raises:
        InvalidInput: an unknown name.
    """
    wanted = set(rolenames)
    roles = repository.find_roles(session, wanted)
    missing = wanted - {role.rolename for role in roles}
    if missing:
        message = say("none.role", "There is no role {name}", name=min(missing))
        raise InvalidInput(message, details=[{"field": "roles", "message": message}])
    return roles


def check_role_change(access: Access, before: Iterable[Role], after: Iterable[Role], groups: Collection[int]) -> None:
    """Raise unless the caller may give what is new and take what is gone; group roles go to members only."""
    old, new = {role.id: role for role in before}, {role.id: role for role in after}
    changed = [role for role_id, role in (old | new).items() if (role_id in old) != (role_id in new)]
    require_may_give_roles(access, changed)
    for role in (role for role in changed if role.id in new):
        if role.group_id is not None and role.group_id not in groups:
            message = f"The role {role.label} belongs to a group the user is not in"
            raise InvalidInput(message, details=[{"field": "roles", "message": message}])


def check_permission_change(access: Access, before: Iterable[str], after: Iterable[str]) -> None:
    """Raise unless the caller may give what is new and take what is gone."""
    require_may_give_permissions(access, sorted(set(before) ^ set(after)))


def check_room(session: Session, groups: Iterable[Group]) -> None:
    """Raise `Conflict` when one more user would exceed the limit of a group (C-041)."""
    for group in groups:
        if 0 <= group.max_users <= repository.count_members(session, group.id):
            raise Conflict(
                say(
                    "limit.groupUsers",
                    "The group {group} already has its {number} users",
                    group=group.label,
                    number=group.max_users,
                ),
                fix="Remove a user from the group, or ask an administrator to raise its limit",
            )
