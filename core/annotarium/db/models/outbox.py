"""Outbox: what the search index still has to learn. Written with the change, deleted when applied."""

from __future__ import annotations

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, BigInt, Identifier, Reference


class Outbox(Base):
    """One document (or suggestion, ...) of a project that must be read again from SQL and written to the index.

    `operation`: `document` = text, segments and facets; `facets` = only what hangs on labels and metadata, for the
    segments that touch [start, end) when given; `delete` = gone; `project` = all of the project;
    `rebuild` = the same in the background: searches do not wait for it.
    Applying reads the present state, so rows may be applied in any order and more than once.
    """

    __tablename__ = "outbox"

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(index=True)
    document_id: Mapped[int | None] = mapped_column(BigInt, default=None)
    operation: Mapped[str] = mapped_column(String(16))
    start: Mapped[int | None] = mapped_column(default=None)
    end: Mapped[int | None] = mapped_column(default=None)
    actor: Mapped[str | None] = mapped_column(String(255), default=None)
    """Who made the change, when it was a person: searches of that person wait for it."""
