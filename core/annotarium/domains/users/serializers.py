"""Converts users to API schemas."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.account_powers_loading import caller_powers
from annotarium.access.call import Call
from annotarium.access.granting import administered_groups
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import Group, Role, User
from annotarium.db.timestamps import iso
from annotarium.domains.users import policy, repository
from annotarium.domains.users.schemas import GroupReference, UserRead
from annotarium_schemas.messages import Message, message_of


def to_user_reads(call: Call, users: Sequence[User], *, admin_data: bool) -> list[UserRead]:
    """Users with what the caller may see: all of the own account and members of managed groups, else only names."""
    ids = [user.id for user in users]
    roles = repository.roles_of(call.session, ids)
    groups = repository.groups_of(call.session, ids)
    managed = administered_groups(call.access)
    administrator = call.access.is_user_administrator

    def is_full(user: User) -> bool:
        own = user.id == call.access.user_id
        return admin_data and (managed is None or own or any(group.name in managed for group in groups[user.id]))

    reasons: dict[int, Message | None] = {}
    if admin_data and administrator:
        shown = [user.id for user in users if is_full(user)]
        reasons = policy.reasons_not_administered(call, shown, caller_powers(call))

    def to_read(user: User) -> UserRead:
        own_groups = groups[user.id]
        if not is_full(user):
            return _limited_user_read(call, user, own_groups)
        read = _full_user_read(call, user, roles[user.id], own_groups)
        if administrator:
            reason = reasons[user.id]
            read.administered, read.why_not, read.said = reason is None, reason, message_of(whyNot=reason)
        return read

    return convert_readable_rows(users, to_read)


def _visible_groups_of_user(call: Call, groups: Sequence[Group]) -> list[GroupReference]:
    """The groups of a user that are visible to the caller."""
    managed = administered_groups(call.access)
    return [
        GroupReference(name=group.name, label=group.label)
        for group in groups
        if managed is None or group.name in managed or group.id in call.access.group_ids
    ]


def _limited_user_read(call: Call, user: User, groups: Sequence[Group]) -> UserRead:
    shown = _visible_groups_of_user(call, groups)
    return UserRead(username=user.username, profilename=user.profilename or user.username, groups=shown)


def _full_user_read(call: Call, user: User, roles: Sequence[Role], groups: Sequence[Group]) -> UserRead:
    return UserRead(
        username=user.username,
        profilename=user.profilename or user.username,
        email=user.email,
        roles=[role.rolename for role in roles],
        permissions=sorted(user.permissions),
        groups=_visible_groups_of_user(call, groups),
        disabled=user.disabled,
        created_at=iso(user.created_at),
        created_by=user.created_by,
    )
