"""Rules of who may see and administer which user."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy.orm import Session

from annotarium.access.account_powers import (
    AccountPowers,
    MissingPower,
    administers_users_of_groups,
    first_missing_power,
    lost_powers,
)
from annotarium.access.account_powers_loading import caller_powers, read_account_powers, read_powers_of_accounts
from annotarium.access.call import Call
from annotarium.access.granting import (
    SignInEligibilityChanges,
    administered_groups,
    require_may_grant_permissions,
    require_may_grant_roles,
)
from annotarium.access.repository import find_visible_user
from annotarium.access.rights import Access
from annotarium.db.models import Group, Role, User
from annotarium.domains.users import repository
from annotarium.errors import AccessDenied, Conflict, InvalidInput, NotFound
from annotarium_schemas.messages import Message, message

_ASK_PLATFORM_ADMINISTRATOR = message("fix.askPlatform", "Ask a platform administrator")


def get_visible_user(call: Call, username: str) -> User:
    """The user, if visible to the caller, else `NotFound`."""
    user = find_visible_user(call.session, call.access, username)
    if user is None:
        raise NotFound(message("none.user", "There is no user {name}", name=username))
    return user


def get_administered_user(call: Call, username: str, caller: AccountPowers | None = None) -> User:
    """The user, if the caller administers the account (`access.account_powers`).

    Args:
        caller: the caller's powers, if already loaded.

    Raises:
        AccessDenied: the caller does not administer the account; the cause is the reason.
        NotFound: the user does not exist or is not visible to the caller.
    """
    user = get_visible_user(call, username)
    reason = reason_not_administered(call, user, caller or caller_powers(call))
    if reason is not None:
        raise not_administered_error(username, reason)
    return user


def not_administered_error(username: str, reason: Message) -> AccessDenied:
    """The error of an operation on an account that the caller does not administer."""
    text = message("denied.account", "You do not manage the account {name}", name=username)
    return AccessDenied(text, cause=reason, fix=_ASK_PLATFORM_ADMINISTRATOR)


def reason_not_administered(call: Call, user: User, caller: AccountPowers) -> Message | None:
    """The reason why the caller does not administer the account, None if they do."""
    return reasons_not_administered(call, [user.id], caller)[user.id]


def reasons_not_administered(call: Call, user_ids: Sequence[int], caller: AccountPowers) -> dict[int, Message | None]:
    """`reason_not_administered` for several accounts, by user id, with a constant number of queries."""
    if caller.is_superuser:
        return dict.fromkeys(user_ids)
    powers = read_powers_of_accounts(call.session, user_ids)
    return {user_id: _reason_powers_not_administered(caller, powers[user_id]) for user_id in user_ids}


def _reason_powers_not_administered(caller: AccountPowers, powers: AccountPowers) -> Message | None:
    if not administers_users_of_groups(caller, powers.groups):
        return message("account.otherGroups", "It belongs to a group whose users you do not manage, or to none")
    gap = first_missing_power(caller, powers)
    return None if gap is None else _missing_power_message(gap)


def _missing_power_message(gap: MissingPower) -> Message:
    if gap.permission is not None:
        return message(
            "account.strong", "It has the permission {permission}, which you do not have", permission=gap.permission
        )
    return message(
        "account.otherProjects",
        "It has rights on projects outside the groups whose users you manage, which you do not have yourself",
    )


def require_caller_covers_account(call: Call, user: User, caller: AccountPowers) -> None:
    """Raise `AccessDenied` if the account, after a change, has a power that the caller lacks. Flushes the session."""
    call.session.flush()
    gap = first_missing_power(caller, read_account_powers(call.session, user.id))
    if gap is not None:
        raise AccessDenied(
            message("denied.raise", "You cannot assign rights that you do not have"),
            cause=_missing_power_message(gap),
            fix=_ASK_PLATFORM_ADMINISTRATOR,
        )


def require_may_remove_rights(call: Call, user: User, caller: AccountPowers, before: AccountPowers) -> None:
    """Raise `AccessDenied` if a change took a power from the account that the caller lacks. Flushes the session."""
    call.session.flush()
    gap = first_missing_power(caller, lost_powers(before, read_account_powers(call.session, user.id)))
    if gap is not None:
        raise AccessDenied(
            message("denied.take", "You cannot remove rights that you do not have"),
            cause=_missing_power_message(gap),
            fix=_ASK_PLATFORM_ADMINISTRATOR,
        )


def require_sign_in_possible(changes: SignInEligibilityChanges) -> None:
    """Raise `Conflict` if a change leaves a user in groups none of which allows sign-in."""
    if changes.shut_out():
        raise Conflict(
            message(
                "account.shutOut",
                "Nobody could sign in with this account any more, because none of its groups allows it",
            ),
            fix=message("account.shutOutFix", "Choose a group that allows sign-in; to end access, disable the account"),
        )


def resolve_administered_groups(call: Call, names: Collection[str]) -> list[Group]:
    """The groups of these names; the caller must manage their users.

    Raises:
        NotFound: a group does not exist, or the caller does not manage its users.
    """
    managed = administered_groups(call.access)
    wanted = set(names)
    groups = repository.find_groups(call.session, wanted)
    missing = wanted - {group.name for group in groups if managed is None or group.name in managed}
    if missing:
        raise NotFound(
            message("none.managedGroup", "You do not manage the users of any group {name}", name=min(missing))
        )
    return groups


def resolve_roles(call: Call, rolenames: Iterable[str], held: Iterable[Role] = ()) -> list[Role]:
    """The roles of these names.

    Args:
        held: roles the user already has; they need not be visible to the caller.

    Raises:
        InvalidInput: a role does not exist, or is not visible to the caller.
    """
    wanted = set(rolenames)
    roles = [role for role in held if role.rolename in wanted]
    found = repository.find_roles(call.session, wanted - {role.rolename for role in roles}, call.access)
    roles.extend(found)
    missing = wanted - {role.rolename for role in roles}
    if missing:
        text = message("none.role", "There is no role {name}", name=min(missing))
        raise InvalidInput(text, details=[{"field": "roles", "message": text}])
    return roles


def check_role_change(access: Access, before: Iterable[Role], after: Iterable[Role], groups: Collection[int]) -> None:
    """Raise unless the caller may grant the added and revoke the removed roles, and added group roles are of `groups`.

    Raises:
        AccessDenied: the caller may not grant or revoke a role.
        InvalidInput: a role belongs to a group that is not in `groups`.
    """
    old, new = {role.id: role for role in before}, {role.id: role for role in after}
    changed = [role for role_id, role in (old | new).items() if (role_id in old) != (role_id in new)]
    require_may_grant_roles(access, changed)
    for role in (role for role in changed if role.id in new):
        if role.group_id is not None and role.group_id not in groups:
            message = f"The role {role.label} belongs to a group the user is not in"
            raise InvalidInput(message, details=[{"field": "roles", "message": message}])


def check_permission_change(access: Access, before: Iterable[str], after: Iterable[str]) -> None:
    """Raise `AccessDenied` unless the caller may grant the added and revoke the removed permissions."""
    require_may_grant_permissions(access, sorted(set(before) ^ set(after)))


def check_group_capacity(session: Session, groups: Iterable[Group]) -> None:
    """Raise `Conflict` if one of the groups is full (C-041)."""
    for group in groups:
        if 0 <= group.max_users <= repository.count_members(session, group.id):
            raise Conflict(
                message(
                    "limit.groupUsers",
                    "The group {group} already has its maximum of {number:,} users",
                    group=group.label,
                    number=group.max_users,
                ),
                fix="Remove a user from the group, or ask an administrator to raise its limit",
            )
