"""Uploaded files, waiting for a job. The name on disk is the id; the user's name is only metadata."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, LongText, Name, Reference, Timestamp


class Upload(Base):
    """One received file, bound to its uploader."""

    __tablename__ = "uploads"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    filename: Mapped[LongText]
    content_type: Mapped[Name | None] = mapped_column(default=None)
    size: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    sha256: Mapped[str] = mapped_column(String(64), default="")
    image: Mapped[bool] = mapped_column(default=False)
    restriction: Mapped[LongText] = mapped_column(default="", server_default="")
    """Of the token or key it was sent or made with (`access.restriction`): others with one do not see it."""
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    expires_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)


class PartialUpload(Base):
    """A file that arrives in pieces. How much of it is there is the length of the file on disk, never a number here:
    the two cannot disagree after a crash."""

    __tablename__ = "partial_uploads"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    filename: Mapped[LongText]
    content_type: Mapped[Name | None] = mapped_column(default=None)
    size: Mapped[Timestamp] = mapped_column(BigInteger)
    """Bytes of the whole file, as announced."""
    mark: Mapped[str] = mapped_column(String(255), default="", server_default="")
    """What the sender tells the file by, to go on with it after it lost the id; empty = it keeps the id."""
    restriction: Mapped[LongText] = mapped_column(default="", server_default="")
    """Of the token or key it was sent or made with (`access.restriction`): others with one do not see it."""
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    expires_at: Mapped[Timestamp] = mapped_column(BigInteger)
