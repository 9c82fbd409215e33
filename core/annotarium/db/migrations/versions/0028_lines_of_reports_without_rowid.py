"""lines of reports are kept in the order of their key, once."""

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """SQLite keeps a table and beside it an index with the whole key, which is most of a line; PostgreSQL has no choice."""
    if op.get_bind().dialect.name == "sqlite":
        with op.batch_alter_table("job_items", recreate="always", table_kwargs={"sqlite_with_rowid": False}):
            pass
