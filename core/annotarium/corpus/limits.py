"""How many projects a group allows."""

from __future__ import annotations

from sqlalchemy.orm import Session

from annotarium.corpus import repository
from annotarium.db.models import Group, Project, User
from annotarium.errors import Conflict
from annotarium_schemas.said import say


def check_group_limits(
    session: Session, group: Group | None, owner: User | None, *, moved: Project | None = None
) -> None:
    """Raise `Conflict` when one more project of this owner would exceed a limit of the group.

    Args:
        moved: a project that comes to the group or the owner; it does not count twice.
    """
    if group is None:
        return
    outside = moved is None or moved.group_id != group.id
    if outside and 0 <= group.max_projects <= repository.count_projects(session, group.id):
        raise Conflict(
            say(
                "limit.groupProjects",
                "The group {group} already has its {number} projects",
                group=group.label,
                number=group.max_projects,
            ),
            fix="Delete a project of the group, or ask an administrator to raise its limit",
        )
    if owner is None or group.max_projects_per_user < 0:
        return
    if group.max_projects_per_user <= repository.count_projects(session, group.id, owner.id):
        raise Conflict(
            say(
                "limit.userProjects",
                "{user} already has {number} projects in the group {group}",
                user=owner.username,
                number=group.max_projects_per_user,
                group=group.label,
            ),
            fix="Delete one of these projects, or ask an administrator to raise the limit",
        )
