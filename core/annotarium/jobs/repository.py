"""SQL for running jobs. State changes are compare-and-set: of two concurrent ones, the second has no effect."""

from __future__ import annotations

from collections.abc import Sequence
from sys import intern
from typing import Any

from sqlalchemy import ColumnElement, CursorResult, delete, func, select, update
from sqlalchemy.orm import Session

from annotarium.access.repository import find_user_id
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job, JobItem, JobMail, Project

__all__ = ["find_user_id"]

LEASE_MS = 60_000
"""How long a running job is considered alive after its last renewal (milliseconds)."""
ATTEMPTS_MAX = 3
INTERACTIVE = "interactive"
"""Queue of jobs that only deliver a response to a waiting client."""


def find_job(session: Session, job_id: str) -> tuple[Job, Project | None] | None:
    """A job with its project, re-read from the database; None without such a job."""
    job = session.get(Job, job_id, populate_existing=True)
    if job is None:
        return None
    return job, session.get(Project, job.project_id) if job.project_id is not None else None


def _update_job_where(session: Session, where: Sequence[ColumnElement[bool]], **values: Any) -> bool:
    result = session.execute(update(Job).where(*where).values(**values).execution_options(synchronize_session=False))
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


def claim_job(session: Session, job_id: str) -> bool:
    """Claim a waiting job: increases its fence and starts its lease. False if it does not wait any more."""
    timestamp = now_ms()
    return _update_job_where(
        session,
        [Job.id == job_id, Job.state.in_(("waiting", "queued")), Job.cancel_requested.is_(False)],
        state="running",
        fence=Job.fence + 1,
        attempts=Job.attempts + 1,
        started_at=timestamp,
        lease_until=timestamp + LEASE_MS,
    )


def _owned_by_run(job_id: str, fence: int) -> list[ColumnElement[bool]]:
    return [Job.id == job_id, Job.fence == fence, Job.state == "running"]


def run_owns_job(session: Session, job_id: str, fence: int) -> bool:
    """Whether this run still owns the job."""
    return session.scalar(select(Job.id).where(*_owned_by_run(job_id, fence))) is not None


def renew_lease(session: Session, job_id: str, fence: int, **values: Any) -> bool:
    """Renew the lease and set other values; False if the run lost the job."""
    return _update_job_where(session, _owned_by_run(job_id, fence), lease_until=now_ms() + LEASE_MS, **values)


def is_cancel_requested(session: Session, job_id: str) -> bool:
    """Whether cancellation of the job was requested."""
    return bool(session.scalar(select(Job.cancel_requested).where(Job.id == job_id)))


def finish_job(session: Session, job_id: str, fence: int, status: str, **values: Any) -> bool:
    """Write the final state, once; False if the run lost the job."""
    return _update_job_where(
        session,
        _owned_by_run(job_id, fence),
        state="done",
        status=status,
        completed_at=now_ms(),
        lease_until=None,
        **values,
    )


def end_waiting_job(session: Session, job_id: str, status: str, **values: Any) -> bool:
    """Write the final state of a waiting job; False if it does not wait any more."""
    return _update_job_where(
        session,
        [Job.id == job_id, Job.state.in_(("waiting", "queued"))],
        state="done",
        status=status,
        completed_at=now_ms(),
        **values,
    )


def revoke_run(session: Session, job_id: str, fence: int, **values: Any) -> bool:
    """Take a running job from its run. Increases the fence, so that a run still alive cannot write any more."""
    return _update_job_where(session, _owned_by_run(job_id, fence), fence=Job.fence + 1, lease_until=None, **values)


def request_cancel(session: Session, job_id: str) -> bool:
    """Request cancellation; False if the job is done."""
    return _update_job_where(session, [Job.id == job_id, Job.state != "done"], cancel_requested=True)


def expire_lease(session: Session, job_id: str) -> bool:
    """Expire the lease of a job whose run is known to be dead."""
    return _update_job_where(session, [Job.id == job_id, Job.state == "running"], lease_until=0)


def list_waiting_jobs(session: Session, created_before: int) -> list[Job]:
    """Waiting jobs created up to that time, oldest first."""
    statement = select(Job).where(Job.state.in_(("waiting", "queued")), Job.created_at <= created_before)
    return list(session.scalars(statement.order_by(Job.created_at)))


def next_waiting_job_of_each_user(session: Session, lane: str, most: int = 8) -> list[str]:
    """Ids of jobs that wait in a lane: the oldest of each user, starting with the user served least recently.

    While a user waits, each other user is therefore served at most once before them.
    """
    waiting = [Job.queue == lane, Job.state.in_(("waiting", "queued")), Job.cancel_requested.is_(False)]
    oldest = select(Job.created_by, func.min(Job.created_at)).where(*waiting).group_by(Job.created_by)
    since = {name: timestamp for name, timestamp in session.execute(oldest)}
    served = select(Job.created_by, func.max(Job.started_at)).where(Job.queue == lane, Job.created_by.in_(since))
    last = {
        name: timestamp for name, timestamp in session.execute(served.group_by(Job.created_by)) if timestamp is not None
    }
    found: list[str] = []
    for name in sorted(since, key=lambda name: (last.get(name, -1), since[name]))[:most]:
        first = select(Job.id).where(*waiting, Job.created_by == name).order_by(Job.created_at, Job.id).limit(1)
        found += session.scalars(first)
    return found


def others_are_waiting(session: Session, lane: str, username: str, since: int) -> bool:
    """Whether a job of another user has been waiting in a lane since that timestamp or longer."""
    statement = select(Job.id).where(
        Job.queue == lane,
        Job.state.in_(("waiting", "queued")),
        Job.cancel_requested.is_(False),
        Job.created_by != username,
        Job.created_at <= since,
    )
    return session.scalar(statement.limit(1)) is not None


def list_lost_jobs(session: Session, timestamp: int | None) -> list[Job]:
    """Running jobs whose lease expired before `timestamp`; all running jobs for None."""
    statement = select(Job).where(Job.state == "running")
    if timestamp is not None:
        statement = statement.where(Job.lease_until < timestamp)
    return list(session.scalars(statement))


def list_cancelling_jobs(session: Session) -> list[Job]:
    """Running jobs whose cancellation was requested."""
    return list(session.scalars(select(Job).where(Job.state == "running", Job.cancel_requested.is_(True))))


def delete_interactive_jobs(session: Session, ended_before: int) -> int:
    """Delete ended interactive jobs, including the texts in them; returns their number."""
    statement = delete(Job).where(Job.queue == INTERACTIVE, Job.state == "done", Job.completed_at < ended_before)
    result = session.execute(statement.execution_options(synchronize_session=False))
    assert isinstance(result, CursorResult)
    return int(result.rowcount)


def last_report_ordinal(session: Session, job_id: str) -> int:
    """The highest ordinal in the report, 0 if it is empty."""
    return session.scalar(select(func.max(JobItem.ordinal)).where(JobItem.job_id == job_id)) or 0


def reported_item_outcomes(session: Session, job_id: str) -> dict[str, str]:
    """Items in the report with their outcomes, without summary lines."""
    query = select(JobItem.item, JobItem.outcome).where(JobItem.job_id == job_id, JobItem.kind.is_(None))
    rows = session.execute(query)
    return {item: intern(outcome) for item, outcome in rows}


def request_email(session: Session, job_id: str, language: str) -> None:
    """Request an e-mail for the end of a job."""
    session.add(JobMail(job_id=job_id, language=language))


def schedule_email(session: Session, job_id: str) -> None:
    """Mark the requested e-mail, if any, as due, because the job has ended."""
    statement = update(JobMail).where(JobMail.job_id == job_id, JobMail.due_at.is_(None)).values(due_at=now_ms())
    session.execute(statement.execution_options(synchronize_session=False))
