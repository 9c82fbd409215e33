"""SQL of the sign-in domain."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from annotarium.access.rights import Access
from annotarium.db.identifiers import now_ms
from annotarium.db.models import IdempotencyKey, Project, Role, SignInSession, User
from annotarium.errors import NotAuthenticated


def any_user(session: Session) -> bool:
    return session.scalar(select(User.id).limit(1)) is not None


def find_user(session: Session, username: str) -> User | None:
    return session.scalar(select(User).where(User.username == username))


def role_ids(session: Session, rolenames: list[str]) -> list[int]:
    """Ids of roles by technical name; unknown names are ignored."""
    return list(session.scalars(select(Role.id).where(Role.rolename.in_(rolenames))))


def get_user(session: Session, user_id: int) -> User:
    """The account of an authenticated caller; `NotAuthenticated` if it has been deleted since."""
    user = session.get(User, user_id)
    if user is None:
        raise NotAuthenticated("You are not or no longer authenticated.")
    return user


def find_sign_in(session: Session, sign_in_id: int) -> SignInSession | None:
    return session.get(SignInSession, sign_in_id)


def extend_sign_in(session: Session, sign_in_id: int, expires_at: int) -> None:
    """Set the expiry of a sign-in (milliseconds since 1970)."""
    session.execute(update(SignInSession).where(SignInSession.id == sign_in_id).values(expires_at=expires_at))


def end_sign_in(session: Session, sign_in_id: int) -> None:
    """End a sign-in; its tokens are rejected from the next request on."""
    session.execute(update(SignInSession).where(SignInSession.id == sign_in_id).values(ended_at=now_ms()))


def delete_old_sign_ins(session: Session, before: int) -> None:
    """Delete sign-ins that ended or expired before this timestamp (milliseconds since 1970)."""
    ended = SignInSession.ended_at.is_not(None) & (SignInSession.ended_at < before)
    session.execute(delete(SignInSession).where(ended | (SignInSession.expires_at < before)))


def delete_old_idempotency_keys(session: Session, before: int) -> None:
    """Delete stored responses of idempotent requests created before this timestamp (milliseconds since 1970)."""
    session.execute(delete(IdempotencyKey).where(IdempotencyKey.created_at < before))


def accessible_projects(session: Session, access: Access) -> Sequence[Project]:
    """Projects that are not deleted and that the caller owns, administers or has a share on."""
    reached = or_(
        Project.owner_id == access.user_id,
        Project.id.in_(access.shared_read | access.shared_write),
        Project.group_id.in_(access.administered_group_ids),
    )
    return session.scalars(select(Project).where(Project.deleted_at.is_(None), reached)).all()
