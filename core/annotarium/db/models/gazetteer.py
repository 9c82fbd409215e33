"""Gazetteers: annotators built from the terms of lexicons, and candidates for new terms found in the corpus."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, JsonList, JsonObject, Name, Reference, Timestamp, Tracked
from annotarium.db.models.trainable import Trainable


class Gazetteer(Trainable, Tracked, Base):
    """A gazetteer. `models` is 1 once it is synchronised, `timestamp` is when that was (ms)."""

    __tablename__ = "gazetteers"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    job_id: Mapped[str | None] = mapped_column(String(32), default=None)
    favorite: Mapped[bool] = mapped_column(default=False)
    email_notification: Mapped[bool] = mapped_column(default=False)
    tags: Mapped[JsonList] = mapped_column(default=list)
    quality: Mapped[int] = mapped_column(default=0)
    terms: Mapped[int] = mapped_column(default=0)
    """Number of terms of the last synchronisation."""
    lexicon_versions: Mapped[JsonObject] = mapped_column(default=dict)
    """Version marks of the lexicons at the last synchronisation, by name of the lexicon."""


class TermCandidate(Base):
    """A form that may be a new term or a synonym, found in the corpus.

    `state` is open, accepted or refused. An open row is replaced by the next search for candidates, the others stay,
    so that a form that was answered is not proposed again.
    """

    __tablename__ = "term_candidates"
    __table_args__ = (
        UniqueConstraint("project_id", "key"),
        Index("ix_term_candidates_order", "project_id", "state", "kind", "occurrences"),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    key: Mapped[Name]
    """The form in lower case with single spaces; at most 255 characters."""
    form: Mapped[Name]
    """The most frequent spelling."""
    kind: Mapped[str] = mapped_column(String(10))
    """`annotation`: a labelled span without a term; `sequence`: a frequent sequence of words."""
    label_name: Mapped[Name] = mapped_column(default="")
    """The most frequent label of the spans; empty for sequences."""
    occurrences: Mapped[int] = mapped_column(default=0)
    documents: Mapped[int] = mapped_column(default=0)
    examples: Mapped[JsonList] = mapped_column(default=list)
    """Up to three `{documentIdentifier, documentTitle, start, end, before, text, after}`."""
    similar: Mapped[JsonList] = mapped_column(default=list)
    """Up to three terms with a similar form: `{lexicon, identifier, preferredForm}`."""
    state: Mapped[str] = mapped_column(String(8), default="open")
    answered_by: Mapped[Name] = mapped_column(default="")
    answered_at: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
