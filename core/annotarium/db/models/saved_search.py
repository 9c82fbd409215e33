"""Saved searches."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, BigInt, Identifier, JsonObject, Name, Reference, Tracked


class SavedSearch(Tracked, Base):
    """A named search of a project. `search` contains its parameters as in the JSON search request.

    It is private to its owner unless `shared`. `is_default`: the owner starts with it; if it is shared, so do all users
    without a default of their own.
    """

    __tablename__ = "saved_searches"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    user_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("users.id", ondelete="SET NULL"), index=True)
    name: Mapped[Name]
    label: Mapped[Name]
    kind: Mapped[str] = mapped_column(String(16))
    search: Mapped[JsonObject]
    shared: Mapped[bool] = mapped_column(default=False)
    is_default: Mapped[bool] = mapped_column(default=False)
