"""Documents and their alternative texts."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, String, false, text
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import (
    Base,
    BigInt,
    Identifier,
    Imported,
    JsonList,
    JsonObject,
    LongText,
    Name,
    Reference,
    SoftDeleted,
    Tracked,
)

_LIVE = text("deleted_at IS NULL")


class Document(Tracked, Imported, SoftDeleted, Base):
    """A text. It never changes after import; offsets of annotations count its code points."""

    __tablename__ = "documents"
    __table_args__ = (
        Index(
            "uq_documents_live_identifier",
            "project_id",
            "identifier",
            unique=True,
            sqlite_where=_LIVE,
            postgresql_where=_LIVE,
        ),
        # The next document that is not reviewed, and how many are, without reading the texts.
        Index("ix_documents_project_id_reviewed", "project_id", "reviewed", "deleted_at", "origin_group_id"),
        # By project and length; the other columns let dashboards count without reading the texts.
        Index("ix_documents_project_id_length", "project_id", "length", "deleted_at", "origin_group_id", "created_at"),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    identifier: Mapped[Name]
    title: Mapped[LongText] = mapped_column(default="")
    text: Mapped[LongText]
    length: Mapped[int] = mapped_column(default=0)
    """Length of the text in code points."""
    metadata_: Mapped[JsonObject] = mapped_column("metadata", default=dict)
    split: Mapped[str | None] = mapped_column(String(8), default=None)
    """`train` or `test` after the corpus was split, else None."""
    reviewed: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Everything there is to annotate is annotated, so segments without annotations are negative examples. Set by an
    import that states so, or that contains annotations accepted or rejected by a person
    (`importing.document_preparation`).
    """
    origin_group_id: Mapped[int | None] = mapped_column(
        BigInt, ForeignKey("groups.id", ondelete="SET NULL"), default=None
    )
    fingerprint: Mapped[str] = mapped_column(String(64), default="")
    """SHA-256 of the imported content; an import with the same content changes nothing."""


class AltText(Base):
    """An alternative text of a document, without annotations."""

    __tablename__ = "alt_texts"

    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[Name] = mapped_column(primary_key=True)
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    text: Mapped[LongText]
    properties: Mapped[JsonObject] = mapped_column(default=dict)


class DocumentLayout(Base):
    """The layout of a document's text; documents of plain text have no row. See `content.layouts`."""

    __tablename__ = "document_layouts"

    document_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    marks: Mapped[JsonList] = mapped_column(default=list)
