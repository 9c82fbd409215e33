"""Users as they travel."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import Call
from annotarium.access.giving import administered_groups
from annotarium.db.damage import readable
from annotarium.db.models import Group, Role, User
from annotarium.db.times import iso
from annotarium.domains.users import repository
from annotarium.domains.users.schemas import GroupReference, UserRead


def user_beans(call: Call, users: Sequence[User], *, admin_data: bool) -> list[UserRead]:
    """Users with what the caller may know of each: access data of those in managed groups and the own, else names."""
    ids = [user.id for user in users]
    roles = repository.roles_of(call.session, ids)
    groups = repository.groups_of(call.session, ids)
    managed = administered_groups(call.access)

    def bean_of(user: User) -> UserRead:
        own_groups = groups[user.id]
        full = admin_data and (
            managed is None or user.id == call.access.user_id or any(group.name in managed for group in own_groups)
        )
        return _full(user, roles[user.id], own_groups) if full else _names(call, user, own_groups)

    return readable(users, bean_of)


def _names(call: Call, user: User, groups: Sequence[Group]) -> UserRead:
    managed = administered_groups(call.access)
    shown = [
        GroupReference(name=group.name, label=group.label)
        for group in groups
        if managed is None or group.name in managed or group.id in call.access.group_ids
    ]
    return UserRead(username=user.username, profilename=user.profilename or user.username, groups=shown)


def _full(user: User, roles: Sequence[Role], groups: Sequence[Group]) -> UserRead:
    return UserRead(
        username=user.username,
        profilename=user.profilename or user.username,
        email=user.email,
        roles=[role.rolename for role in roles],
        permissions=sorted(user.permissions),
        groups=[GroupReference(name=group.name, label=group.label) for group in groups],
        disabled=user.disabled,
        created_at=iso(user.created_at),
        created_by=user.created_by,
    )
