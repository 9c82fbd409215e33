"""Composes the e-mail with an invitation to a project. Nothing in it was written by its sender but names."""

from __future__ import annotations

from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr

from annotarium.mail.message import format_timestamp, mail_address, one_line, truncate
from annotarium.mail.translation import translate_message
from annotarium.settings import Settings
from annotarium_schemas.messages import Message, message


@dataclass(frozen=True)
class InvitationFacts:
    """The content of the e-mail. `expires_at` is in ms since the Unix epoch."""

    inviter: str
    project_label: str
    write: bool
    expires_at: int
    token: str = field(repr=False)


def sends_invitations(settings: Settings) -> bool:
    """Whether invitations can be sent: needs a mail server, and the public address of the web app for the link."""
    return settings.sends_mail and bool(settings.public_address)


def invitation_link(settings: Settings, token: str) -> str:
    """The token is in the fragment, which browsers do not send: it appears in no log and in no `Referer`."""
    return f"{(settings.public_address or '').rstrip('/')}/invitation#{token}"


def compose_invitation_mail(facts: InvitationFacts, address: str, language: str, settings: Settings) -> EmailMessage:
    """The e-mail with the link of an invitation.

    Line breaks in names are removed, so they cannot add a header or a line.

    Raises:
        BadAddress: the address is not valid.
    """
    inviter, label = truncate(one_line(facts.inviter)), truncate(one_line(facts.project_label))
    name, sender = parseaddr(settings.mail_sender or "")
    mail = EmailMessage(policy=SMTP)
    mail["From"] = mail_address(name, sender)
    mail["To"] = mail_address("", address)
    subject = message("mail.inviteSubject", "{name} invites you to {project}", name=inviter, project=label)
    mail["Subject"] = translate_message(subject, language)
    mail["Date"] = formatdate()
    mail["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    mail["Auto-Submitted"] = "auto-generated"
    paragraphs = [
        translate_message(_offer(inviter, label, write=facts.write), language),
        translate_message(message("mail.inviteOpen", "Open this link and sign in to accept the invitation:"), language),
        invitation_link(settings, facts.token),
        translate_message(
            message(
                "mail.inviteLimits",
                "The link can be used once, until {moment}. Do not pass it on: it opens the project.",
                moment=format_timestamp(facts.expires_at),
            ),
            language,
        ),
        translate_message(
            message("mail.inviteIgnore", "If you do not know {name}, ignore this message.", name=inviter), language
        ),
    ]
    mail.set_content("\n\n".join(paragraphs) + "\n")
    mail["Content-Language"] = language  # after set_content, which removes Content headers
    return mail


def _offer(inviter: str, label: str, *, write: bool) -> Message:
    if write:
        writing = "{name} invites you to the project {project}: you may read and annotate it."
        return message("mail.inviteWrite", writing, name=inviter, project=label)
    reading = "{name} invites you to the project {project}: you may read it."
    return message("mail.inviteRead", reading, name=inviter, project=label)
