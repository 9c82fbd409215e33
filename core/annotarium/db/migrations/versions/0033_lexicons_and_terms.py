"""lexicons, their terms and the relations between terms."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Text
from sqlalchemy.dialects import postgresql

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def _key() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _json() -> sa.types.TypeEngine[Any]:
    return sa.JSON(none_as_null=True).with_variant(
        postgresql.JSONB(none_as_null=True, astext_type=Text()), "postgresql"
    )


def _marks() -> list[sa.Column[object]]:
    return [
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.String(length=255), nullable=False),
        sa.Column("modified_at", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", sa.String(length=255), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_by", sa.String(length=255), nullable=True),
    ]


def _references(table: str, **columns: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"), ondelete="CASCADE"
        )
        for column, other in columns.items()
    ]


def _index(name: str, table: str, columns: list[str], where: str = "", *, unique: bool = False) -> None:
    partial: dict[str, Any] = {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)} if where else {}
    op.create_index(name, table, columns, unique=unique, **partial)


def upgrade() -> None:
    op.create_table(
        "lexicons",
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("label", sa.String(length=255), nullable=False),
        sa.Column("color", sa.String(length=16), nullable=False),
        sa.Column("manual_edition_allowed", sa.Boolean(), nullable=False),
        sa.Column("terms_version", sa.BigInteger(), nullable=False),
        *_marks(),
        *_references("lexicons", project_id="projects"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lexicons")),
    )
    _index(op.f("ix_lexicons_project_id"), "lexicons", ["project_id"])
    _index("uq_lexicons_live_name", "lexicons", ["project_id", "name"], "deleted_at IS NULL", unique=True)
    op.create_table(
        "terms",
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        sa.Column("lexicon_id", _key(), nullable=False),
        sa.Column("identifier", sa.String(length=512), nullable=False),
        sa.Column("preferred_form", sa.String(length=1000), nullable=False),
        sa.Column("sort_key", sa.String(length=64), nullable=False),
        sa.Column("properties", _json(), nullable=False),
        sa.Column("obsolete", sa.Boolean(), nullable=False),
        sa.Column("broader_count", sa.Integer(), nullable=False),
        sa.Column("narrower_count", sa.Integer(), nullable=False),
        sa.Column("import_id", _key(), nullable=True),
        *_marks(),
        *_references("terms", project_id="projects", lexicon_id="lexicons"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_terms")),
    )
    _index(op.f("ix_terms_project_id"), "terms", ["project_id"])
    _index("uq_terms_live_identifier", "terms", ["lexicon_id", "identifier"], "deleted_at IS NULL", unique=True)
    _index("ix_terms_tree", "terms", ["lexicon_id", "broader_count", "sort_key", "id"])
    _index("ix_terms_lexicon_id_id", "terms", ["lexicon_id", "id"])
    op.create_table(
        "term_relations",
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("lexicon_id", _key(), nullable=False),
        sa.Column("term_id", _key(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("target_identifier", sa.String(length=512), nullable=False),
        sa.Column("target_id", _key(), nullable=True),
        sa.Column("sort_key", sa.String(length=64), nullable=False),
        *_references("term_relations", lexicon_id="lexicons", term_id="terms"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_term_relations")),
    )
    _index(op.f("ix_term_relations_term_id"), "term_relations", ["term_id"])
    _index("ix_term_relations_children", "term_relations", ["target_id", "kind", "sort_key", "term_id"])
    _index("ix_term_relations_open", "term_relations", ["lexicon_id", "target_identifier"], "target_id IS NULL")
    _index("ix_term_relations_lexicon_id_id", "term_relations", ["lexicon_id", "id"])
