"""Sends the messages that are due, one attempt each; messages that the server does not accept now are retried later.

A message is claimed for some minutes before it is sent, and deleted once the server has accepted it. It is sent at
least once, and twice only if this process dies in between. Nothing waits for it: it runs in a thread of its own.
"""

from __future__ import annotations

import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage

import structlog

from annotarium.db.identifiers import now_ms
from annotarium.db.unit_of_work import unit_of_work
from annotarium.mail import repository
from annotarium.mail.message import BadAddress, compose_job_mail
from annotarium.mail.repository import DueMail
from annotarium.settings import Settings, get_settings

log = structlog.get_logger(__name__)

ANSWER_SECONDS = 20.0
"""Timeout in seconds for each response of the mail server."""
CLAIMED_MS = 600_000
"""Longer than an attempt takes: after that time the process that claimed the message must be dead."""
PAUSES_MS = (60_000, 300_000, 1_800_000, 7_200_000)
"""Pauses before the second attempt, the third and so on; after the last one the message is given up."""
STALE_MS = 86_400_000
"""A message that could not even be attempted for this long is outdated and dropped."""
_PORTS = {"starttls": 587, "tls": 465, "none": 25}
_REFUSED = 500


def send_due_mails() -> int:
    """Attempt to send every message that is due; returns the number of messages sent."""
    moment = now_ms()
    with unit_of_work(actor="", write=False) as unit:
        due = repository.list_due(unit.session, moment)
    return sum(_claim_and_send(mail) for mail in due)


def _claim_and_send(mail: DueMail) -> bool:
    with unit_of_work(actor="", write=True) as unit:
        if not repository.claim_mail(unit.session, mail, now_ms() + CLAIMED_MS):
            return False
    try:
        sent = _try_to_send(mail)
    except Exception as error:  # noqa: BLE001  # must not prevent other messages from being sent
        _retry_later_or_give_up(mail, error)
        return False
    _delete_mail(mail.job_id)
    return sent


def _try_to_send(mail: DueMail) -> bool:
    """Send the message. Returns False if it is dropped: no recipient, outdated, or too many attempts."""
    settings = get_settings()
    message = (
        None
        if mail.attempts > len(PAUSES_MS) or now_ms() - mail.due_at > STALE_MS
        else _compose_message(mail, settings)
    )
    if message is None:
        log.info("mail_dropped", job_id=mail.job_id, attempts=mail.attempts)
        return False
    deliver_to_mail_server(message, settings)
    log.info("mail_sent", job_id=mail.job_id)
    return True


def _compose_message(mail: DueMail, settings: Settings) -> EmailMessage | None:
    with unit_of_work(actor="", write=False) as unit:
        found = repository.find_job(unit.session, mail.job_id)
        reader = repository.find_recipient(unit.session, found[0].created_by) if found else None
        if found is None or reader is None:
            return None
        try:
            return compose_job_mail(*found, reader, mail.language, settings)
        except BadAddress as error:
            log.warning("mail_address_refused", job_id=mail.job_id, error=str(error))
            return None


class MailNotAccepted(Exception):
    """The mail server is unreachable, or did not accept the message. Its text names no address."""


def send_immediately(message: EmailMessage, settings: Settings) -> None:
    """Send a message in one attempt, which may take as long as the mail server: `ANSWER_SECONDS` for each response.

    Raises:
        MailNotAccepted: the message was not sent.
    """
    try:
        deliver_to_mail_server(message, settings)
    except (OSError, smtplib.SMTPException) as error:
        raise MailNotAccepted(type(error).__name__) from error


def deliver_to_mail_server(message: EmailMessage, settings: Settings) -> None:
    """Send a message to the mail server.

    Raises:
        OSError, smtplib.SMTPException: the server did not accept it.
    """
    host, security = settings.smtp_host or "", settings.smtp_security
    port = settings.smtp_port or _PORTS[security]
    trust = ssl.create_default_context(cafile=settings.smtp_authority) if security != "none" else None
    if security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=ANSWER_SECONDS, context=trust)
    else:
        server = smtplib.SMTP(host, port, timeout=ANSWER_SECONDS)
    try:
        if security == "starttls":
            server.starttls(context=trust)
        if settings.smtp_user:
            server.login(settings.smtp_user, _smtp_password(settings))
        server.send_message(message)
    finally:
        with suppress(OSError, smtplib.SMTPException):
            server.quit()  # the response does not matter: the message was accepted or not
        server.close()


def _smtp_password(settings: Settings) -> str:
    if settings.smtp_password_file is not None:
        return settings.smtp_password_file.read_text(encoding="utf-8").strip()
    return settings.smtp_password.get_secret_value() if settings.smtp_password is not None else ""


def _retry_later_or_give_up(mail: DueMail, error: Exception) -> None:
    """Schedule another attempt, unless the failure is permanent or it was the last one."""
    error_text = f"{type(error).__name__}: {error}"[:200]
    if mail.attempts >= len(PAUSES_MS) or _is_permanent_failure(error):
        log.error("mail_given_up", job_id=mail.job_id, attempts=mail.attempts + 1, error=error_text)
        _delete_mail(mail.job_id)
        return
    log.warning("mail_not_sent", job_id=mail.job_id, attempts=mail.attempts + 1, error=error_text)
    with unit_of_work(actor="", write=True) as unit:
        repository.postpone_mail(unit.session, mail.job_id, now_ms() + PAUSES_MS[mail.attempts])


def _is_permanent_failure(error: Exception) -> bool:
    """Whether the server refused this message or its recipient permanently. Wrong credentials are not permanent."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= _REFUSED for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code >= _REFUSED
    return isinstance(error, smtplib.SMTPNotSupportedError) and "SMTPUTF8" in str(error)


def _delete_mail(job_id: str) -> None:
    with unit_of_work(actor="", write=True) as unit:
        repository.delete_mail(unit.session, job_id)
