"""how well vectors find what belongs together, and how many were made since that was measured."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Text
from sqlalchemy.dialects import postgresql

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    json = sa.JSON(none_as_null=True).with_variant(
        postgresql.JSONB(none_as_null=True, astext_type=Text()), "postgresql"
    )
    with op.batch_alter_table("vectorizations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("probe", json, nullable=False, server_default="{}"))
        batch_op.add_column(sa.Column("remade", sa.Integer(), nullable=False, server_default="0"))
