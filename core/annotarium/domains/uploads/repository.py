"""All SQL of uploads. An upload is found by its uploader only."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from annotarium.db.models import Upload


def find_uploads(session: Session, user_id: int, ids: Sequence[str], moment: int) -> dict[str, Upload]:
    """Uploads of a user by id that have not run out."""
    query = select(Upload).where(
        Upload.id.in_(ids), Upload.user_id == user_id, or_(Upload.expires_at.is_(None), Upload.expires_at > moment)
    )
    return {upload.id: upload for upload in session.scalars(query)}


def set_expiry(session: Session, ids: Sequence[str], moment: int | None) -> None:
    """Move the end of life of uploads; None = kept for good."""
    session.execute(update(Upload).where(Upload.id.in_(ids)).values(expires_at=moment))


def expired(session: Session, moment: int, limit: int) -> Sequence[str]:
    """Ids of uploads that have run out."""
    return session.scalars(select(Upload.id).where(Upload.expires_at <= moment).limit(limit)).all()


def delete_rows(session: Session, ids: Sequence[str]) -> None:
    """Forget uploads."""
    session.execute(delete(Upload).where(Upload.id.in_(ids)))
