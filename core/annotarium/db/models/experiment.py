"""Experiments: a learner with its parameters and the result of its last training."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ForeignKey, String, UniqueConstraint, true
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, Json, JsonList, JsonObject, Name, Reference, Timestamp, Tracked


class Experiment(Tracked, Base):
    """An experiment. `models` counts trained models, `timestamp` is when the last one was completed (ms)."""

    __tablename__ = "experiments"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[Name]
    label: Mapped[Name]
    engine: Mapped[Name]
    parameters: Mapped[JsonObject] = mapped_column(default=dict)
    models: Mapped[int] = mapped_column(default=0)
    timestamp: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    duration: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    uptodate: Mapped[bool] = mapped_column(default=False)
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
