"""Rules of groups."""

from __future__ import annotations

from typing import Any

from annotarium.access import audit, revision
from annotarium.access.call import Call
from annotarium.access.giving import require_may_give_roles, require_platform_administrator
from annotarium.corpus.removing import remove_project
from annotarium.db.damage import readable
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Group
from annotarium.db.times import iso
from annotarium.domains.groups import repository
from annotarium.domains.groups.schemas import GroupCreate, GroupDeleted, GroupPatch, GroupRead
from annotarium.errors import AccessDenied, Conflict, InvalidInput, NotFound
from annotarium_schemas.said import say

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
"""What a group's own administrator may not change: limits and what ties the group to the platform."""


def group_bean(group: Group) -> GroupRead:
    """A group as it travels."""
    values = {name: getattr(group, name) for name in GroupRead.model_fields if hasattr(group, name)}
    values |= {"created_at": iso(group.created_at), "modified_at": iso(group.modified_at)}
    return GroupRead.model_validate(values)


def list_groups(call: Call, *, mapped: bool) -> list[GroupRead]:
    """Groups within reach."""
    return readable(repository.list_groups(call.session, call.access, mapped=mapped), group_bean)


def get_group(call: Call, name: str) -> Group:
    """The group, if the caller may know of it (else `NotFound`)."""
    group = repository.find_group(call.session, call.access, name)
    if group is None:
        raise NotFound(say("none.group", "There is no group {name}", name=name))
    return group


def _get_writable(call: Call, name: str) -> Group:
    group = get_group(call, name)
    if not call.access.can(f"writeGroup:{group.name}"):
        raise AccessDenied("Authorization has been denied.", cause=f"The permission writeGroup:{name} is missing")
    return group


def create_group(call: Call, body: GroupCreate) -> Group:
    """Make a group. Its name never changes; it is made from the label unless given."""
    _check_label(call, body.label)
    _check_roles(call, [], [*body.attached_roles, *body.system_attached_roles])
    group = Group(name=_free_name(call, body), created_by=call.username, modified_by=call.username)
    for field, value in body.model_dump(exclude={"name"}, by_alias=False).items():
        setattr(group, field, value)
    call.session.add(group)
    audit.record(call.session, call.username, "group.create", group.name)
    revision.bump(call.session)
    return group


def _free_name(call: Call, body: GroupCreate) -> str:
    from slugify import slugify  # 4 MB that wait for the first name made of words

    if body.name is not None:
        if repository.name_is_taken(call.session, body.name):
            message = f"There is already a group {body.name}"
            raise Conflict(
                message,
                fix=say("fix.otherName", "Choose another name"),
                details=[{"field": "name", "message": message}],
            )
        return body.name
    stem = slugify(body.label, separator="_", max_length=90) or "group"
    name, number = stem, 1
    while repository.name_is_taken(call.session, name):
        number += 1
        name = f"{stem}_{number}"
    return name


def update_group(call: Call, name: str, body: GroupPatch) -> None:
    """Change a group; its limits and ties need `writeGroup:*`."""
    group = _get_writable(call, name)
    given = body.model_fields_set
    locked = sorted(given & _PLATFORM_FIELDS)
    if locked and not call.access.can("writeGroup:*"):
        raise AccessDenied(f"You may not change {', '.join(locked)} of a group.", cause="It needs writeGroup:*")
    if "label" in given:
        _check_label(call, body.label, group.id)
    for field in sorted(given & {"attached_roles", "system_attached_roles"}):
        _check_roles(call, getattr(group, field), getattr(body, field))
    for field in given:
        setattr(group, field, getattr(body, field))
    group.modified_at, group.modified_by = now_ms(), call.username
    group.version += 1
    require_platform_administrator(call.session)
    audit.record(call.session, call.username, "group.update", group.name, fields=sorted(given))
    revision.bump(call.session)


def _check_label(call: Call, label: str, except_id: int = 0) -> None:
    if repository.label_is_taken(call.session, label, except_id):
        message = f"There is already a group called {label}"
        raise Conflict(
            message, fix=say("fix.otherName", "Choose another name"), details=[{"field": "label", "message": message}]
        )


def _check_roles(call: Call, before: list[Any], after: list[str]) -> None:
    """Roles attached to a group are given to its new users: who attaches one must be able to give it."""
    wanted = set(after)
    roles = repository.find_roles(call.session, wanted | set(before))
    missing = wanted - {role.rolename for role in roles}
    if missing:
        message = say("none.role", "There is no role {name}", name=min(missing))
        raise InvalidInput(message, details=[{"field": "attachedRoles", "message": message}])
    changed = wanted ^ set(before)
    require_may_give_roles(call.access, [role for role in roles if role.rolename in changed])


def delete_group(call: Call, name: str, *, cascade: bool) -> GroupDeleted:
    """Remove a group.

    Without `cascade` its projects stay with their owners and its users stay. With `cascade` its projects are marked
    deleted and the users who are in no other group are removed, except the caller.
    """
    group = _get_writable(call, name)
    result = GroupDeleted()
    if cascade:
        projects = repository.live_projects(call.session, group)
        for project in projects:
            remove_project(call.unit, project, call.username)
        call.session.flush()
        users = [user for user in repository.sole_members(call.session, group) if user.id != call.access.user_id]
        if users and not call.access.is_platform_user_administrator:
            raise AccessDenied("You may not remove the users of the group.", cause="It needs createUserIn:*")
        for user in users:
            audit.record(call.session, call.username, "user.delete", user.username, group=group.name)
            call.session.delete(user)
        result = GroupDeleted(removed_projects=len(projects), removed_users=len(users))
    call.session.flush()
    call.session.delete(group)
    require_platform_administrator(call.session)
    audit.record(
        call.session, call.username, "group.delete", name, projects=result.removed_projects, users=result.removed_users
    )
    revision.bump(call.session)
    return result
