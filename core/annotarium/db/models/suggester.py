"""Suggesters: they train a learner while people annotate and suggest what to review next."""

from __future__ import annotations

from sqlalchemy import String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, JsonList, Tracked
from annotarium.db.models.trainable import Trainable


class Suggester(Trainable, Tracked, Base):
    """A suggester. While `active` it retrains after enough new answers."""

    __tablename__ = "suggesters"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    active: Mapped[bool] = mapped_column(default=False)
    job_id: Mapped[str | None] = mapped_column(String(32), default=None)
    tags: Mapped[JsonList] = mapped_column(default=list)
    quality: Mapped[int] = mapped_column(default=0)
    answers: Mapped[int] = mapped_column(default=0)
    """Labels that people have set or reviewed since the last training."""
