"""Uploaded files that wait for a job. The name on disk is the id; the user's file name is only metadata."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, LongText, Name, Reference, Timestamp


class Upload(Base):
    """A received file; it belongs to its uploader."""

    __tablename__ = "uploads"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    filename: Mapped[LongText]
    content_type: Mapped[Name | None] = mapped_column(default=None)
    size: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    sha256: Mapped[str] = mapped_column(String(64), default="")
    image: Mapped[bool] = mapped_column(default=False)
    restriction: Mapped[LongText] = mapped_column(default="", server_default="")
    """Restriction of its token or key (`access.restriction`): restricted calls see only uploads with the same one."""
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    expires_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)


class PartialUpload(Base):
    """A file uploaded in chunks. The number of received bytes is the length of the file on disk and is not stored here,
    so the two cannot disagree after a crash.
    """

    __tablename__ = "partial_uploads"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    filename: Mapped[LongText]
    content_type: Mapped[Name | None] = mapped_column(default=None)
    size: Mapped[Timestamp] = mapped_column(BigInteger)
    """Announced size of the whole file in bytes."""
    mark: Mapped[str] = mapped_column(String(255), default="", server_default="")
    """The sender's own identification of the file, to resume an upload whose id was lost; empty = none."""
    restriction: Mapped[LongText] = mapped_column(default="", server_default="")
    """Restriction of its token or key (`access.restriction`): restricted calls see only uploads with the same one."""
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    expires_at: Mapped[Timestamp] = mapped_column(BigInteger)
