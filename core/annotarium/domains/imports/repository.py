"""All SQL of uploads, whole and in pieces. An upload is found by its uploader only."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlalchemy.orm import Session

from annotarium.access.rights import Access
from annotarium.db.models import PartialUpload, Upload


def _own_uploads_clause(access: Access, table: type[Upload] | type[PartialUpload]) -> ColumnElement[bool]:
    """True for files of the caller; a restricted token or key has those that came with the same restriction."""
    own = table.user_id == access.user_id
    return own if access.restriction is None else own & (table.restriction == access.restriction_text)


def find_uploads(session: Session, access: Access, ids: Sequence[str], timestamp: int) -> dict[str, Upload]:
    """Uploads of the caller by id that have not run out."""
    query = select(Upload).where(
        Upload.id.in_(ids),
        _own_uploads_clause(access, Upload),
        or_(Upload.expires_at.is_(None), Upload.expires_at > timestamp),
    )
    return {upload.id: upload for upload in session.scalars(query)}


def set_expiry(session: Session, ids: Sequence[str], timestamp: int | None) -> None:
    """Move the end of life of uploads; None = kept for good."""
    session.execute(update(Upload).where(Upload.id.in_(ids)).values(expires_at=timestamp))


def expired_upload_ids(session: Session, timestamp: int, limit: int) -> Sequence[str]:
    """Ids of uploads that have run out."""
    return session.scalars(select(Upload.id).where(Upload.expires_at <= timestamp).limit(limit)).all()


def delete_uploads(session: Session, ids: Sequence[str]) -> None:
    """Forget uploads."""
    session.execute(delete(Upload).where(Upload.id.in_(ids)))


def find_partial(session: Session, access: Access, upload_id: str, timestamp: int) -> PartialUpload | None:
    """An upload in pieces of the caller that has not run out."""
    query = select(PartialUpload).where(
        PartialUpload.id == upload_id, _own_uploads_clause(access, PartialUpload), PartialUpload.expires_at > timestamp
    )
    return session.scalar(query)


def find_resumable(
    session: Session, access: Access, filename: str, size: int, mark: str, timestamp: int
) -> PartialUpload | None:
    """The newest upload in pieces of the caller that was announced like this."""
    query = select(PartialUpload).where(
        _own_uploads_clause(access, PartialUpload),
        PartialUpload.filename == filename,
        PartialUpload.size == size,
        PartialUpload.mark == mark,
        PartialUpload.expires_at > timestamp,
    )
    return session.scalars(query.order_by(PartialUpload.created_at.desc()).limit(1)).one_or_none()


def count_partial(session: Session, user_id: int) -> int:
    """Uploads in pieces that a user has begun."""
    query = select(func.count()).select_from(PartialUpload).where(PartialUpload.user_id == user_id)
    return session.scalar(query) or 0


def expired_partial_upload_ids(session: Session, timestamp: int, limit: int) -> Sequence[str]:
    """Ids of uploads in pieces that have run out."""
    return session.scalars(select(PartialUpload.id).where(PartialUpload.expires_at <= timestamp).limit(limit)).all()


def delete_partial(session: Session, ids: Sequence[str]) -> None:
    """Forget uploads in pieces."""
    session.execute(delete(PartialUpload).where(PartialUpload.id.in_(ids)))
