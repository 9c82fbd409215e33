"""What people say about answers."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, Imported, JsonObject, LongText, Name, Reference, Tracked


class AnswerFeedback(Tracked, Imported, Base):
    """The verdict of a person on an answer, with the passages that the answer was built from."""

    __tablename__ = "answer_feedback"
    __table_args__ = (Index("ix_answer_feedback_order", "project_id", "created_at"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    question: Mapped[LongText]
    answer: Mapped[LongText]
    verdict: Mapped[str] = mapped_column(String(8))
    """`right`, `wrong` or `missing`."""
    answerer: Mapped[Name] = mapped_column(default="")
    details: Mapped[JsonObject]
    """`{"passages": [{documentIdentifier, start, end, cited}]}`; offsets are code points of the document."""
    comment: Mapped[LongText] = mapped_column(default="")
    question_identifier: Mapped[Name | None] = mapped_column(default=None)
    """Identifier of the saved question that was made from it. Not its id: archives keep identifiers only."""
