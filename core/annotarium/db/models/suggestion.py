"""Suggestions: proposals on one segment that wait for an answer."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, false
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, Identifier, JsonList, Name, Reference, TextList, Timestamp

_OPEN = ("project_id", "open")
_FILTERS = ("facet_key", "document_id")


class Suggestion(Base):
    """Proposals on the segment [start, end) of a document.

    `annotations` and `categories` contain `{labelName, start, end, text, score}` with offsets in the document.
    `confidence` and `priority` are 0..1 (see the SDK's suggester). `open` says whether a proposal is unanswered, and
    `facet_key` names the row of `suggestion_facets` with the suggestion's values of all facets (0 if it is not open);
    both are derived (`content.suggestions.unanswered`).
    """

    __tablename__ = "suggestions"
    __table_args__ = (
        # The orders of the list (see also below), and its counts. They contain the columns of filters and of rights, so
        # that rows are read only for the suggestions of the page.
        Index("ix_suggestions_by_confidence", *_OPEN, "confidence", "id", *_FILTERS),
        Index("ix_suggestions_by_created_at", *_OPEN, "created_at", "id", *_FILTERS),
        Index("ix_suggestions_by_facets", *_OPEN, *_FILTERS),
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
    facet_key: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")


# The order of the list that users see first: highest priority first, then the oldest.
_BY_PRIORITY = (Suggestion.project_id, Suggestion.open, Suggestion.priority.desc(), Suggestion.id)
Index("ix_suggestions_by_priority", *_BY_PRIORITY, Suggestion.facet_key, Suggestion.document_id)


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


class SuggestionFacets(Base):
    """Values that open suggestions of a project have in the facets: suggestions with the same values share a row.

    `key` is computed from the other columns. Rows stay when no suggestion has their values any more, because another
    transaction may be storing one at the same time.
    """

    __tablename__ = "suggestion_facets"
    __table_args__ = ({"sqlite_with_rowid": False},)

    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    suggester: Mapped[Name] = mapped_column(default="")
    confidence_band: Mapped[int] = mapped_column(default=0)
    labels: Mapped[TextList] = mapped_column(default=list)
