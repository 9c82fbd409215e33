"""What a person chose for a project, wherever they sign in."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, Json, Reference, Timestamp


class Preference(Base):
    """One choice of one person in one project. Which names there are, and what their values hold, say the schemas."""

    __tablename__ = "preferences"

    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    project_id: Mapped[Reference] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[Any] = mapped_column(Json)
    modified_at: Mapped[Timestamp] = mapped_column(default=now_ms)
