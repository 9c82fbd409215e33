"""Users, their roles and group memberships."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, LongText, Name, Reference, TextList, Tracked


class User(Tracked, Base):
    """An account. `permissions` are granted directly, in addition to those of the roles."""

    __tablename__ = "users"

    id: Mapped[Identifier]
    username: Mapped[Name] = mapped_column(unique=True)
    profilename: Mapped[Name] = mapped_column(default="")
    email: Mapped[Name | None] = mapped_column(default=None)
    password_hash: Mapped[LongText]
    disabled: Mapped[bool] = mapped_column(default=False)
    permissions: Mapped[TextList] = mapped_column(default=list)
    token_revision: Mapped[int] = mapped_column(default=0)
    """Increased to invalidate all tokens of the user."""


class UserRole(Base):
    """A role assigned to a user."""

    __tablename__ = "user_roles"

    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    role_id: Mapped[Reference] = mapped_column(ForeignKey("roles.id", ondelete="CASCADE"), primary_key=True, index=True)


class Membership(Base):
    """A user in a group."""

    __tablename__ = "memberships"

    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    group_id: Mapped[Reference] = mapped_column(
        ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True, index=True
    )
