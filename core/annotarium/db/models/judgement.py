"""Judgements of passages for saved questions."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, Imported, Reference, Tracked


class PassageJudgement(Tracked, Imported, Base):
    """How relevant a passage of a document is for a question (a document whose metadata `question` is true).

    `start` and `end` are code points of the document's text; `grade` is 0 (not relevant) to 3. A passage has one
    judgement, shared by the project. It stays in the table while one of its two documents is deleted, and is shown
    again when that is restored.
    """

    __tablename__ = "passage_judgements"
    __table_args__ = (
        Index("uq_passage_judgements_passage", "question_id", "document_id", "start", "end", unique=True),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    question_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    start: Mapped[int]
    end: Mapped[int]
    grade: Mapped[int]
