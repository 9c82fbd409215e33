"""SQL of signing in."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Role, SignInSession, User


def any_user(session: Session) -> bool:
    """Whether there is an account at all."""
    return session.scalar(select(User.id).limit(1)) is not None


def find_user(session: Session, username: str) -> User | None:
    """An account by name."""
    return session.scalar(select(User).where(User.username == username))


def role_ids(session: Session, rolenames: list[str]) -> list[int]:
    """Ids of roles by technical name."""
    return list(session.scalars(select(Role.id).where(Role.rolename.in_(rolenames))))


def find_sign_in(session: Session, sign_in_id: int) -> SignInSession | None:
    """One sign-in."""
    return session.get(SignInSession, sign_in_id)
