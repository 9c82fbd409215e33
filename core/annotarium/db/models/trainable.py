"""Columns of what is trained: experiments and suggesters."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Identifier, JsonObject, Name, Reference, Timestamp


class Trainable:
    """The first columns of both: a learner with its parameters.

    `models` counts trained models, `timestamp` is when the last was ready (ms).
    """

    id: Mapped[Identifier] = mapped_column(sort_order=-1)
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), sort_order=-1)
    name: Mapped[Name] = mapped_column(sort_order=-1)
    label: Mapped[Name] = mapped_column(sort_order=-1)
    engine: Mapped[Name] = mapped_column(sort_order=-1)
    parameters: Mapped[JsonObject] = mapped_column(default=dict, sort_order=-1)
    models: Mapped[int] = mapped_column(default=0, sort_order=-1)
    timestamp: Mapped[Timestamp] = mapped_column(BigInteger, default=0, sort_order=-1)
    duration: Mapped[Timestamp] = mapped_column(BigInteger, default=0, sort_order=-1)
    uptodate: Mapped[bool] = mapped_column(default=False, sort_order=-1)
