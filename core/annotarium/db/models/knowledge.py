"""Concepts of the knowledge base of this installation."""

from __future__ import annotations

from sqlalchemy import LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, JsonObject


class Concept(Base):
    """Facts about an entity that terms refer to. Belongs to no project: the operator of the server loads concepts."""

    __tablename__ = "concepts"

    identifier: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The identifier in the knowledge base (`Q90`), or any custom name."""
    page: Mapped[str | None] = mapped_column(String(64), index=True, default=None)
    """The page number in the encyclopedia, which terms contain as `wikipediaExternalRef`."""
    content: Mapped[JsonObject] = mapped_column(default=dict)
    """Terms, definitions and statements, by language; see `domains.knowledge.schemas.ConceptLine`."""
    image: Mapped[bytes | None] = mapped_column(LargeBinary, default=None)
