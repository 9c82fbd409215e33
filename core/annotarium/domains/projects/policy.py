"""Who may do what with a project."""

from __future__ import annotations

from annotarium.access.call import Call, ProjectCall
from annotarium.access.rights import Access
from annotarium.db.models import Group, Project
from annotarium.domains.projects import repository
from annotarium.errors import AccessDenied, InvalidInput, NotFound
from annotarium_schemas.messages import message


def holds_project_permission(access: Access, project: Project, permission: str) -> bool:
    """Whether the caller has the owner's rights on the project, or may write it and has the permission."""
    rights = access.rights_on(project)
    return rights.owner or (rights.write and access.can(permission))


def require_project_permission(call: ProjectCall, permission: str) -> None:
    """Raise `AccessDenied` unless `holds_project_permission`."""
    if not holds_project_permission(call.access, call.project, permission):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.permission", "You do not have the permission {name}", name=permission),
        )


def administers_all_projects(access: Access) -> bool:
    """Whether the caller administers the projects of the whole platform."""
    return access.can("writeProject:*")


def group_for_new_project(call: Call, group_name: str | None) -> Group | None:
    """The group of a new project: the named one, else the only group of the user, else None (V-007).

    Raises:
        InvalidInput: the user belongs to several groups and did not name one.
        NotFound: the group does not exist, or the caller may not use it.
    """
    own = repository.groups_of(call.session, call.access.user_id)
    if group_name:
        group = repository.find_group(call.session, group_name)
        reached = group is not None and (
            group.id in call.access.group_ids
            or group.id in call.access.administered_group_ids
            or administers_all_projects(call.access)
        )
        if group is None or not reached:
            raise NotFound(
                message("none.group", "There is no group {name}", name=group_name), fix="Choose one of your groups"
            )
        return group
    if len(own) > 1:
        text = "You belong to several groups: say which one the project goes to"
        raise InvalidInput(text, details=[{"field": "groupName", "message": text}])
    return own[0] if own else None
