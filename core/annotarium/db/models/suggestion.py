"""Suggestions: proposals on one segment that wait for an answer."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, Identifier, JsonList, Name, Reference, Timestamp


class Suggestion(Base):
    """Proposals on the segment [start, end) of a document.

    `annotations` and `categories` contain `{labelName, start, end, text, score}` with offsets in the document.
    `confidence` and `priority` are 0..1 (see the SDK's suggester).
    """

    __tablename__ = "suggestions"
    __table_args__ = (
        Index("ix_suggestions_project_id_priority", "project_id", "priority"),
        Index("ix_suggestions_document_id", "document_id"),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    start: Mapped[int]
    end: Mapped[int]
    annotations: Mapped[JsonList] = mapped_column(default=list)
    categories: Mapped[JsonList] = mapped_column(default=list)
    confidence: Mapped[float] = mapped_column(default=0.0)
    priority: Mapped[float] = mapped_column(default=0.0)
    suggester: Mapped[Name] = mapped_column(default="")
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
