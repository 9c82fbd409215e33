"""Shares of a project with users and groups; write access includes read access."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Name, Reference


class UserShare(Base):
    """A project shared with a user."""

    __tablename__ = "user_shares"

    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    write: Mapped[bool] = mapped_column(default=False)
    created_by: Mapped[Name] = mapped_column(default="")


class LeftShare(Base):
    """A user who left a project shared with one of the user's groups: such shares no longer apply to this user."""

    __tablename__ = "left_shares"

    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)


class GroupShare(Base):
    """A project shared with a group."""

    __tablename__ = "group_shares"

    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    group_id: Mapped[Reference] = mapped_column(
        ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    write: Mapped[bool] = mapped_column(default=False)
    created_by: Mapped[Name] = mapped_column(default="")
