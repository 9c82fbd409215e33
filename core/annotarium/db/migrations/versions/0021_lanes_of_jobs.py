"""lanes of jobs."""

from alembic import op


revision = '0021'
down_revision = '0020'
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table('jobs', schema=None) as batch_op:
        batch_op.create_index('ix_jobs_queue_created_by_started_at', ['queue', 'created_by', 'started_at'], unique=False)
