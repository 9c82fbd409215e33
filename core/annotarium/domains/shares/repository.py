"""SQL of shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from annotarium.access.repository import visible_groups_clause, visible_users_clause
from annotarium.access.rights import Access
from annotarium.db.models import Group, GroupShare, LeftShare, Membership, Project, User, UserShare


def list_user_shares(session: Session, project: Project) -> Sequence[tuple[UserShare, str]]:
    """Shares with users and their names, ordered by name."""
    query = select(UserShare, User.username).join(User, User.id == UserShare.user_id)
    query = query.where(UserShare.project_id == project.id).order_by(User.username)
    return [(row[0], row[1]) for row in session.execute(query)]


def list_group_shares(session: Session, project: Project) -> Sequence[tuple[GroupShare, str]]:
    """Shares with groups and their names, ordered by name."""
    query = select(GroupShare, Group.name).join(Group, Group.id == GroupShare.group_id)
    query = query.where(GroupShare.project_id == project.id).order_by(Group.name)
    return [(row[0], row[1]) for row in session.execute(query)]


def find_user_share(session: Session, project: Project, username: str) -> UserShare | None:
    """The share with the user of that name."""
    query = select(UserShare).join(User, User.id == UserShare.user_id)
    return session.scalar(query.where(UserShare.project_id == project.id, User.username == username))


def find_group_share(session: Session, project: Project, name: str) -> GroupShare | None:
    """The share with the group of that name."""
    query = select(GroupShare).join(Group, Group.id == GroupShare.group_id)
    return session.scalar(query.where(GroupShare.project_id == project.id, Group.name == name))


def groups_of_user(session: Session, access: Access, user_id: int, project: Project) -> Sequence[Group]:
    """Groups of a user, by name: those visible to the caller, and the project's group if the user is in it."""
    query = select(Group).join(Membership, Membership.group_id == Group.id).where(Membership.user_id == user_id)
    known = or_(visible_groups_clause(access), Group.id == project.group_id)
    return session.scalars(query.where(known).order_by(Group.name)).all()


def member_names_of_group(session: Session, group_id: int) -> Sequence[str]:
    """User names of a group's members."""
    query = select(User.username).join(Membership, Membership.user_id == User.id)
    return session.scalars(query.where(Membership.group_id == group_id)).all()


def is_shared_with_groups_of_user(session: Session, project: Project, user_id: int) -> bool:
    """Whether the project is shared with a group of the user, and the user has not left it."""
    query = select(GroupShare.project_id).join(Membership, Membership.group_id == GroupShare.group_id)
    query = query.where(GroupShare.project_id == project.id, Membership.user_id == user_id).limit(1)
    return session.scalar(query) is not None and session.get(LeftShare, (project.id, user_id)) is None


def delete_user_shares(session: Session, project: Project) -> None:
    session.execute(delete(UserShare).where(UserShare.project_id == project.id))


def delete_group_shares(session: Session, project: Project) -> None:
    session.execute(delete(GroupShare).where(GroupShare.project_id == project.id))


def find_project(session: Session, name: str) -> Project | None:
    return session.scalar(select(Project).where(Project.name == name, Project.deleted_at.is_(None)))


def live_project_names(session: Session) -> Sequence[str]:
    """Names of all live projects, ordered."""
    return session.scalars(select(Project.name).where(Project.deleted_at.is_(None)).order_by(Project.name)).all()


def group_name(session: Session, group_id: int | None) -> str:
    """The name of a group, empty if there is none."""
    group = session.get(Group, group_id) if group_id is not None else None
    return group.name if group else ""


def list_visible_accounts(session: Session, access: Access) -> list[tuple[User, dict[str, Any]]]:
    """Enabled accounts visible to the caller, ordered by name, each with the values that migration filters compare."""
    groups: dict[int, list[str]] = {}
    query = select(Membership.user_id, Group.name).join(Group, Group.id == Membership.group_id)
    for user_id, name in session.execute(query):
        groups.setdefault(user_id, []).append(name)
    enabled = select(User).where(User.disabled.is_(False), visible_users_clause(access))
    users = session.scalars(enabled.order_by(User.username))
    return [
        (
            user,
            {
                "username": user.username,
                "email": user.email,
                "profilename": user.profilename,
                "groups": groups.get(user.id, []),
            },
        )
        for user in users
    ]


def save_user_share(session: Session, project: Project, user: User, *, write: bool, actor: str) -> None:
    """Share a project with a user, or change the mode of an existing share."""
    share = session.get(UserShare, (project.id, user.id))
    if share is None:
        share = UserShare(project_id=project.id, user_id=user.id, created_by=actor)
        session.add(share)
    share.write = write
    session.flush()
