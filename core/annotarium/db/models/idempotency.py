"""Stored responses to create requests with an `Idempotency-Key`."""

from __future__ import annotations

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, JsonObject, Name, Timestamp


class IdempotencyKey(Base):
    """The response a user's key received; a repeated request with the same key gets the same response."""

    __tablename__ = "idempotency_keys"

    username: Mapped[Name] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(128), primary_key=True)
    route: Mapped[str] = mapped_column(String(255))
    answer: Mapped[JsonObject]
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms, index=True)
