"""Rules of groups."""

from __future__ import annotations

from typing import Any

from annotarium.access import audit, rights_revision
from annotarium.access.account_powers import AccountPowers, administers_account
from annotarium.access.account_powers_loading import caller_powers, read_account_powers
from annotarium.access.call import Call
from annotarium.access.granting import (
    SignInEligibilityChanges,
    require_may_delete_role,
    require_may_grant_roles,
    require_platform_administrator,
)
from annotarium.access.repository import find_visible_group, member_ids_of_group
from annotarium.content.free_names import first_free_name, name_taken
from annotarium.content.project_removal import remove_project
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import Group
from annotarium.db.row_marks import mark_modified
from annotarium.db.timestamps import iso
from annotarium.domains.groups import repository
from annotarium.domains.groups.schemas import GroupCreate, GroupDeleted, GroupPatch, GroupRead
from annotarium.errors import AccessDenied, Conflict, InvalidInput, NotFound
from annotarium_schemas.messages import message

_PLATFORM_FIELDS = frozenset(
    {
        "identifier",
        "mapping_discriminator",
        "login_allowed",
        "max_users",
        "max_docs_per_project",
        "max_projects",
        "max_projects_per_user",
        "system_attached_roles",
    }
)
"""Fields that only `writeGroup:*` may change: limits and what maps the group to the platform."""
_ATTACHED = ("attached_roles", "system_attached_roles")


def to_group_read(group: Group) -> GroupRead:
    """The serialised form of a group."""
    values = {name: getattr(group, name) for name in GroupRead.model_fields if hasattr(group, name)}
    values |= {"created_at": iso(group.created_at), "modified_at": iso(group.modified_at)}
    return GroupRead.model_validate(values)


def list_groups(call: Call, *, mapped: bool) -> list[GroupRead]:
    """Groups visible to the caller, without rows that cannot be read."""
    return convert_readable_rows(repository.list_groups(call.session, call.access, mapped=mapped), to_group_read)


def get_group(call: Call, name: str) -> Group:
    """The group, if it is visible to the caller; otherwise raises `NotFound`."""
    group = find_visible_group(call.session, call.access, name)
    if group is None:
        raise NotFound(message("none.group", "There is no group {name}", name=name))
    return group


def _get_writable_group(call: Call, name: str) -> Group:
    group = get_group(call, name)
    if not call.access.can(f"writeGroup:{group.name}"):
        raise AccessDenied("Authorization has been denied.", cause=f"The permission writeGroup:{name} is missing")
    return group


def create_group(call: Call, body: GroupCreate) -> Group:
    """Create a group. Its name never changes; without one in the body it is derived from the label."""
    _check_label_is_free(call, body.label)
    for field in _ATTACHED:
        _check_attached_roles(call, field, [], getattr(body, field), None)
    group = Group(name=_free_group_name(call, body), created_by=call.username, modified_by=call.username)
    for field, value in body.model_dump(exclude={"name"}, by_alias=False).items():
        setattr(group, field, value)
    call.session.add(group)
    audit.add_entry(call.session, call.username, "group.create", group.name)
    rights_revision.note_rights_change(call.session)
    return group


def _free_group_name(call: Call, body: GroupCreate) -> str:
    from slugify import slugify  # loads 4 MB, therefore imported only when a name is derived

    if body.name is not None:
        if repository.name_is_taken(call.session, body.name):
            raise name_taken(f"There is already a group {body.name}", "name")
        return body.name
    stem = slugify(body.label, separator="_", max_length=90) or "group"
    return first_free_name(stem, lambda name: repository.name_is_taken(call.session, name))


def update_group(call: Call, name: str, body: GroupPatch) -> None:
    """Change a group; limits and platform fields require `writeGroup:*`."""
    group = _get_writable_group(call, name)
    given = body.model_fields_set
    locked = sorted(given & _PLATFORM_FIELDS)
    if locked and not call.access.can("writeGroup:*"):
        raise AccessDenied(f"You may not change {', '.join(locked)} of a group.", cause="It needs writeGroup:*")
    if "label" in given:
        _check_label_is_free(call, body.label, group.id)
    for field in sorted(given & set(_ATTACHED)):
        _check_attached_roles(call, field, getattr(group, field), getattr(body, field), group)
    caller = caller_powers(call)
    changes = SignInEligibilityChanges(
        call.session, member_ids_of_group(call.session, group.id) if "login_allowed" in given else ()
    )
    for field in given:
        setattr(group, field, getattr(body, field))
    mark_modified(group, call.username)
    _check_sign_in_changes(call, caller, changes)
    require_platform_administrator(call.session)
    audit.add_entry(call.session, call.username, "group.update", group.name, fields=sorted(given))
    rights_revision.note_rights_change(call.session)


def _check_label_is_free(call: Call, label: str, except_id: int = 0) -> None:
    if repository.label_is_taken(call.session, label, except_id):
        raise name_taken(f"There is already a group called {label}", "label")


def _check_sign_in_changes(call: Call, caller: AccountPowers, changes: SignInEligibilityChanges) -> None:
    """Require that the caller administers every member who gains or loses sign-in, and does not lose it themselves."""
    shut_out = changes.shut_out()
    if call.access.user_id in shut_out:
        raise Conflict(
            message("wrong.shutOutSelf", "You could no longer sign in yourself"), fix="Ask another administrator"
        )
    for user in repository.find_users_by_id(call.session, shut_out | changes.let_in()):
        powers = read_account_powers(call.session, user.id)
        if not administers_account(caller, powers):
            raise AccessDenied(
                message("denied.signIns", "The group has members whom you do not manage"),
                cause=message("denied.signInsCause", "The change would affect whether they can sign in"),
                fix=message("fix.askPlatform", "Ask a platform administrator"),
            )


def _check_attached_roles(call: Call, field: str, before: list[Any], after: list[str], group: Group | None) -> None:
    """Require that the caller may grant every role that is attached or detached: new users of the group receive them.

    A role that belongs to another group applies only to that group's members and is refused.
    """
    wanted = set(after)
    roles = repository.find_roles(call.session, wanted | set(before))
    alias = "attachedRoles" if field == "attached_roles" else "systemAttachedRoles"
    known = set(before) | repository.names_of_visible_roles(call.session, call.access, wanted)
    missing = wanted - {role.rolename for role in roles if role.rolename in known}
    if missing:
        text = message("none.role", "There is no role {name}", name=min(missing))
        raise InvalidInput(text, details=[{"field": alias, "message": text}])
    own = (None, group.id) if group else (None,)
    for role in roles:
        if role.rolename in wanted and role.group_id not in own:
            text = message("wrong.roleOfOther", "The role {name} belongs to another group", name=role.label)
            raise InvalidInput(
                text,
                fix=message("wrong.roleOfOtherFix", "Attach roles of this group, or roles that belong to no group"),
                details=[{"field": alias, "message": text}],
            )
    changed = wanted ^ set(before)
    require_may_grant_roles(call.access, [role for role in roles if role.rolename in changed])


def delete_group(call: Call, name: str, *, cascade: bool) -> GroupDeleted:
    """Delete a group.

    Without `cascade` its projects stay with their owners and its users stay. With `cascade` its projects are marked as
    deleted, and the users who are in no other group are deleted, except the caller.
    """
    group = _get_writable_group(call, name)
    caller = caller_powers(call)
    members = member_ids_of_group(call.session, group.id)
    if members and not caller.administers_group(group.name):
        raise AccessDenied(
            message("denied.usersOfGroup", "You do not manage the users of the group"),
            cause=message("denied.permission", "You do not have the permission {name}", name=f"createUserIn:{name}"),
        )
    for role in repository.roles_of_group(call.session, group):
        require_may_delete_role(caller, role, group.name)
    changes = SignInEligibilityChanges(call.session, members)
    result = GroupDeleted()
    if cascade:
        projects = repository.live_projects_of_group(call.session, group)
        for project in projects:
            remove_project(call.unit, project, call.username)
        call.session.flush()
        result.removed_projects = len(projects)
        result.removed_users = _remove_users_of_group_only(call, caller, group)
    call.session.flush()
    call.session.delete(group)
    shut_out = changes.shut_out()
    if shut_out:
        raise Conflict(
            message(
                "account.shutOutMany",
                "{count:,} users could not sign in any more: their other groups do not allow it",
                one="One user could not sign in any more: the other groups do not allow it",
                count=len(shut_out),
            ),
            fix=message("account.shutOutManyFix", "First add them to a group that allows sign-in, or disable them"),
        )
    _check_sign_in_changes(call, caller, changes)
    require_platform_administrator(call.session)
    audit.add_entry(
        call.session, call.username, "group.delete", name, projects=result.removed_projects, users=result.removed_users
    )
    rights_revision.note_rights_change(call.session)
    return result


def _remove_users_of_group_only(call: Call, caller: AccountPowers, group: Group) -> int:
    """Delete the users who are in no other group, except the caller. Returns how many."""
    users = [user for user in repository.sole_members(call.session, group) if user.id != call.access.user_id]
    for user in users:
        if not administers_account(caller, read_account_powers(call.session, user.id)):
            raise AccessDenied(
                "You may not remove the users of the group.",
                cause=message("denied.account", "You do not manage the account {name}", name=user.username),
            )
        audit.add_entry(call.session, call.username, "user.delete", user.username, group=group.name)
        call.session.delete(user)
    return len(users)
