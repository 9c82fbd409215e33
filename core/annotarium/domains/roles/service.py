"""Rules of roles: predefined ones cannot be changed; users grant by roles only permissions that they hold."""

from __future__ import annotations

from annotarium.access import audit, rights_revision
from annotarium.access.account_powers_loading import caller_powers
from annotarium.access.call import Call
from annotarium.access.granting import (
    require_may_delete_role,
    require_may_grant_permissions,
    require_platform_administrator,
)
from annotarium.access.permissions import catalogue
from annotarium.content.free_names import first_free_name, name_taken
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import Group, Role
from annotarium.db.row_marks import mark_modified
from annotarium.db.timestamps import iso
from annotarium.domains.roles import repository
from annotarium.domains.roles.schemas import RoleCreate, RolePatch, RoleRead
from annotarium.errors import AccessDenied, Conflict, NotFound
from annotarium.registry import get_registry
from annotarium_plugins.kinds import KINDS
from annotarium_schemas.messages import message


def to_role_read(role: Role, group_name: str | None) -> RoleRead:
    return RoleRead(
        rolename=role.rolename,
        label=role.label,
        description=role.description,
        type=role.type,
        group_name=group_name,
        permissions=sorted(role.permissions),
        predefined=role.predefined,
        restricted=role.restricted,
        created_at=iso(role.created_at),
        created_by=role.created_by or None,
        modified_at=iso(role.modified_at),
        modified_by=role.modified_by or None,
    )


def list_permissions() -> list[str]:
    """The catalogue of permissions, including those for the installed components."""
    registry = get_registry()
    return catalogue(registry.permission(kind.name, name) for kind in KINDS for name in registry.names(kind.name))


def list_roles(call: Call) -> list[RoleRead]:
    """Roles visible to the caller."""
    rows = repository.list_roles(call.session, call.access)
    return convert_readable_rows(rows, lambda row: to_role_read(*row), row_of=lambda row: row[0])


def read_role(call: Call, rolename: str) -> RoleRead:
    return to_role_read(*_get_visible_role(call, rolename))


def _get_visible_role(call: Call, rolename: str) -> tuple[Role, str | None]:
    found = repository.find_role(call.session, call.access, rolename)
    if found is None:
        raise NotFound(message("none.role", "There is no role {name}", name=rolename))
    return found


def _require_may_write_role(call: Call, group_name: str | None) -> None:
    """Roles of a group are changed by users who may write the group, all others by platform user administrators."""
    access = call.access
    allowed = access.can(f"writeGroup:{group_name}") if group_name else access.is_platform_user_administrator
    if not allowed:
        wanted = f"writeGroup:{group_name}" if group_name else "createUserIn:*"
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.permission", "You do not have the permission {name}", name=wanted),
        )


def create_role(call: Call, body: RoleCreate, group_name: str | None, *, restricted: bool) -> RoleRead:
    """Create a role; if a group is given, it belongs to that group.

    Raises:
        AccessDenied: the caller lacks a permission of the role, or may not write roles of the group, or is not a
            platform
            user administrator and the role is restricted or of type `system`.
        NotFound: there is no such group.
        Conflict: the technical name is taken.
    """
    group_name = group_name or body.group_name or None
    _require_may_write_role(call, group_name)
    if (restricted or body.type == "system") and not call.access.is_platform_user_administrator:
        raise AccessDenied("Only platform user administrators make system and restricted roles.")
    group: Group | None = None
    if group_name:
        group = repository.find_group(call.session, group_name)
        if group is None:
            raise NotFound(message("none.group", "There is no group {name}", name=group_name))
    require_may_grant_permissions(call.access, body.permissions)
    role = Role(
        rolename=_free_role_name(call, body),
        label=body.label,
        description=body.description,
        type=body.type,
        group_id=group.id if group else None,
        permissions=sorted(set(body.permissions)),
        restricted=restricted,
        created_by=call.username,
        modified_by=call.username,
    )
    call.session.add(role)
    call.session.flush()
    audit.add_entry(call.session, call.username, "role.create", role.rolename, permissions=role.permissions)
    rights_revision.note_rights_change(call.session)
    return to_role_read(role, group_name)


def _free_role_name(call: Call, body: RoleCreate) -> str:
    from slugify import slugify  # imported late: takes 4 MB

    if body.rolename is not None:
        if repository.name_is_taken(call.session, body.rolename):
            raise name_taken(f"There is already a role {body.rolename}", "rolename")
        return body.rolename
    words = slugify(body.label, separator=" ", lowercase=False, max_length=90).split()
    stem = "".join(word[0].upper() + word[1:] for word in words) or "Role"
    return first_free_name(stem, lambda name: repository.name_is_taken(call.session, name), separator="")


def _get_changeable_role(call: Call, rolename: str) -> tuple[Role, str | None]:
    role, group_name = _get_visible_role(call, rolename)
    _require_may_write_role(call, group_name)
    if role.predefined:
        raise Conflict(
            message(
                "wrong.ownRole",
                "The role {name} is predefined and cannot be changed or deleted",
                name=role.label,
            ),
            fix="Create a role of your own with the permissions you need",
        )
    return role, group_name


def update_role(call: Call, rolename: str, body: RolePatch) -> None:
    """Change label, description or permissions of a role that is not predefined.

    Raises:
        AccessDenied: the caller lacks a permission that is added or removed, or may not write the role.
        Conflict: the role is predefined.
    """
    role, _ = _get_changeable_role(call, rolename)
    given = body.model_fields_set
    if "permissions" in given:
        require_may_grant_permissions(call.access, sorted(set(body.permissions) ^ set(role.permissions)))
        role.permissions = sorted(set(body.permissions))
    if "label" in given:
        role.label = body.label
    if "description" in given:
        role.description = body.description
    mark_modified(role, call.username)
    require_platform_administrator(call.session)
    audit.add_entry(call.session, call.username, "role.update", rolename, permissions=role.permissions)
    rights_revision.note_rights_change(call.session)


def delete_role(call: Call, rolename: str) -> None:
    """Delete a role that is not predefined. Its holders lose it immediately; groups no longer attach it.

    Raises:
        AccessDenied: the role grants a right that the caller does not hold, and so could not have granted.
        Conflict: the role is predefined.
    """
    role, group_name = _get_changeable_role(call, rolename)
    require_may_delete_role(caller_powers(call), role, group_name)
    repository.detach_role_from_groups(call.session, rolename)
    call.session.delete(role)
    require_platform_administrator(call.session)
    audit.add_entry(call.session, call.username, "role.delete", rolename)
    rights_revision.note_rights_change(call.session)
