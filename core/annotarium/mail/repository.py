"""SQL of pending messages. Changes are compare-and-set, so that only one of several processes sends a message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import CursorResult, delete, select, update
from sqlalchemy.orm import Session

from annotarium.access.user_rights_cache import read_access
from annotarium.db.models import Job, JobMail, Project, User

SEES_JOBS = "seeProjectJobs"


@dataclass(frozen=True)
class DueMail:
    """A message that is due. `attempts` counts the previous attempts."""

    job_id: str
    language: str
    due_at: int
    attempts: int


@dataclass(frozen=True)
class Recipient:
    """The recipient of a message."""

    name: str
    address: str
    sees_jobs: bool


def list_due(session: Session, timestamp: int) -> list[DueMail]:
    """Up to 100 messages due at that time (ms since the Unix epoch), oldest first."""
    statement = select(JobMail).where(JobMail.due_at <= timestamp).order_by(JobMail.due_at).limit(100)
    return [DueMail(row.job_id, row.language, row.due_at or 0, row.attempts) for row in session.scalars(statement)]


def claim_mail(session: Session, mail: DueMail, until: int) -> bool:
    """Claim a message until that time (ms); False if another process was first."""
    statement = (
        update(JobMail)
        .where(JobMail.job_id == mail.job_id, JobMail.due_at == mail.due_at)
        .values(due_at=until, attempts=mail.attempts + 1)
    )
    result = session.execute(statement.execution_options(synchronize_session=False))
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


def postpone_mail(session: Session, job_id: str, until: int) -> None:
    """Schedule the next attempt (ms since the Unix epoch)."""
    _execute(session, update(JobMail).where(JobMail.job_id == job_id).values(due_at=until))


def delete_mail(session: Session, job_id: str) -> None:
    """Delete a message that was sent or given up."""
    _execute(session, delete(JobMail).where(JobMail.job_id == job_id))


def _execute(session: Session, statement: Any) -> None:
    session.execute(statement.execution_options(synchronize_session=False))


def find_job(session: Session, job_id: str) -> tuple[Job, Project | None] | None:
    """A job with its project; None if the job was deleted."""
    statement = select(Job, Project).outerjoin(Project, Job.project_id == Project.id).where(Job.id == job_id)
    row = session.execute(statement).one_or_none()
    return None if row is None else (row[0], row[1])


def find_recipient(session: Session, username: str) -> Recipient | None:
    """The user who started a job; None if the account is deleted, may not sign in, or has no address."""
    user = session.scalar(select(User).where(User.username == username))
    access = read_access(session, user.id) if user is not None and user.email else None
    if user is None or not user.email or access is None:
        return None
    return Recipient(user.profilename or user.username, user.email, access.can(SEES_JOBS))
