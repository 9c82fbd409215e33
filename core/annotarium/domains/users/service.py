"""Rules of users. Every change of rights increments the rights revision: it is effective from the next request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.access import audit, rights_revision
from annotarium.access.account_powers_loading import caller_powers, read_account_powers
from annotarium.access.api_keys import revoke_all_keys_of_user
from annotarium.access.call import Call, reopen_call_for_writing
from annotarium.access.granting import SignInEligibilityChanges, administered_groups, require_platform_administrator
from annotarium.access.passwords import check_sign_in, hash_password, require_good_password
from annotarium.access.predefined_roles import MINIMAL
from annotarium.content.free_names import name_taken
from annotarium.content.project_removal import remove_project
from annotarium.db.models import Group, Role, User
from annotarium.db.row_marks import mark_modified
from annotarium.domains.auth.service import permissions_with_roles_and_projects
from annotarium.domains.users import policy, repository
from annotarium.domains.users.schemas import (
    GroupSummary,
    ProfilePatch,
    ProfileRead,
    UserCreate,
    UserList,
    UserPatch,
    UserRead,
)
from annotarium.domains.users.serializers import to_user_reads
from annotarium.errors import Conflict, InvalidInput
from annotarium_schemas.messages import message


def list_users(call: Call, *, group_name: str | None, admin_data: bool) -> UserList:
    """Users visible to the caller; with `group_name`, the members of that group."""
    users = repository.list_users(call.session, call.access, group_name)
    return UserList(users=to_user_reads(call, users, admin_data=admin_data))


def read_user(call: Call, username: str, *, admin_data: bool) -> UserRead:
    """One user. For the own account, `permissions` are the effective ones, with those of roles and projects."""
    user = policy.get_visible_user(call, username)
    read = to_user_reads(call, [user], admin_data=admin_data)[0]
    if user.id == call.access.user_id:
        read.permissions = permissions_with_roles_and_projects(call)
    return read


def create_user(call: Call, body: UserCreate, group_names: Sequence[str]) -> UserRead:
    """Create an account in groups the caller manages, with the given roles and those attached to the groups."""
    require_good_password(body.password)
    password_hash = hash_password(body.password)
    with reopen_call_for_writing(call) as call:
        caller = caller_powers(call)
        groups = _groups_for_new_user(call, [*group_names, *body.groups])
        policy.check_group_capacity(call.session, groups)
        asked = policy.resolve_roles(call, body.roles)
        policy.check_role_change(call.access, [], asked, [group.id for group in groups])
        policy.check_permission_change(call.access, [], body.permissions)
        if repository.name_is_taken(call.session, body.username):
            raise name_taken(f"There is already a user {body.username}", "username")
        user = User(
            username=body.username,
            profilename=body.profilename or body.username,
            email=body.email,
            password_hash=password_hash,
            permissions=sorted(set(body.permissions)),
            created_by=call.username,
            modified_by=call.username,
        )
        call.session.add(user)
        call.session.flush()
        roles = {role.id: role for role in (*asked, *_roles_attached_to_groups(call, groups))}
        roles = roles or {role.id: role for role in repository.find_roles(call.session, [MINIMAL])}
        repository.set_roles(call.session, user, roles.values())
        repository.add_memberships(call.session, user, groups)
        policy.require_caller_covers_account(call, user, caller)
        _note_user_change(call, "user.create", user, roles=[role.rolename for role in roles.values()])
        return to_user_reads(call, [user], admin_data=True)[0]


def _groups_for_new_user(call: Call, names: Sequence[str]) -> list[Group]:
    groups = policy.resolve_administered_groups(call, [name for name in names if name])
    managed = administered_groups(call.access)
    if groups or managed is None:
        return groups
    if len(managed) != 1:
        message = "Say which group the user goes to"
        raise InvalidInput(message, details=[{"field": "groupName", "message": message}])
    return policy.resolve_administered_groups(call, managed)


def _roles_attached_to_groups(call: Call, groups: Sequence[Group]) -> list[Role]:
    """Roles attached to groups, except roles of other groups, which older releases allowed to attach."""
    names = {name for group in groups for name in (*group.attached_roles, *group.system_attached_roles)}
    own = {None, *(group.id for group in groups)}
    return [role for role in repository.find_roles(call.session, names) if role.group_id in own]


def update_user(call: Call, username: str, body: UserPatch) -> None:
    """Change access data: disabled, roles, direct permissions. Disabling ends all sign-in sessions."""
    caller = caller_powers(call)
    user = policy.get_administered_user(call, username, caller)
    given = body.model_fields_set
    if "roles" in given:
        before = repository.roles_of(call.session, [user.id])[user.id]
        after = policy.resolve_roles(call, body.roles, before)
        groups = repository.groups_of(call.session, [user.id])[user.id]
        policy.check_role_change(call.access, before, after, [group.id for group in groups])
        repository.set_roles(call.session, user, after)
    if "permissions" in given:
        policy.check_permission_change(call.access, user.permissions, body.permissions)
        user.permissions = sorted(set(body.permissions))
    if "disabled" in given and body.disabled != user.disabled:
        if user.id == call.access.user_id:
            raise Conflict(
                message("wrong.disableSelf", "You cannot disable your own account"), fix="Ask another administrator"
            )
        user.disabled = body.disabled
        repository.end_sign_ins(call.session, user)
    policy.require_caller_covers_account(call, user, caller)
    require_platform_administrator(call.session)
    details = body.model_dump(include=given, by_alias=True)
    _note_user_change(call, "user.rights", user, **details)


def delete_user(call: Call, username: str, *, cascade: bool) -> None:
    """Delete an account.

    With `cascade`, the user's projects outside groups are deleted too (marked as deleted); those of a group stay in it.
    Without `cascade`, a user who owns projects cannot be deleted (`Conflict`).
    """
    user = policy.get_administered_user(call, username)
    if user.id == call.access.user_id:
        raise Conflict(
            message("wrong.deleteSelf", "You cannot delete your own account"), fix="Ask another administrator"
        )
    owned = repository.projects_owned(call.session, user)
    if owned and not cascade:
        raise Conflict(
            message("taken.owner", "The user owns {count:,} projects", count=len(owned)),
            fix="Give them to somebody else first, or delete with cascade",
        )
    personal = [project for project in owned if project.group_id is None]
    names = [project.name for project in personal]  # deleting a project frees its name
    for project in personal:
        remove_project(call.unit, project, call.username)
    _note_user_change(call, "user.delete", user, projects=names)
    call.session.flush()
    call.session.delete(user)
    require_platform_administrator(call.session)


def list_groups(call: Call, username: str) -> list[GroupSummary]:
    """Groups of a user, as far as visible to the caller."""
    user = policy.get_visible_user(call, username)
    managed = administered_groups(call.access)
    groups = repository.groups_of(call.session, [user.id])[user.id]
    return [
        GroupSummary(
            name=group.name,
            label=group.label,
            identifier=group.identifier,
            mapping_discriminator=group.mapping_discriminator,
        )
        for group in groups
        if managed is None or group.name in managed or group.id in call.access.group_ids
    ]


def add_groups(call: Call, username: str, names: Sequence[str], *, replace_existing: bool) -> None:
    """Add a user to groups. The caller must administer the user and manage the users of the groups.

    Args:
        replace_existing: remove the user from all other groups.

    Raises:
        AccessDenied: the caller does not administer the account, or lacks a power that it would have afterwards.
        NotFound: a group does not exist, or the caller does not manage its users.
        Conflict: a group is full, or the user could no longer sign in.
    """
    caller = caller_powers(call)
    user = policy.get_administered_user(call, username, caller)
    wanted = policy.resolve_administered_groups(call, names)
    present = repository.groups_of(call.session, [user.id])[user.id]
    present_ids, wanted_ids = {group.id for group in present}, {group.id for group in wanted}
    new = [group for group in wanted if group.id not in present_ids]
    policy.check_group_capacity(call.session, new)
    changes = SignInEligibilityChanges(call.session, [user.id])
    repository.add_memberships(call.session, user, new)
    if replace_existing:
        gone = [group for group in present if group.id not in wanted_ids]
        policy.resolve_administered_groups(call, [group.name for group in gone])
        _remove_user_from_groups(call, user, gone)
    policy.require_sign_in_possible(changes)
    policy.require_caller_covers_account(call, user, caller)
    require_platform_administrator(call.session)
    _note_user_change(call, "user.groups", user, groups=[group.name for group in wanted], replaced=replace_existing)


def remove_groups(call: Call, username: str, names: Sequence[str]) -> None:
    """Remove a user from groups the caller manages, with the roles and rights that depend on these groups.

    The caller need not administer the account, if it loses only powers that the caller has.

    Raises:
        AccessDenied: the caller does not administer the account, and it would lose more, or could sign in again.
        Conflict: the user could no longer sign in.
    """
    caller = caller_powers(call)
    user = policy.get_visible_user(call, username)
    groups = policy.resolve_administered_groups(call, names)
    before = read_account_powers(call.session, user.id)
    reason = None if user.id == call.access.user_id else policy.reason_not_administered(call, user, caller)
    changes = SignInEligibilityChanges(call.session, [user.id])
    _remove_user_from_groups(call, user, groups)
    policy.require_sign_in_possible(changes)
    if reason is not None:
        policy.require_may_remove_rights(call, user, caller, before)
        if changes.let_in():
            raise policy.not_administered_error(username, reason)
    require_platform_administrator(call.session)
    _note_user_change(call, "user.groups", user, left=[group.name for group in groups])


def _remove_user_from_groups(call: Call, user: User, groups: Sequence[Group]) -> None:
    """Remove memberships, the roles of these groups, and the direct permissions over their users and settings."""
    left, names = {group.id for group in groups}, {group.name for group in groups}
    roles = repository.roles_of(call.session, [user.id])[user.id]
    repository.set_roles(call.session, user, [role for role in roles if role.group_id not in left])
    ended = {f"{family}:{name}" for family in ("createUserIn", "writeGroup") for name in names}
    user.permissions = [permission for permission in user.permissions if permission not in ended]
    repository.remove_memberships(call.session, user, groups)


def read_profile(call: Call, username: str, *, private_data: bool) -> ProfileRead:
    """The profile; with the email address only for the user and administrators of the account."""
    user = policy.get_visible_user(call, username)
    own = user.id == call.access.user_id
    private = private_data and (own or policy.reason_not_administered(call, user, caller_powers(call)) is None)
    return ProfileRead(
        username=user.username, profilename=user.profilename or user.username, email=user.email if private else None
    )


def update_profile(call: Call, username: str, body: ProfilePatch) -> None:
    """Change display name, email address or password. A new password ends the user's other sign-in sessions and, unless
    `revoke_keys` is false, revokes the API keys.

    Raises:
        InvalidInput: `currentPassword` is missing or wrong when changing one's own password.
        TooManyRequests: too many wrong passwords.
    """
    given = body.model_fields_set - {"current_password", "revoke_keys"}
    password_hash = None
    if username != call.username:
        policy.get_administered_user(call, username)
    if "password" in given:
        require_good_password(body.password)
        if username == call.username:
            _require_current_password(call, body.current_password)
        password_hash = hash_password(body.password)
    with reopen_call_for_writing(call) as call:
        if username != call.username:
            policy.get_administered_user(call, username)
        user = policy.get_visible_user(call, username)
        if "profilename" in given:
            user.profilename = body.profilename
        if "email" in given:
            user.email = body.email
        if password_hash is not None:
            user.password_hash = password_hash
            own = user.id == call.access.user_id
            repository.end_sign_ins(call.session, user, keep=call.access.session_id if own else None)
            if body.revoke_keys:
                revoke_all_keys_of_user(call.session, user, actor=call.username)
        _note_user_change(call, "user.profile", user, fields=sorted(given))


def _require_current_password(call: Call, password: str | None) -> None:
    """Prevents account takeover from an unattended browser or a stolen token. Limits guesses as sign-in does."""
    user = policy.get_visible_user(call, call.username)
    if not password:
        text = message("wrong.currentPasswordMissing", "Enter the current password too")
    elif check_sign_in(user.username, password, user.password_hash, call.address):
        return
    else:
        text = message("wrong.currentPassword", "The current password is wrong")
    raise InvalidInput(text, details=[{"field": "currentPassword", "message": text}])


def _note_user_change(call: Call, action: str, user: User, **details: Any) -> None:
    mark_modified(user, call.username)
    audit.add_entry(call.session, call.username, action, user.username, **details)
    rights_revision.note_rights_change(call.session)
