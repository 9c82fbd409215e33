"""Answers already given to a create that carried an `Idempotency-Key`."""

from __future__ import annotations

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, JsonObject, Name, Timestamp


class IdempotencyKey(Base):
    """The answer that a key of a user got; the same key again gets the same answer."""

    __tablename__ = "idempotency_keys"

    username: Mapped[Name] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(128), primary_key=True)
    route: Mapped[str] = mapped_column(String(255))
    answer: Mapped[JsonObject]
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms, index=True)
