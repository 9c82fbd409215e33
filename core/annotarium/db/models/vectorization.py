"""Vectorizations: which component computes the vectors of a project's texts, and which of its models is in use."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, JsonObject, Name, Reference, Timestamp, Tracked


class Vectorization(Tracked, Base):
    """A set of vectors of a project; searches select it by name (`default` if not specified).

    The vectors themselves are derived data in the search index, under `<name>@<model>`. A new model is filled in
    alongside the one in use and replaces it once every document has its vectors.
    """

    __tablename__ = "vectorizations"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[Name]
    component: Mapped[Name]
    parameters: Mapped[JsonObject] = mapped_column(default=dict)
    model: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    """Timestamp at which the model in use was created; 0 = none yet."""
    building: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    """Timestamp of the model that is being filled in; 0 = none."""
    dimension: Mapped[int] = mapped_column(default=0)
    learned_from: Mapped[int] = mapped_column(default=0)
    """Number of documents the model in use was trained on; 0 if it is not trained."""
    probe: Mapped[JsonObject] = mapped_column(default=dict)
    """Measured quality of the vectors for finding similar texts (`VectorProbe`); empty = not measured yet."""
    remade: Mapped[int] = mapped_column(default=0)
    """Documents, new or changed, that got vectors since the measurement."""
    job_id: Mapped[str | None] = mapped_column(String(32), default=None)
    tried: Mapped[str] = mapped_column(String(64), default="")
    """What was missing when vectors were last started automatically: the same state does not start them again."""
