"""Relations between annotations, and their names in a project."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, Imported, Json, Name, Reference, SoftDeleted, Tracked

_LIVE = text("deleted_at IS NULL")


class RelationName(Tracked, SoftDeleted, Base):
    """A name of relations in a project, with a colour. Relations refer to the row, so renaming changes one row.

    A deleted name stays in the table because the history refers to it; using the name again restores it.
    """

    __tablename__ = "relation_names"
    __table_args__ = (
        Index(
            "uq_relation_names_live_name",
            "project_id",
            "name",
            unique=True,
            sqlite_where=_LIVE,
            postgresql_where=_LIVE,
        ),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[Name]
    color: Mapped[str] = mapped_column(String(16))


class Relation(Tracked, Imported, SoftDeleted, Base):
    """A directed, labelled link from one annotation to another in the same document.

    It is visible as long as both annotations exist: deleting one of them hides it, restoring shows it again.
    """

    __tablename__ = "relations"
    # By name, covering all that is counted, so that no row is read.
    __table_args__ = (Index("ix_relations_counts", "name_id", "deleted_at", "document_id", "source_id", "target_id"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference]
    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    name_id: Mapped[Reference] = mapped_column(ForeignKey("relation_names.id"))
    source_id: Mapped[Reference] = mapped_column(ForeignKey("annotations.id", ondelete="CASCADE"), index=True)
    target_id: Mapped[Reference] = mapped_column(ForeignKey("annotations.id", ondelete="CASCADE"), index=True)
    properties: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
