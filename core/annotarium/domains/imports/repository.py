"""SQL of uploads, complete and chunked. Only its uploader finds an upload."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlalchemy.orm import Session

from annotarium.access.rights import Access
from annotarium.db.models import PartialUpload, Upload


def _own_uploads_clause(access: Access, table: type[Upload] | type[PartialUpload]) -> ColumnElement[bool]:
    """True for uploads of the caller; a restricted token or key sees only those made with the same restriction."""
    own = table.user_id == access.user_id
    return own if access.restriction is None else own & (table.restriction == access.restriction_text)


def find_uploads(session: Session, access: Access, ids: Sequence[str], timestamp: int) -> dict[str, Upload]:
    """The caller's uploads that have not expired, by id. `timestamp`: now, in milliseconds since 1970."""
    query = select(Upload).where(
        Upload.id.in_(ids),
        _own_uploads_clause(access, Upload),
        or_(Upload.expires_at.is_(None), Upload.expires_at > timestamp),
    )
    return {upload.id: upload for upload in session.scalars(query)}


def set_expiry(session: Session, ids: Sequence[str], timestamp: int | None) -> None:
    """Set the expiry of uploads (milliseconds since 1970); None = never."""
    session.execute(update(Upload).where(Upload.id.in_(ids)).values(expires_at=timestamp))


def expired_upload_ids(session: Session, timestamp: int, limit: int) -> Sequence[str]:
    """Ids of expired uploads."""
    return session.scalars(select(Upload.id).where(Upload.expires_at <= timestamp).limit(limit)).all()


def delete_uploads(session: Session, ids: Sequence[str]) -> None:
    """Delete the rows of uploads; files are left to the caller."""
    session.execute(delete(Upload).where(Upload.id.in_(ids)))


def find_partial(session: Session, access: Access, upload_id: str, timestamp: int) -> PartialUpload | None:
    """A chunked upload of the caller that has not expired, or None."""
    query = select(PartialUpload).where(
        PartialUpload.id == upload_id, _own_uploads_clause(access, PartialUpload), PartialUpload.expires_at > timestamp
    )
    return session.scalar(query)


def find_resumable(
    session: Session, access: Access, filename: str, size: int, mark: str, timestamp: int
) -> PartialUpload | None:
    """The caller's newest chunked upload that was announced with these values, or None."""
    query = select(PartialUpload).where(
        _own_uploads_clause(access, PartialUpload),
        PartialUpload.filename == filename,
        PartialUpload.size == size,
        PartialUpload.mark == mark,
        PartialUpload.expires_at > timestamp,
    )
    return session.scalars(query.order_by(PartialUpload.created_at.desc()).limit(1)).one_or_none()


def count_partial(session: Session, user_id: int) -> int:
    """Number of incomplete chunked uploads of a user."""
    query = select(func.count()).select_from(PartialUpload).where(PartialUpload.user_id == user_id)
    return session.scalar(query) or 0


def expired_partial_upload_ids(session: Session, timestamp: int, limit: int) -> Sequence[str]:
    """Ids of expired chunked uploads."""
    return session.scalars(select(PartialUpload.id).where(PartialUpload.expires_at <= timestamp).limit(limit)).all()


def delete_partial(session: Session, ids: Sequence[str]) -> None:
    """Delete the rows of chunked uploads; files are left to the caller."""
    session.execute(delete(PartialUpload).where(PartialUpload.id.in_(ids)))
