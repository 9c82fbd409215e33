"""Indexes that answer the counts of dashboards without reading rows or texts."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

LABELLING = ["label_id", "deleted_at", "status", "creation_mode", "created_by", "document_id"]
DOCUMENTS = ["project_id", "length", "deleted_at", "origin_group_id", "created_at"]


def upgrade() -> None:
    with op.batch_alter_table("annotations") as batch_op:
        batch_op.drop_index(batch_op.f("ix_annotations_label_id"))
        batch_op.create_index("ix_annotations_counts", LABELLING, unique=False)

    with op.batch_alter_table("categories") as batch_op:
        batch_op.drop_index(batch_op.f("ix_categories_label_id"))
        batch_op.create_index("ix_categories_counts", LABELLING, unique=False)

    with op.batch_alter_table("documents") as batch_op:
        batch_op.drop_index(batch_op.f("ix_documents_project_id"))
        batch_op.create_index("ix_documents_project_id_length", DOCUMENTS, unique=False)
