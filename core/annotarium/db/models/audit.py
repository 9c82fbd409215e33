"""Audit log: sign-ins, rights, shares, exports, deletes, model imports. Append-only, no document text."""

from __future__ import annotations

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, Identifier, JsonObject, Name, Timestamp


class AuditEntry(Base):
    """Who did what to which target, and with which result."""

    __tablename__ = "audit"

    id: Mapped[Identifier]
    at: Mapped[Timestamp] = mapped_column(default=now_ms, index=True)
    actor: Mapped[Name]
    action: Mapped[str] = mapped_column(String(64))
    target: Mapped[Name] = mapped_column(default="")
    result: Mapped[str] = mapped_column(String(16), default="ok")
    details: Mapped[JsonObject] = mapped_column(default=dict)
