"""What a message says: which job, where, how it ended, why, what to do, where to look."""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, parseaddr
from urllib.parse import quote

from annotarium.db.models import Job, Project
from annotarium.db.times import iso
from annotarium.jobs.bean import CANCELLED, COMPLETED, FAILED
from annotarium.mail.repository import Reader
from annotarium.mail.words import in_language, spoken
from annotarium.settings import Settings
from annotarium_schemas.said import say

_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_LONGEST = 120
_WHY = ("message", "cause", "fix")
_OUTCOMES = {
    COMPLETED: say("mail.completed", "Completed"),
    FAILED: say("mail.failed", "Failed"),
    CANCELLED: say("mail.cancelled", "Cancelled"),
}


class BadAddress(Exception):
    """The address is none a message can be sent to."""


def compose(job: Job, project: Project | None, reader: Reader, language: str, settings: Settings) -> EmailMessage:
    """The message about a job that ended.

    Line breaks in names of people, projects and components end neither a header nor a line.

    Raises:
        BadAddress: the reader's address cannot stand in a message.
    """
    message = EmailMessage(policy=SMTP)
    name, sender = parseaddr(settings.mail_sender or "")
    message["From"] = _address(name, sender)
    message["To"] = _address(reader.name, reader.address)
    what = _line(in_language(job.description, job.description_said, language))
    outcome = spoken(_OUTCOMES.get(job.status, _OUTCOMES[FAILED]), language)
    subject = spoken(say("mail.subject", "{outcome}: {what}", outcome=outcome, what=_cut(what)), language)
    message["Subject"] = f"{subject} ({_cut(_line(project.label))})" if project else subject
    message["Date"] = formatdate((job.completed_at or 0) / 1000)
    # The same for each try, so that programs which read mail show it once.
    message["Message-ID"] = f"<annotarium-job-{job.id}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    lines = [*_greeting(reader, language), what, "", *_facts(job, project, outcome, language), ""]
    message.set_content("\n".join([*lines, *_end(project, reader, language, settings)]))
    message["Content-Language"] = language  # what begins with Content goes when the content is set
    return message


def _greeting(reader: Reader, language: str) -> list[str]:
    return [spoken(say("mail.hello", "Hello {name},", name=_line(reader.name)), language), ""]


def _facts(job: Job, project: Project | None, outcome: str, language: str) -> list[str]:
    facts = [say("mail.project", "Project: {name}", name=_line(project.label))] if project else []
    facts += [
        say("mail.outcome", "Outcome: {outcome}", outcome=outcome),
        say("mail.began", "Started: {moment}", moment=_moment(job.started_at or job.created_at)),
        say("mail.over", "Ended: {moment}", moment=_moment(job.completed_at or 0)),
    ]
    if job.status == COMPLETED and job.status_message:
        text = in_language(job.status_message, job.status_said, language)
        facts.append(say("mail.result", "Result: {text}", text=_line(text)))
    error = job.error or {}
    said = error.get("said") or {}
    texts = {name: _line(in_language(error[name], said.get(name), language)) for name in _WHY if error.get(name)}
    if "message" in texts:
        facts.append(say("mail.error", "Error: {text}", text=texts["message"]))
    if "cause" in texts:
        facts.append(say("mail.cause", "Cause: {text}", text=texts["cause"]))
    if "fix" in texts:
        facts.append(say("mail.fix", "What to do: {text}", text=texts["fix"]))
    return [spoken(fact, language) for fact in facts]


def _end(project: Project | None, reader: Reader, language: str, settings: Settings) -> list[str]:
    page = f"/openProject/{quote(project.name, safe='')}" if project else ""
    page += "/jobs" if reader.sees_jobs else ""
    link = [settings.public_address.rstrip("/") + page, ""] if settings.public_address else []
    asked = say("mail.asked", "You get this message because you asked for it when you started the job.")
    return [*link, spoken(asked, language)]


def _line(text: str) -> str:
    """The text on one line."""
    return _BREAKS.sub(" ", text).strip()


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _moment(moment: int) -> str:
    return f"{(iso(moment) or '')[:16].replace('T', ' ')} UTC"


def _address(name: str, address: str) -> Address:
    try:
        return Address(display_name=_line(name), addr_spec=address)
    except (HeaderParseError, ValueError, IndexError) as error:
        raise BadAddress(str(error)) from error
