"""Segments: ranges of a document. Their text is a slice of the document's, stored once."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Json, Reference


class Segment(Base):
    """The range [start, end) of a document; `ordinal` is its number in the document, counted from 0."""

    __tablename__ = "segments"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012  (SQLAlchemy reads it from the class)

    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    start: Mapped[int] = mapped_column(primary_key=True)
    end: Mapped[int]
    ordinal: Mapped[int]
    project_id: Mapped[Reference]
    metadata_: Mapped[dict[str, Any] | None] = mapped_column("metadata", Json, default=None)
