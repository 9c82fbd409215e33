"""Concepts of the knowledge base of this installation."""

from __future__ import annotations

from sqlalchemy import LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, JsonObject


class Concept(Base):
    """What is known of something that terms point to. It belongs to no project: it is loaded by who runs the server."""

    __tablename__ = "concepts"

    identifier: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The number of the knowledge base (`Q90`), or any name of one's own."""
    page: Mapped[str | None] = mapped_column(String(64), index=True, default=None)
    """The number of the page of the encyclopedia, which terms carry as `wikipediaExternalRef`."""
    content: Mapped[JsonObject] = mapped_column(default=dict)
    """Terms, definitions and statements, by language; see `knowledge.schemas.ConceptLine`."""
    image: Mapped[bytes | None] = mapped_column(LargeBinary, default=None)
