"""Projects."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import (
    Base,
    BigInt,
    Identifier,
    JsonList,
    JsonObject,
    LongText,
    Name,
    SoftDeleted,
    Tracked,
)

CLASSIFICATION = "classification"
"""The `nature` of projects whose documents get categories."""


class Project(Tracked, SoftDeleted, Base):
    """A corpus with its labels, models and settings. `name` is the stable key, `label` is displayed."""

    __tablename__ = "projects"

    id: Mapped[Identifier]
    name: Mapped[Name] = mapped_column(unique=True)
    label: Mapped[Name]
    description: Mapped[LongText] = mapped_column(default="")
    nature: Mapped[str] = mapped_column(String(32))
    lang: Mapped[str] = mapped_column(String(8), default="en")
    image: Mapped[LongText] = mapped_column(default="")
    image_id: Mapped[Name | None] = mapped_column(default=None)
    image_filename: Mapped[Name | None] = mapped_column(default=None)
    owner_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("users.id", ondelete="SET NULL"), index=True)
    group_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("groups.id", ondelete="SET NULL"), index=True)
    route_on_open_project: Mapped[Name | None] = mapped_column(default=None)
    collaborative_annotation: Mapped[bool] = mapped_column(default=True)
    clean_html: Mapped[bool] = mapped_column(default=False)
    markdown_content: Mapped[bool] = mapped_column(default=False)
    replace_carriage_returns: Mapped[bool] = mapped_column(default=False)
    exclusive_classes: Mapped[bool] = mapped_column(default=True)
    metafacets: Mapped[JsonList] = mapped_column(default=list)
    properties: Mapped[JsonObject] = mapped_column(default=dict)
    has_split: Mapped[bool] = mapped_column(default=False)
    split_facts: Mapped[JsonObject] = mapped_column(default=dict, server_default="{}")
    """How the documents were assigned to their parts; see `domains.splits.service`."""
