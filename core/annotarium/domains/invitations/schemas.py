"""Schemas of invitations."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SecretStr, StringConstraints

from annotarium_schemas.shape import Command, Shape

DAYS_DEFAULT, DAYS_MAX = 14, 90
USES_MAX = 1_000
Right = Literal["read", "write"]
"""What the share of an invitation permits; writing includes reading."""
_PART = r'[^@\s\x00-\x1f\x7f,;:<>()\[\]\\"]+'
EmailAddress = Annotated[str, StringConstraints(strip_whitespace=True, max_length=254, pattern=rf"^{_PART}@{_PART}$")]
"""One address, without a name."""


class InvitationCreate(Command):
    """An invitation to create; `uses`: how many people may accept it, None for any number."""

    right: Right = "read"
    days: int = Field(DAYS_DEFAULT, ge=1, le=DAYS_MAX, description="Days until it expires")
    uses: int | None = Field(None, ge=1, le=USES_MAX, description="How many people may accept it; default: any number")


class InvitationSend(Command):
    """An invitation to send by e-mail; one person may accept it."""

    address: EmailAddress
    right: Right = "read"
    days: int = Field(DAYS_DEFAULT, ge=1, le=DAYS_MAX, description="Days until it expires")
    language: Literal["en", "fr"] = "en"


class InvitationRead(Shape):
    """An open invitation, without its token.

    Attributes:
        uses_left: how many people may still accept it; None: any number.
        usable: False while its creator may no longer share the project: nobody can accept it then.
    """

    id: str
    right: Right
    created_by: str
    created_at: str
    expires_at: str
    uses_left: int | None = None
    sent_to: str | None = None
    usable: bool = True


class InvitationCreated(InvitationRead):
    """A new invitation with its token, which is not stored and cannot be read again."""

    token: str


class InvitationList(Shape):
    """The open invitations of a project; `sends_mail`: whether invitations can be sent by e-mail."""

    invitations: list[InvitationRead]
    sends_mail: bool


class InvitationToken(Command):
    """The token of an invitation, from the fragment of its link."""

    token: Annotated[SecretStr, Field(min_length=1, max_length=200)]


class InvitationFacts(Shape):
    """What the holder of a valid token may know before accepting it."""

    project_label: str
    inviter: str
    right: Right


class InvitationAccepted(Shape):
    """The project that the caller may open now."""

    project_name: str
    project_label: str
    right: Right
