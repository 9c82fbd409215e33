"""Plans: ordered components with their parameters."""

from __future__ import annotations

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, JsonList, JsonObject, Name, Reference, SoftDeleted, Tracked


class Plan(Tracked, SoftDeleted, Base):
    """A plan. `parameters` is a serialised `AnnotationPlan`; the tags mark favourite and active plans.

    The name of a deleted plan is not reused.
    """

    __tablename__ = "plans"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[Name]
    label: Mapped[Name]
    parameters: Mapped[JsonObject] = mapped_column(default=lambda: {"pipeline": []})
    tags: Mapped[JsonList] = mapped_column(default=list)
