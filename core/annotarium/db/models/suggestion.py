"""Suggestions: proposals on one segment that wait for an answer."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, false
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, Identifier, JsonList, Name, Reference, Timestamp


class Suggestion(Base):
    """Proposals on the segment [start, end) of a document.

    `annotations` and `categories` contain `{labelName, start, end, text, score}` with offsets in the document.
    `confidence` and `priority` are 0..1 (see the SDK's suggester). `open` says whether a proposal is unanswered, and
    `confidence_band` is the tenth that the confidence lies in; both are derived (`content.suggestions.unanswered`).
    """

    __tablename__ = "suggestions"
    __table_args__ = (
        # The orders of the list, and one that covers its counts.
        Index("ix_suggestions_open_priority", "project_id", "open", "priority"),
        Index("ix_suggestions_open_confidence", "project_id", "open", "confidence"),
        Index("ix_suggestions_open_created_at", "project_id", "open", "created_at"),
        Index("ix_suggestions_open_counts", "project_id", "open", "suggester", "confidence_band", "document_id"),
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
    open: Mapped[bool] = mapped_column(default=False, server_default=false())
    confidence_band: Mapped[int] = mapped_column(default=0, server_default="0")


class SuggestionLabel(Base):
    """A label of unanswered proposals of a suggestion, with the number of its unanswered spans. Derived."""

    __tablename__ = "suggestion_labels"
    __table_args__ = (
        Index("ix_suggestion_labels_project_id_label_name", "project_id", "label_name", "spans"),
        {"sqlite_with_rowid": False},
    )

    suggestion_id: Mapped[Reference] = mapped_column(ForeignKey("suggestions.id", ondelete="CASCADE"), primary_key=True)
    label_name: Mapped[Name] = mapped_column(primary_key=True)
    project_id: Mapped[Reference]
    spans: Mapped[int] = mapped_column(default=0)
