"""Comments that people write on documents: threads, and the comments in them."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import (
    Base,
    BigInt,
    Identifier,
    Imported,
    LongText,
    Reference,
    SoftDeleted,
    TextList,
    Timestamp,
    Tracked,
)


class CommentThread(Tracked, Imported, Base):
    """What comments are about: a document, a span of it, an annotation or a suggestion.

    `start` and `end` are code points of the text; None for the document as a whole. It is visible as long as one of its
    comments is.
    """

    __tablename__ = "comment_threads"

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    annotation_id: Mapped[int | None] = mapped_column(
        BigInt, ForeignKey("annotations.id", ondelete="CASCADE"), index=True, default=None
    )
    target: Mapped[str] = mapped_column(String(16))
    """`document`, `span`, `annotation` or `suggestion`."""
    start: Mapped[int | None] = mapped_column(default=None)
    end: Mapped[int | None] = mapped_column(default=None)
    resolved_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)


class Comment(Tracked, Imported, SoftDeleted, Base):
    """One comment of a thread. `mentions` are the user names that its text names with `@`."""

    __tablename__ = "comments"

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    thread_id: Mapped[Reference] = mapped_column(ForeignKey("comment_threads.id", ondelete="CASCADE"), index=True)
    text: Mapped[LongText]
    mentions: Mapped[TextList] = mapped_column(default=list)
