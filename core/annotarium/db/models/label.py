"""Labels and the sets they belong to."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, JsonList, LongText, Name, Reference, SoftDeleted, Tracked


class LabelSet(Tracked, Base):
    """A named set of labels; in an exclusive set, a document or sentence has at most one of them."""

    __tablename__ = "label_sets"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[Name]
    label: Mapped[Name]
    nature: Mapped[str | None] = mapped_column(String(32), default=None)
    exclusive_classes: Mapped[bool] = mapped_column(default=False)
    guideline: Mapped[LongText] = mapped_column(default="")
    tags: Mapped[JsonList] = mapped_column(default=list)


class Label(Tracked, SoftDeleted, Base):
    """A label. `name` is stable and used in searches; `label` is displayed and may change.

    A deleted label stays in the table, so that it can be restored with its annotations; creating a label with the same
    name restores the row.
    """

    __tablename__ = "labels"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    label_set_id: Mapped[Reference] = mapped_column(ForeignKey("label_sets.id", ondelete="CASCADE"), index=True)
    name: Mapped[Name]
    label: Mapped[Name]
    color: Mapped[str] = mapped_column(String(16))
    identifier: Mapped[Name | None] = mapped_column(default=None)
    guideline: Mapped[LongText] = mapped_column(default="")
    short_name: Mapped[str | None] = mapped_column(String(8), default=None)
    """What is drawn on the annotated text; None = proposed by the web app, from `label`."""
