"""invitations to projects: links that give a share to the people who accept them."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def _key() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _references(table: str, **columns: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"), ondelete="CASCADE"
        )
        for column, other in columns.items()
    ]


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", _key(), autoincrement=False, nullable=False),
        sa.Column("project_id", _key(), nullable=False),
        sa.Column("creator_id", _key(), nullable=False),
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("write", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.String(length=255), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("uses_left", sa.Integer(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("sent_to", sa.String(length=255), nullable=True),
        *_references("invitations", project_id="projects", creator_id="users"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_invitations_token_sha256")),
    )
    for column in ("project_id", "creator_id"):
        op.create_index(op.f(f"ix_invitations_{column}"), "invitations", [column], unique=False)
    op.create_table(
        "invitation_uses",
        sa.Column("invitation_id", _key(), nullable=False),
        sa.Column("user_id", _key(), nullable=False),
        *_references("invitation_uses", invitation_id="invitations", user_id="users"),
        sa.PrimaryKeyConstraint("invitation_id", "user_id", name=op.f("pk_invitation_uses")),
    )
    op.create_index(op.f("ix_invitation_uses_user_id"), "invitation_uses", ["user_id"], unique=False)
