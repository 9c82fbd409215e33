"""Annotations: labelled spans."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, Imported, Json, LongText, Reference, SoftDeleted, Tracked


class Annotation(Tracked, Imported, SoftDeleted, Base):
    """The span [start, end) of a document with a label; `text == document.text[start:end]` always.

    `status` is OK, KO (rejected) or None (undefined: an automatic annotation not yet reviewed). `score` is 0..1.
    `fragments` lists `[start, end]` pairs of a discontinuous span, whose hull is [start, end).
    """

    __tablename__ = "annotations"
    __table_args__ = (
        Index("ix_annotations_document_id_start", "document_id", "start"),
        # By label, covering all that dashboards count, so that no row is read.
        Index(
            "ix_annotations_counts", "label_id", "deleted_at", "status", "creation_mode", "created_by", "document_id"
        ),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference]
    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    label_id: Mapped[Reference] = mapped_column(ForeignKey("labels.id"))
    start: Mapped[int]
    end: Mapped[int]
    text: Mapped[LongText]
    status: Mapped[str | None] = mapped_column(String(2), default=None)
    creation_mode: Mapped[str] = mapped_column(String(9), default="undefined")
    score: Mapped[float | None] = mapped_column(default=None)
    properties: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    terms: Mapped[list[Any] | None] = mapped_column(Json, default=None)
    fragments: Mapped[list[Any] | None] = mapped_column(Json, default=None)
