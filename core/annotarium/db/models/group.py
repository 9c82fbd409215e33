"""Groups of users; they own projects and set limits (-1 = unlimited)."""

from __future__ import annotations

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, JsonList, Name, Tracked


class Group(Tracked, Base):
    """A group. `identifier` is its id at the identity provider."""

    __tablename__ = "groups"

    id: Mapped[Identifier]
    name: Mapped[Name] = mapped_column(unique=True)
    label: Mapped[Name]
    identifier: Mapped[Name | None] = mapped_column(default=None)
    mapping_discriminator: Mapped[str | None] = mapped_column(String(16), default=None)
    login_allowed: Mapped[bool] = mapped_column(default=True)
    max_users: Mapped[int] = mapped_column(default=-1)
    max_docs_per_project: Mapped[int] = mapped_column(default=-1)
    max_projects: Mapped[int] = mapped_column(default=-1)
    max_projects_per_user: Mapped[int] = mapped_column(default=-1)
    attached_roles: Mapped[JsonList] = mapped_column(default=list)
    system_attached_roles: Mapped[JsonList] = mapped_column(default=list)
