"""SQL of invitations."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from annotarium.db.models import Invitation, InvitationUse, Project, User


def list_open(session: Session, project: Project, timestamp: int) -> Sequence[Invitation]:
    """Invitations that are not revoked, expired or used up at that time (ms since the Unix epoch), newest first."""
    query = select(Invitation).where(
        Invitation.project_id == project.id,
        Invitation.revoked_at.is_(None),
        Invitation.expires_at > timestamp,
        or_(Invitation.uses_left.is_(None), Invitation.uses_left > 0),
    )
    return session.scalars(query.order_by(Invitation.created_at.desc(), Invitation.id.desc())).all()


def lock_project(session: Session, project: Project) -> None:
    """Lock the row of the project, so that concurrent calls do not exceed a maximum."""
    session.execute(select(Project.id).where(Project.id == project.id).with_for_update())


def count_since(session: Session, project: Project, timestamp: int) -> int:
    """Number of invitations of the project that expire after that time, revoked and used up ones included."""
    query = select(func.count()).select_from(Invitation)
    return session.scalar(query.where(Invitation.project_id == project.id, Invitation.expires_at > timestamp)) or 0


def find_in_project(session: Session, project: Project, invitation_id: int) -> Invitation | None:
    return session.scalar(select(Invitation).where(Invitation.id == invitation_id, Invitation.project_id == project.id))


def find_by_digest(session: Session, digest: str, *, lock: bool) -> Invitation | None:
    """The invitation whose token has that hash. With `lock`, concurrent calls wait for the end of the transaction."""
    query = select(Invitation).where(Invitation.token_sha256 == digest)
    if lock:
        query = query.with_for_update()
    return session.scalar(query)


def find_live_project(session: Session, project_id: int) -> Project | None:
    """The project, None if it was deleted."""
    return session.scalar(select(Project).where(Project.id == project_id, Project.deleted_at.is_(None)))


def display_name(session: Session, user_id: int) -> str:
    """The name that others see of a user, empty for an unknown one."""
    user = session.get(User, user_id)
    return (user.profilename or user.username) if user is not None else ""


def is_used_by(session: Session, invitation: Invitation, user_id: int) -> bool:
    """Whether the user has accepted the invitation before."""
    return session.get(InvitationUse, (invitation.id, user_id)) is not None


def delete_expired(session: Session, project: Project, timestamp: int) -> None:
    """Delete the invitations of the project that expired before that time (ms since the Unix epoch)."""
    session.execute(delete(Invitation).where(Invitation.project_id == project.id, Invitation.expires_at <= timestamp))


def delete_invitation(session: Session, invitation_id: int) -> None:
    session.execute(delete(Invitation).where(Invitation.id == invitation_id))
