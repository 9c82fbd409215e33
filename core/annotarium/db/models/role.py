"""Roles: named sets of permissions."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, BigInt, Identifier, LongText, Name, TextList, Tracked


class Role(Tracked, Base):
    """A role; a predefined one is updated from the code at each start."""

    __tablename__ = "roles"

    id: Mapped[Identifier]
    rolename: Mapped[Name] = mapped_column(unique=True)
    label: Mapped[Name]
    description: Mapped[LongText] = mapped_column(default="")
    type: Mapped[str] = mapped_column(String(16), default="functional")
    group_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("groups.id", ondelete="CASCADE"), default=None)
    permissions: Mapped[TextList] = mapped_column(default=list)
    predefined: Mapped[bool] = mapped_column(default=False)
    restricted: Mapped[bool] = mapped_column(default=False)
