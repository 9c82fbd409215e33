"""short names of labels, drawn on the annotated text."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("labels", schema=None) as batch_op:
        batch_op.add_column(sa.Column("short_name", sa.String(length=8), nullable=True))
