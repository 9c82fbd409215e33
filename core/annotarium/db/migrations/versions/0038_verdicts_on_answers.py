"""verdicts on answers."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Text
from sqlalchemy.dialects import postgresql

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def _key() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    details = sa.JSON(none_as_null=True).with_variant(
        postgresql.JSONB(none_as_null=True, astext_type=Text()), "postgresql"
    )
    op.create_table(
        "answer_feedback",
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("verdict", sa.String(length=8), nullable=False),
        sa.Column("answerer", sa.String(length=255), nullable=False),
        sa.Column("details", details, nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("question_identifier", sa.String(length=255), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.String(length=255), nullable=False),
        sa.Column("modified_at", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", sa.String(length=255), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("imported_at", sa.BigInteger(), nullable=True),
        sa.Column("imported_by", sa.String(length=255), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_answer_feedback_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer_feedback")),
    )
    op.create_index("ix_answer_feedback_order", "answer_feedback", ["project_id", "created_at"])
