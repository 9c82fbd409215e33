"""comments on documents; the next document that is not reviewed is found by an index."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Text
from sqlalchemy.dialects import postgresql

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def _key() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _marks() -> list[sa.Column[object]]:
    return [
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.String(length=255), nullable=False),
        sa.Column("modified_at", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", sa.String(length=255), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("imported_at", sa.BigInteger(), nullable=True),
        sa.Column("imported_by", sa.String(length=255), nullable=True),
    ]


def _references(table: str, **columns: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"), ondelete="CASCADE"
        )
        for column, other in columns.items()
    ]


def upgrade() -> None:
    op.create_index(
        "ix_documents_project_id_reviewed",
        "documents",
        ["project_id", "reviewed", "deleted_at", "origin_group_id"],
        unique=False,
    )
    op.create_table(
        "comment_threads",
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        sa.Column("document_id", _key(), nullable=False),
        sa.Column("annotation_id", _key(), nullable=True),
        sa.Column("target", sa.String(length=16), nullable=False),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("end", sa.Integer(), nullable=True),
        sa.Column("resolved_at", sa.BigInteger(), nullable=True),
        *_marks(),
        *_references(
            "comment_threads", project_id="projects", document_id="documents", annotation_id="annotations"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comment_threads")),
    )
    for column in ("project_id", "document_id", "annotation_id"):
        op.create_index(op.f(f"ix_comment_threads_{column}"), "comment_threads", [column], unique=False)
    names = sa.JSON(none_as_null=True).with_variant(
        postgresql.JSONB(none_as_null=True, astext_type=Text()), "postgresql"
    )
    op.create_table(
        "comments",
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        sa.Column("document_id", _key(), nullable=False),
        sa.Column("thread_id", _key(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("mentions", names, nullable=False),
        *_marks(),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_by", sa.String(length=255), nullable=True),
        *_references("comments", project_id="projects", document_id="documents", thread_id="comment_threads"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comments")),
    )
    for column in ("project_id", "document_id", "thread_id"):
        op.create_index(op.f(f"ix_comments_{column}"), "comments", [column], unique=False)
