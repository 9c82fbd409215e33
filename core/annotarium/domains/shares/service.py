"""Rules of shares and ownership. Changes of rights are effective from the next request."""

from __future__ import annotations

from typing import Any

from annotarium.access import rights_revision
from annotarium.access.call import Call, ProjectCall
from annotarium.access.repository import find_visible_group, find_visible_user
from annotarium.access.rights import Access
from annotarium.content import group_limits
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Group, GroupShare, LeftShare, Project, User, UserShare
from annotarium.db.row_marks import mark_modified
from annotarium.db.unit_of_work import UnitOfWork
from annotarium.domains.shares import repository
from annotarium.domains.shares.schemas import GroupShareRead, ShareMode, UserGroupRef, UserShareRead
from annotarium.errors import AccessDenied, InvalidInput, NotFound
from annotarium_schemas.messages import message


def may_share(access: Access, project: Project) -> bool:
    """Whether a user has the owner's rights, or may write the project and has `shareProject`."""
    rights = access.rights_on(project)
    return rights.owner or (rights.write and access.can("shareProject"))


def require_may_share(call: ProjectCall) -> None:
    """Raise `AccessDenied` unless the caller may share the project."""
    if not may_share(call.access, call.project):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.shareProject", "You do not have the permission shareProject"),
        )


def _can_revoke(call: ProjectCall, created_by: str) -> bool:
    rights = call.access.rights_on(call.project)
    return rights.owner or (rights.write and (call.access.can("shareProject") or created_by == call.username))


def _get_visible_user(call: ProjectCall, username: str) -> User:
    """The user, if visible to the caller. `NotFound` does not reveal whether an invisible user exists."""
    user = find_visible_user(call.session, call.access, username)
    if user is None:
        raise NotFound(
            message("none.user", "There is no user {name}", name=username),
            fix=message(
                "fix.commonGroup", "Choose a member of your groups; an administrator can add people to a group"
            ),
        )
    return user


def _get_visible_group(call: ProjectCall, name: str) -> Group:
    """The group, if visible to the caller. `NotFound` does not reveal whether an invisible group exists."""
    group = find_visible_group(call.session, call.access, name)
    if group is None:
        raise NotFound(
            message("none.group", "There is no group {name}", name=name),
            fix=message("fix.ownGroup", "Choose one of your groups"),
        )
    return group


def _check_share_mode(mode: ShareMode) -> None:
    if not (mode.read or mode.write):
        raise InvalidInput(
            message("wrong.share", "A share must allow reading at least"), fix="Delete the share to take it away"
        )


def notify_user_of_project_visibility(unit: UnitOfWork, project: Project, username: str) -> None:
    """Notify a user of changed rights on the project. Whether it is still visible is added on delivery (T-007)."""
    arg = {"type": "changed", "name": project.name, "label": project.label}
    unit.emit("visibility", arg, user=username, project=project.name)


def _notify_shares_changed(call: ProjectCall, *usernames: str) -> None:
    _notify_shares_of_project_changed(call, call.project, *usernames)


def _notify_shares_of_project_changed(call: Call, project: Project, *usernames: str) -> None:
    """Increment the rights revision and notify the users and the clients of the project (T-007)."""
    rights_revision.note_rights_change(call.session)
    for username in usernames:
        notify_user_of_project_visibility(call.unit, project, username)
    call.unit.emit("project", {"type": "shares", "by": call.username}, project=project.name)


def _share_fields(call: ProjectCall, share: UserShare | GroupShare) -> dict[str, Any]:
    return {
        "mode": ShareMode(read=True, write=share.write),
        "can_revoke": _can_revoke(call, share.created_by),
        "shared_by": share.created_by or None,
    }


def list_user_shares(call: ProjectCall) -> list[UserShareRead]:
    """Shares of the project with users, with whether the caller may revoke each."""
    return [
        UserShareRead(username=name, **_share_fields(call, share))
        for share, name in repository.list_user_shares(call.session, call.project)
    ]


def list_group_shares(call: ProjectCall) -> list[GroupShareRead]:
    """Shares of the project with groups, with whether the caller may revoke each."""
    return [
        GroupShareRead(group_name=name, **_share_fields(call, share))
        for share, name in repository.list_group_shares(call.session, call.project)
    ]


def share_with_user(call: ProjectCall, username: str, mode: ShareMode) -> None:
    """Share with a user visible to the caller, or change the mode of an existing share."""
    require_may_share(call)
    _check_share_mode(mode)
    share = repository.find_user_share(call.session, call.project, username)
    if share is None:
        user = _get_visible_user(call, username)
        share = UserShare(project_id=call.project.id, user_id=user.id, created_by=call.username)
        call.session.add(share)
    share.write = mode.write
    _notify_shares_changed(call, username)


def share_with_caller(call: Call, project: Project, *, write: bool, shared_by: str) -> None:
    """Share with the caller, whom another user invited; never reduces an existing share.

    Checks no permission: the caller must hold a valid invitation of `shared_by`.
    """
    share = call.session.get(UserShare, (project.id, call.access.user_id))
    if share is None:
        share = UserShare(project_id=project.id, user_id=call.access.user_id, write=write, created_by=shared_by)
        call.session.add(share)
    share.write = share.write or write
    _notify_shares_of_project_changed(call, project, call.username)


def share_with_group(call: ProjectCall, group_name: str | None, mode: ShareMode) -> None:
    """Share with a group visible to the caller (default: the project's own), or change the mode of a share."""
    require_may_share(call)
    _check_share_mode(mode)
    share = repository.find_group_share(call.session, call.project, group_name) if group_name else None
    if share is None:
        share = _new_group_share(call, group_name)
    share.write = mode.write
    _notify_shares_changed(call, *repository.member_names_of_group(call.session, share.group_id))


def _new_group_share(call: ProjectCall, group_name: str | None) -> GroupShare:
    group = _get_visible_group(call, group_name) if group_name else None
    if group is None:
        group = call.session.get(Group, call.project.group_id) if call.project.group_id is not None else None
    if group is None:
        raise InvalidInput(message("wrong.noGroup", "The project has no group: specify the group to share it with"))
    share = call.session.get(GroupShare, (call.project.id, group.id))
    if share is None:
        share = GroupShare(project_id=call.project.id, group_id=group.id, created_by=call.username)
        call.session.add(share)
    return share


def unshare_with_user(call: ProjectCall, username: str) -> None:
    """Remove the share with a user. Users may always remove their own."""
    share = repository.find_user_share(call.session, call.project, username)
    if share is None:
        raise NotFound(message("none.share", "The project is not shared with {name}", name=username))
    if username != call.username and not _can_revoke(call, share.created_by):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.shareProject", "You do not have the permission shareProject"),
        )
    call.session.delete(share)
    _notify_shares_changed(call, username)


def leave_shared_project(call: ProjectCall) -> None:
    """Remove the share with the caller, and hide the project from the caller where it is shared with the caller's
    groups.

    Allows users to get rid of projects shared without their consent. A new share with the caller shows the project
    again.

    Raises:
        NotFound: the project is shared neither with the caller nor with a group of the caller.
    """
    user_id = call.access.user_id
    share = call.session.get(UserShare, (call.project.id, user_id))
    through_groups = repository.is_shared_with_groups_of_user(call.session, call.project, user_id)
    if share is None and not through_groups:
        raise NotFound(message("none.share", "The project is not shared with {name}", name=call.username))
    if share is not None:
        call.session.delete(share)
    if through_groups:
        call.session.add(LeftShare(project_id=call.project.id, user_id=user_id))
    _notify_shares_changed(call, call.username)


def unshare_with_group(call: ProjectCall, group_name: str) -> None:
    share = repository.find_group_share(call.session, call.project, group_name)
    if share is None:
        raise NotFound(message("none.groupShare", "The project is not shared with the group {name}", name=group_name))
    if not _can_revoke(call, share.created_by):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.shareProject", "You do not have the permission shareProject"),
        )
    call.session.delete(share)
    _notify_shares_changed(call, *repository.member_names_of_group(call.session, share.group_id))


def _require_may_change_owner(call: ProjectCall) -> None:
    """Raise unless the caller is the owner, administers the group, or has `writeProject:*` and `shareProject`."""
    rights = call.access.rights_on(call.project)
    if not (rights.owner or (call.access.can("writeProject:*") and call.access.can("shareProject"))):
        raise AccessDenied(
            "Authorization has been denied.", cause=message("denied.owner", "Only the owner can transfer a project")
        )


def change_owner(call: ProjectCall, username: str, *, dry_run: bool) -> UserGroupRef:
    """Make another user, who must be visible to the caller, the owner of the project.

    The project stays in its group if the new owner belongs to it. Otherwise it moves to the first group of the new
    owner that is visible to the caller, or to none.

    Args:
        dry_run: only return the new owner and group.

    Raises:
        InvalidInput: the account is disabled.
        Conflict: a limit of the group is reached.
    """
    _require_may_change_owner(call)
    user = _get_visible_user(call, username)
    if user.disabled:
        raise InvalidInput(
            message("wrong.disabled", "The account {name} is disabled", name=username), fix="Choose another owner"
        )
    groups = repository.groups_of_user(call.session, call.access, user.id, call.project)
    kept = next((group for group in groups if group.id == call.project.group_id), None)
    group = kept or (groups[0] if groups else None)
    if user.id != call.project.owner_id:
        group_limits.check_group_limits(call.session, group, call.project.created_by, moved=call.project)
    former = call.session.get(User, call.project.owner_id) if call.project.owner_id is not None else None
    if not dry_run:
        _set_owner(call.project, user, group)
        call.project.modified_at, call.project.modified_by = now_ms(), call.username
        _notify_shares_changed(call, username, *([former.username] if former else []))
    return UserGroupRef(username=username, group_name=group.name if group else "")


def _set_owner(project: Project, user: User, group: Group | None) -> None:
    project.owner_id = user.id
    project.group_id = group.id if group else None
    project.version += 1


def change_group(
    call: ProjectCall,
    group_name: str,
    *,
    delete_user_shares: bool,
    delete_group_shares: bool,
    share_with_new: bool,
    read_only: bool,
) -> UserGroupRef:
    """Move the project to another group visible to the caller.

    Args:
        delete_user_shares: remove all shares with users.
        delete_group_shares: remove all shares with groups.
        share_with_new: share the project with the new group.
        read_only: make that share read-only.

    Raises:
        NotFound: there is no such group visible to the caller.
        Conflict: a limit of the group is reached.
    """
    _require_may_change_owner(call)
    group = _get_visible_group(call, group_name)
    owner = call.session.get(User, call.project.owner_id) if call.project.owner_id is not None else None
    group_limits.check_group_limits(call.session, group, call.project.created_by, moved=call.project)
    call.project.group_id = group.id
    mark_modified(call.project, call.username)
    recipients = set(repository.member_names_of_group(call.session, group.id))
    if delete_user_shares:
        recipients.update(name for _, name in repository.list_user_shares(call.session, call.project))
        repository.delete_user_shares(call.session, call.project)
    if delete_group_shares:
        for share, _ in repository.list_group_shares(call.session, call.project):
            recipients.update(repository.member_names_of_group(call.session, share.group_id))
        repository.delete_group_shares(call.session, call.project)
    call.session.flush()
    if share_with_new:
        share_with_group(call, group.name, ShareMode(read=True, write=not read_only))
    _notify_shares_changed(call, *sorted(recipients))
    return UserGroupRef(username=owner.username if owner else "", group_name=group.name)
