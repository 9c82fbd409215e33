"""History: every change of an annotation, a category, a relation or a document's metadata, and every deletion of a
document. Used for undo and to show who did what.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, BigInt, Identifier, Imported, Json, Name, Reference, Timestamp

_BY_HAND = text("job_id IS NULL")


class History(Imported, Base):
    """One change: `before` and `after` contain the row's fields, None if it did not exist.

    Bulk imports write no history: a row without history was created with its document.
    """

    __tablename__ = "history"
    __table_args__ = (
        Index("ix_history_document_id_id", "document_id", "id"),
        Index("ix_history_entity_id", "entity_id"),
        Index("ix_history_job_id_id", "job_id", "id"),
        # Changes made by hand: entries of jobs are not in this index.
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
    """Shared by all changes of one operation, such as a new category and those it replaced. None: the change is an
    operation of its own.
    """
    kind: Mapped[str | None] = mapped_column(String(8), default=None)
    """`undo`, `redo` or `restore` for changes that go back to an earlier state; a `restore` can be undone like any
    other operation.
    """
    batch_id: Mapped[int | None] = mapped_column(BigInt, default=None)
    """For a change that reverts another one: the id of that change."""
    before: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    after: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
