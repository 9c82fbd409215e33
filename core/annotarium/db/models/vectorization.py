"""Vectorizations: which component gives the texts of a project their vectors, and which model of it is in use."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, JsonObject, Name, Reference, Timestamp, Tracked


class Vectorization(Tracked, Base):
    """One set of vectors of a project; searches name it (`default` unless they say otherwise).

    The vectors themselves are derived and live in the search index under `<name>@<model>`. A new model is filled in
    beside the one in use and replaces it when every document has its vectors.
    """

    __tablename__ = "vectorizations"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[Name]
    component: Mapped[Name]
    parameters: Mapped[JsonObject] = mapped_column(default=dict)
    model: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    """Moment the model in use was made; 0 = none yet."""
    building: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    """Moment of the model that is being filled in; 0 = none."""
    dimension: Mapped[int] = mapped_column(default=0)
    learned_from: Mapped[int] = mapped_column(default=0)
    """Documents the model in use has seen; 0 for one that learns nothing."""
    probe: Mapped[JsonObject] = mapped_column(default=dict)
    """How well its vectors find what belongs together (`VectorProbe`); empty = not measured yet."""
    remade: Mapped[int] = mapped_column(default=0)
    """Documents that got vectors since it was measured: new ones, and those that changed."""
    job_id: Mapped[str | None] = mapped_column(String(32), default=None)
    tried: Mapped[str] = mapped_column(String(64), default="")
    """What was found missing when vectors were last asked for without a person: the same is not tried twice."""
