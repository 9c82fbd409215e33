"""Composes the notification: which job, in which project, its outcome, the error and its fix, a link."""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, parseaddr
from urllib.parse import quote

from annotarium.db.models import Job, Project
from annotarium.db.timestamps import iso
from annotarium.jobs.serializers import CANCELLED, COMPLETED, FAILED
from annotarium.mail.repository import Recipient
from annotarium.mail.translation import translate, translate_message
from annotarium.settings import Settings
from annotarium_schemas.messages import message

_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_LONGEST = 120
_WHY = ("message", "cause", "fix")
_OUTCOMES = {
    COMPLETED: message("mail.completed", "Completed"),
    FAILED: message("mail.failed", "Failed"),
    CANCELLED: message("mail.cancelled", "Cancelled"),
}


class BadAddress(Exception):
    """The address cannot be used in an e-mail."""


def compose_job_mail(
    job: Job, project: Project | None, recipient: Recipient, language: str, settings: Settings
) -> EmailMessage:
    """The notification about a job that has ended.

    Line breaks in names of users, projects and components are removed, so they cannot add a header or a line.

    Raises:
        BadAddress: the recipient's address is not valid.
    """
    text = EmailMessage(policy=SMTP)
    name, sender = parseaddr(settings.mail_sender or "")
    text["From"] = mail_address(name, sender)
    text["To"] = mail_address(recipient.name, recipient.address)
    what = one_line(translate(job.description, job.description_said, language))
    outcome = translate_message(_OUTCOMES.get(job.status, _OUTCOMES[FAILED]), language)
    subject = translate_message(
        message("mail.subject", "{outcome}: {what}", outcome=outcome, what=truncate(what)), language
    )
    text["Subject"] = f"{subject} ({truncate(one_line(project.label))})" if project else subject
    text["Date"] = formatdate((job.completed_at or 0) / 1000)
    # The same for each attempt, so that mail programs show the message once.
    text["Message-ID"] = f"<annotarium-job-{job.id}@{sender.rpartition('@')[2]}>"
    text["Auto-Submitted"] = "auto-generated"
    lines = [*_greeting(recipient, language), what, "", *_job_fact_lines(job, project, outcome, language), ""]
    text.set_content("\n".join([*lines, *_footer(project, recipient, language, settings)]))
    text["Content-Language"] = language  # after set_content, which removes Content headers
    return text


def _greeting(recipient: Recipient, language: str) -> list[str]:
    return [translate_message(message("mail.hello", "Hello {name},", name=one_line(recipient.name)), language), ""]


def _job_fact_lines(job: Job, project: Project | None, outcome: str, language: str) -> list[str]:
    facts = [message("mail.project", "Project: {name}", name=one_line(project.label))] if project else []
    facts += [
        message("mail.outcome", "Status: {outcome}", outcome=outcome),
        message("mail.began", "Started: {moment}", moment=format_timestamp(job.started_at or job.created_at)),
        message("mail.over", "Ended: {moment}", moment=format_timestamp(job.completed_at or 0)),
    ]
    if job.status == COMPLETED and job.status_message:
        text = translate(job.status_message, job.status_said, language)
        facts.append(message("mail.result", "Result: {text}", text=one_line(text)))
    error = job.error or {}
    said = error.get("said") or {}
    texts = {name: one_line(translate(error[name], said.get(name), language)) for name in _WHY if error.get(name)}
    if "message" in texts:
        facts.append(message("mail.error", "Error: {text}", text=texts["message"]))
    if "cause" in texts:
        facts.append(message("mail.cause", "Cause: {text}", text=texts["cause"]))
    if "fix" in texts:
        facts.append(message("mail.fix", "What to do: {text}", text=texts["fix"]))
    return [translate_message(fact, language) for fact in facts]


def _footer(project: Project | None, recipient: Recipient, language: str, settings: Settings) -> list[str]:
    page = f"/openProject/{quote(project.name, safe='')}" if project else ""
    page += "/jobs" if recipient.sees_jobs else ""
    link = [settings.public_address.rstrip("/") + page, ""] if settings.public_address else []
    reason = message("mail.asked", "You get this message because you asked for it when you started the job.")
    return [*link, translate_message(reason, language)]


def one_line(text: str) -> str:
    """The text on one line."""
    return _BREAKS.sub(" ", text).strip()


def truncate(text: str) -> str:
    """The text, shortened to what a line of a message may contain."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"


def format_timestamp(moment: int) -> str:
    """A time (ms since the Unix epoch) to the minute, in UTC."""
    return f"{(iso(moment) or '')[:16].replace('T', ' ')} UTC"


def mail_address(name: str, address: str) -> Address:
    """The address of a sender or recipient.

    Raises:
        BadAddress: it is not valid.
    """
    try:
        return Address(display_name=one_line(name), addr_spec=address)
    except (HeaderParseError, ValueError, IndexError) as error:
        raise BadAddress(str(error)) from error
