"""judgements of passages for saved questions."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

TABLE = "passage_judgements"


def _key() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _reference(column: str, table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{TABLE}_{column}_{table}")
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], name=name, ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        TABLE,
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        sa.Column("question_id", _key(), nullable=False),
        sa.Column("document_id", _key(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("grade", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.String(length=255), nullable=False),
        sa.Column("modified_at", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", sa.String(length=255), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("imported_at", sa.BigInteger(), nullable=True),
        sa.Column("imported_by", sa.String(length=255), nullable=True),
        _reference("project_id", "projects"),
        _reference("question_id", "documents"),
        _reference("document_id", "documents"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{TABLE}")),
    )
    for column in ("project_id", "document_id"):
        op.create_index(op.f(f"ix_{TABLE}_{column}"), TABLE, [column], unique=False)
    passage = ["question_id", "document_id", "start", "end"]
    op.create_index("uq_passage_judgements_passage", TABLE, passage, unique=True)
