"""Outbox: changes that the search index still has to apply. Written with the change, deleted when applied."""

from __future__ import annotations

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, BigInt, Identifier, Reference


class Outbox(Base):
    """A document (or suggestion, ...) of a project that must be read from SQL again and written to the index.

    `operation`: `document` = text, segments and facets; `facets` = only what depends on labels and metadata, limited to
    segments that overlap [start, end) if set; `delete` = remove it; `project` = the whole project; `rebuild` = the same
    in the background, without searches waiting for it. For terms, `document_id` is the id of: `term` = one term,
    `terms` = the first of a range, which ends `end` ids later, `lexicon` = all terms of a lexicon. Applying a row reads
    the current state, so rows may be applied in any order and more than once.
    """

    __tablename__ = "outbox"

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(index=True)
    document_id: Mapped[int | None] = mapped_column(BigInt, default=None)
    operation: Mapped[str] = mapped_column(String(16))
    start: Mapped[int | None] = mapped_column(default=None)
    end: Mapped[int | None] = mapped_column(default=None)
    actor: Mapped[str | None] = mapped_column(String(255), default=None)
    """The user who made the change, if any: this user's searches wait until it is applied."""
