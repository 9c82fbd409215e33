"""gazetteers, and candidates for terms found in the corpus."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Text
from sqlalchemy.dialects import postgresql

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def _key() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _json(name: str) -> sa.Column[object]:
    kind = sa.JSON(none_as_null=True).with_variant(
        postgresql.JSONB(none_as_null=True, astext_type=Text()), "postgresql"
    )
    return sa.Column(name, kind, nullable=False)


def _text(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.String(length=255), nullable=False)


def _of_project(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["project_id"], ["projects.id"], name=op.f(f"fk_{table}_project_id_projects"), ondelete="CASCADE"
    )


def upgrade() -> None:
    op.create_table(
        "gazetteers",
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        _text("name"),
        _text("label"),
        _text("engine"),
        _json("parameters"),
        sa.Column("models", sa.Integer(), nullable=False),
        sa.Column("timestamp", sa.BigInteger(), nullable=False),
        sa.Column("duration", sa.BigInteger(), nullable=False),
        sa.Column("uptodate", sa.Boolean(), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=True),
        sa.Column("favorite", sa.Boolean(), nullable=False),
        sa.Column("email_notification", sa.Boolean(), nullable=False),
        _json("tags"),
        sa.Column("quality", sa.Integer(), nullable=False),
        sa.Column("terms", sa.Integer(), nullable=False),
        _json("lexicon_versions"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _text("created_by"),
        sa.Column("modified_at", sa.BigInteger(), nullable=False),
        _text("modified_by"),
        sa.Column("version", sa.Integer(), nullable=False),
        _of_project("gazetteers"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_gazetteers")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_gazetteers_project_id_name")),
    )
    op.create_table(
        "term_candidates",
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        _text("key"),
        _text("form"),
        sa.Column("kind", sa.String(length=10), nullable=False),
        _text("label_name"),
        sa.Column("occurrences", sa.Integer(), nullable=False),
        sa.Column("documents", sa.Integer(), nullable=False),
        _json("examples"),
        _json("similar"),
        sa.Column("state", sa.String(length=8), nullable=False),
        _text("answered_by"),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
        _of_project("term_candidates"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_term_candidates")),
        sa.UniqueConstraint("project_id", "key", name=op.f("uq_term_candidates_project_id_key")),
    )
    order = ["project_id", "state", "kind", "occurrences"]
    op.create_index("ix_term_candidates_order", "term_candidates", order, unique=False)
