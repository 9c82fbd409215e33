"""the next document that is not reviewed is found by an index."""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_documents_project_id_reviewed",
        "documents",
        ["project_id", "reviewed", "deleted_at", "origin_group_id"],
        unique=False,
    )
