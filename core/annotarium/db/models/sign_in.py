"""Sign-in sessions and API keys. Only hashes of secrets are stored."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String, true
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, Identifier, LongText, Name, Reference, Timestamp


class SignInSession(Base):
    """One sign-in; signing out or disabling the user ends it on the server."""

    __tablename__ = "sign_in_sessions"

    id: Mapped[Identifier]
    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    expires_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    ended_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    address: Mapped[Name] = mapped_column(default="", server_default="")
    agent: Mapped[Name] = mapped_column(default="", server_default="")
    """The user agent of the browser or program, shown to the user in the list of sign-ins."""
    restriction: Mapped[LongText] = mapped_column(default="", server_default="")
    """The most its tokens may do (`access.restriction`), empty for all that the user may do. It never changes."""
    renewable: Mapped[bool] = mapped_column(default=True, server_default=true())
    """Whether use of the web app prolongs it; requested tokens expire at their fixed time."""


class ApiKey(Base):
    """A key for programs, shown once; header `X-Kairntech-key` of the published description."""

    __tablename__ = "api_keys"

    id: Mapped[Identifier]
    user_id: Mapped[Reference] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    key_sha256: Mapped[str] = mapped_column(String(64), unique=True)
    label: Mapped[Name] = mapped_column(default="")
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    created_by: Mapped[Name] = mapped_column(default="", server_default="")
    """Who created it: its user, or the operator with a command."""
    expires_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    last_used_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    """Written at most once an hour (`access.api_key_usage`)."""
    restriction: Mapped[LongText] = mapped_column(default="", server_default="")
    """The most it may do (`access.restriction`), empty for all that the user may do. It never changes."""
