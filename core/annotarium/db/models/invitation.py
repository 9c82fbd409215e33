"""Invitations to a project: links that give a share to the people who accept them."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, Identifier, Name, Reference, Timestamp


class Invitation(Base):
    """A link that gives its holder a share of the project. Only the hash of its token is stored.

    It works as long as its creator may share the project. `uses_left` is None if it may be used any number of times;
    `sent_to` is the e-mail address it was sent to, if any.
    """

    __tablename__ = "invitations"

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    creator_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_sha256: Mapped[str] = mapped_column(String(64), unique=True)
    write: Mapped[bool] = mapped_column(default=False)
    created_by: Mapped[Name] = mapped_column(default="")
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    expires_at: Mapped[Timestamp]
    uses_left: Mapped[int | None] = mapped_column(default=None)
    revoked_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    sent_to: Mapped[str | None] = mapped_column(String(255), default=None)


class InvitationUse(Base):
    """A user who accepted an invitation: who loses the share later cannot use the same link again."""

    __tablename__ = "invitation_uses"

    invitation_id: Mapped[Reference] = mapped_column(ForeignKey("invitations.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
