"""how experiments are measured, and what their models learn from."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), "postgresql")

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("experiments", schema=None) as batch_op:
        batch_op.add_column(sa.Column("group_field", sa.String(length=255), server_default="", nullable=False))
        batch_op.add_column(sa.Column("train_on_all", sa.Boolean(), server_default=sa.true(), nullable=False))
    with op.batch_alter_table("projects", schema=None) as batch_op:
        batch_op.add_column(sa.Column("split_facts", JSON, server_default="{}", nullable=False))
