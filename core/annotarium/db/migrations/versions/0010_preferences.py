"""preferences."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Text
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table("preferences",
    sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
    sa.Column("project_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
    sa.Column("name", sa.String(length=40), nullable=False),
    sa.Column("value", sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True, astext_type=Text()), "postgresql"), nullable=False),
    sa.Column("modified_at", sa.BigInteger(), nullable=False),
    sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_preferences_project_id_projects"), ondelete="CASCADE"),
    sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_preferences_user_id_users"), ondelete="CASCADE"),
    sa.PrimaryKeyConstraint("user_id", "project_id", "name", name=op.f("pk_preferences"))
    )
    with op.batch_alter_table("preferences", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_preferences_project_id"), ["project_id"], unique=False)
