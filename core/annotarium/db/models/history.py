"""History: every change of an annotation, a category, a relation or a document's metadata, and every deletion of a
document: for undo and for answering who did what."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, BigInt, Identifier, Imported, Json, Name, Reference, Timestamp

_BY_HAND = text("job_id IS NULL")


class History(Imported, Base):
    """One change: `before` and `after` hold the row's fields, None when it did not exist.

    Bulk imports are not written here: a row that has no history was born with its document.
    """

    __tablename__ = "history"
    __table_args__ = (
        Index("ix_history_document_id_id", "document_id", "id"),
        Index("ix_history_entity_id", "entity_id"),
        Index("ix_history_job_id_id", "job_id", "id"),
        # What people did by hand: jobs write no entry here.
        Index("ix_history_own", "project_id", "actor", "id", sqlite_where=_BY_HAND, postgresql_where=_BY_HAND),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference]
    document_id: Mapped[Reference]
    entity: Mapped[str] = mapped_column(String(16))
    entity_id: Mapped[Reference]
    action: Mapped[str] = mapped_column(String(16))
    actor: Mapped[Name]
    at: Mapped[Timestamp] = mapped_column(default=now_ms)
    job_id: Mapped[str | None] = mapped_column(String(32), default=None)
    act_id: Mapped[int | None] = mapped_column(BigInt, default=None)
    """The same for all changes of one act: a new category and those it replaced. None: the row is an act of its own."""
    kind: Mapped[str | None] = mapped_column(String(8), default=None)
    """`undo`, `redo` or `restore` of the changes that were made by going back; `restore` is an act like any other."""
    batch_id: Mapped[int | None] = mapped_column(BigInt, default=None)
    """Of a row that takes another change back: the id of that change."""
    before: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    after: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
