"""Categories: labels on a document, or on one of its sentences if start and end are set."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, Imported, Json, Reference, SoftDeleted, Tracked


class Category(Tracked, Imported, SoftDeleted, Base):
    """A label on a document (start and end None) or on its sentence [start, end)."""

    __tablename__ = "categories"
    __table_args__ = (
        # By label, covering all that dashboards count, so that no row is read.
        Index("ix_categories_counts", "label_id", "deleted_at", "status", "creation_mode", "created_by", "document_id"),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference]
    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    label_id: Mapped[Reference] = mapped_column(ForeignKey("labels.id"))
    start: Mapped[int | None] = mapped_column(default=None)
    end: Mapped[int | None] = mapped_column(default=None)
    status: Mapped[str | None] = mapped_column(String(2), default=None)
    creation_mode: Mapped[str] = mapped_column(String(9), default="undefined")
    score: Mapped[float | None] = mapped_column(default=None)
    properties: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
