"""Limits on the number of projects of a group, counted by who created them in the group."""

from __future__ import annotations

from sqlalchemy.orm import Session

from annotarium.content import repository
from annotarium.db.models import Group, Project
from annotarium.errors import Conflict
from annotarium_schemas.messages import message


def check_group_limits(session: Session, group: Group | None, maker: str, *, moved: Project | None = None) -> None:
    """Raise `Conflict` when one more project would exceed a limit of the group.

    The limit per user counts the projects that the user created in the group, whoever owns them now.

    Args:
        maker: name of the user who created the project.
        moved: a project that is moved to the group; one that is already in the group does not count again.
    """
    if group is None or (moved is not None and moved.group_id == group.id):
        return
    if 0 <= group.max_projects <= repository.count_projects(session, group.id):
        raise Conflict(
            message(
                "limit.groupProjects",
                "The group {group} already has its maximum of {number:,} projects",
                group=group.label,
                number=group.max_projects,
            ),
            fix="Delete a project of the group, or ask an administrator to raise its limit",
        )
    if maker and 0 <= group.max_projects_per_user <= repository.count_projects(session, group.id, maker):
        raise Conflict(
            message(
                "limit.userProjects",
                "{user} already has {number:,} projects in the group {group}",
                user=maker,
                number=group.max_projects_per_user,
                group=group.label,
            ),
            fix="Delete one of these projects, or ask an administrator to raise the limit",
        )
