"""Lexicons, their terms, and the relations between terms."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, BigInt, Identifier, JsonObject, Name, Reference, SoftDeleted, Tracked

_LIVE = text("deleted_at IS NULL")
_OPEN = text("target_id IS NULL")

MAX_IDENTIFIER = 512
MAX_FORM = 1_000
SORT_KEY = 64


class Lexicon(Tracked, SoftDeleted, Base):
    """A named list of terms. `name` is stable and used in searches and annotations; `label` is displayed."""

    __tablename__ = "lexicons"
    __table_args__ = (
        Index("uq_lexicons_live_name", "project_id", "name", unique=True, sqlite_where=_LIVE, postgresql_where=_LIVE),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    name: Mapped[Name]
    label: Mapped[Name]
    color: Mapped[str] = mapped_column(String(16))
    manual_edition_allowed: Mapped[bool] = mapped_column(default=True)
    terms_version: Mapped[int] = mapped_column(BigInteger, default=0)
    """Increases with every change of the terms; `version` is that of the lexicon's own fields."""


class LexiconTerm(Tracked, SoftDeleted, Base):
    """A term of a lexicon. `properties` is the only place that says what its relations are; `TermRelation` and the
    counts are derived from it.
    """

    __tablename__ = "terms"
    __table_args__ = (
        Index(
            "uq_terms_live_identifier",
            "lexicon_id",
            "identifier",
            unique=True,
            sqlite_where=_LIVE,
            postgresql_where=_LIVE,
        ),
        Index("ix_terms_tree", "lexicon_id", "broader_count", "sort_key", "id"),
        Index("ix_terms_lexicon_id_id", "lexicon_id", "id"),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    lexicon_id: Mapped[Reference] = mapped_column(ForeignKey("lexicons.id", ondelete="CASCADE"))
    identifier: Mapped[str] = mapped_column(String(MAX_IDENTIFIER))
    preferred_form: Mapped[str] = mapped_column(String(MAX_FORM))
    sort_key: Mapped[str] = mapped_column(String(SORT_KEY), default="")
    """The beginning of the preferred form, case folded: the order of the tree."""
    properties: Mapped[JsonObject] = mapped_column(default=dict)
    obsolete: Mapped[bool] = mapped_column(default=False)
    broader_count: Mapped[int] = mapped_column(default=0)
    """Number of broader terms that exist: 0 for the roots of the tree."""
    narrower_count: Mapped[int] = mapped_column(default=0)
    import_id: Mapped[int | None] = mapped_column(BigInt, default=None)
    """The import that wrote the term last: a second term of the same identifier in its files is refused."""


class TermRelation(Base):
    """A relation of a term to another one of its lexicon, which need not exist yet (`target_id` is then None)."""

    __tablename__ = "term_relations"
    __table_args__ = (
        Index("ix_term_relations_children", "target_id", "kind", "sort_key", "term_id"),
        Index(
            "ix_term_relations_open",
            "lexicon_id",
            "target_identifier",
            sqlite_where=_OPEN,
            postgresql_where=_OPEN,
        ),
        Index("ix_term_relations_lexicon_id_id", "lexicon_id", "id"),
    )

    id: Mapped[Identifier]
    lexicon_id: Mapped[Reference] = mapped_column(ForeignKey("lexicons.id", ondelete="CASCADE"))
    term_id: Mapped[Reference] = mapped_column(ForeignKey("terms.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    """`broader` or `related`."""
    target_identifier: Mapped[str] = mapped_column(String(MAX_IDENTIFIER))
    target_id: Mapped[int | None] = mapped_column(BigInt, default=None)
    sort_key: Mapped[str] = mapped_column(String(SORT_KEY), default="")
    """That of the term, so that a page of children is read from the index."""
