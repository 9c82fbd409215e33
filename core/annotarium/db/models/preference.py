"""Preferences of a user for a project, on all devices."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, Json, Reference, Timestamp


class Preference(Base):
    """One preference of one user in one project. Names and the shapes of values are defined by the schemas."""

    __tablename__ = "preferences"

    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    project_id: Mapped[Reference] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[Any] = mapped_column(Json)
    modified_at: Mapped[Timestamp] = mapped_column(default=now_ms)
