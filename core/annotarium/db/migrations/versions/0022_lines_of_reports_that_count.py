"""lines of reports that count."""

import sqlalchemy as sa
from alembic import op


revision = '0022'
down_revision = '0021'
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table('job_items', schema=None) as batch_op:
        batch_op.add_column(sa.Column('count', sa.BigInteger(), server_default='1', nullable=False))
        batch_op.add_column(sa.Column('kind', sa.String(length=64), nullable=True))
