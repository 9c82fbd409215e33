"""experiments that measure searches and answers on saved questions."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

EXPERIMENTS, RESULTS = "ranking_experiments", "ranking_results"


def _key() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _json() -> sa.types.TypeEngine[object]:
    return sa.JSON(none_as_null=True).with_variant(
        postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), "postgresql"
    )


def _reference(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{other}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name, ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        EXPERIMENTS,
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("label", sa.String(length=255), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("parameters", _json(), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=True),
        sa.Column("uptodate", sa.Boolean(), nullable=False),
        sa.Column("timestamp", sa.BigInteger(), nullable=False),
        sa.Column("duration", sa.BigInteger(), nullable=False),
        sa.Column("favorite", sa.Boolean(), nullable=False),
        sa.Column("email_notification", sa.Boolean(), nullable=False),
        sa.Column("report", _json(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.String(length=255), nullable=False),
        sa.Column("modified_at", sa.BigInteger(), nullable=False),
        sa.Column("modified_by", sa.String(length=255), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        _reference(EXPERIMENTS, "project_id", "projects"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{EXPERIMENTS}")),
        sa.UniqueConstraint("project_id", "name", name=op.f(f"uq_{EXPERIMENTS}_project_id_name")),
    )
    op.create_table(
        RESULTS,
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        sa.Column("experiment_id", _key(), nullable=False),
        sa.Column("question_id", _key(), nullable=False),
        sa.Column("figures", _json(), nullable=False),
        sa.Column("answers", _json(), nullable=False),
        sa.Column("quality", sa.Integer(), nullable=False),
        sa.Column("difference", sa.Integer(), nullable=False),
        _reference(RESULTS, "project_id", "projects"),
        _reference(RESULTS, "experiment_id", EXPERIMENTS),
        _reference(RESULTS, "question_id", "documents"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{RESULTS}")),
    )
    for column in ("project_id", "question_id"):
        op.create_index(op.f(f"ix_{RESULTS}_{column}"), RESULTS, [column], unique=False)
    for column in ("quality", "difference"):
        op.create_index(f"ix_{RESULTS}_{column}", RESULTS, ["experiment_id", column], unique=False)
