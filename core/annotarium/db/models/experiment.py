"""Experiments: a learner with its parameters and the result of its last training."""

from __future__ import annotations

from typing import Any

from sqlalchemy import String, UniqueConstraint, true
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Json, JsonList, Name, Tracked
from annotarium.db.models.trainable import Trainable


class Experiment(Trainable, Tracked, Base):
    """A model experiment. `models` counts trained models, `timestamp` is when the last one was ready (ms)."""

    __tablename__ = "experiments"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    job_id: Mapped[str | None] = mapped_column(String(32), default=None)
    favorite: Mapped[bool] = mapped_column(default=False)
    email_notification: Mapped[bool] = mapped_column(default=False)
    group_field: Mapped[Name] = mapped_column(default="", server_default="")
    """Metadata field whose values keep documents together when a test part is drawn; empty = no such field."""
    train_on_all: Mapped[bool] = mapped_column(default=True, server_default=true())
    """After the evaluation, the model in use is trained on the drawn test part too."""
    tags: Mapped[JsonList] = mapped_column(default=list)
    classes: Mapped[JsonList] = mapped_column(default=list)
    report: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    quality: Mapped[int] = mapped_column(default=0)
    history: Mapped[JsonList] = mapped_column(default=list)
    """Reports of the last ten trainings, newest last (C-034)."""
