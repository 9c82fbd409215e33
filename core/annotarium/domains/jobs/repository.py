"""SQL of the job lists and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, exists, func, not_, or_, select, tuple_
from sqlalchemy.orm import Session

from annotarium.db.models import Document, Job, JobItem, Project
from annotarium.jobs.repository import INTERACTIVE
from annotarium.jobs.serializers import RESTORATION, RESTORED_NAME

LIST_MAX = 1_000


def _newest_with_statuses(statement: Select[Job, Project], statuses: Sequence[str]) -> Select[Job, Project]:
    statement = statement.where(Job.queue != INTERACTIVE)
    if statuses:
        statement = statement.where(Job.status.in_(statuses))
    return statement.order_by(Job.created_at.desc(), Job.id.desc()).limit(LIST_MAX)


def list_project_jobs(
    session: Session, project: Project, statuses: Sequence[str], created_by: str | None
) -> list[tuple[Job, Project | None]]:
    """The newest non-interactive jobs of a project, at most `LIST_MAX`; of one user if `created_by` is given."""
    statement = select(Job, Project).join(Project, Job.project_id == Project.id).where(Job.project_id == project.id)
    if created_by is not None:
        statement = statement.where(Job.created_by == created_by)
    return [(row[0], row[1]) for row in session.execute(_newest_with_statuses(statement, statuses))]


def list_restoration_jobs(
    session: Session, name: str, created_by: str, statuses: Sequence[str]
) -> list[tuple[Job, Project | None]]:
    """A user's restoration jobs whose target project does not exist (yet), newest first."""
    named = Job.arguments[RESTORED_NAME].as_string() == name
    own = (Job.created_by == created_by, Job.type == RESTORATION, Job.project_id.is_(None), named)
    statement = select(Job, Project).outerjoin(Project, Job.project_id == Project.id).where(*own)
    return [(row[0], row[1]) for row in session.execute(_newest_with_statuses(statement, statuses))]


def list_jobs(session: Session, statuses: Sequence[str]) -> list[tuple[Job, Project | None]]:
    """The newest jobs with and without a project, at most `LIST_MAX`. Interactive jobs are left out."""
    statement = select(Job, Project).outerjoin(Project, Job.project_id == Project.id)
    return [(row[0], row[1]) for row in session.execute(_newest_with_statuses(statement, statuses))]


def find_job(session: Session, job_id: str) -> tuple[Job, Project | None] | None:
    """A job with its project; the project is None for a job outside projects."""
    statement = select(Job, Project).outerjoin(Project, Job.project_id == Project.id).where(Job.id == job_id)
    row = session.execute(statement).one_or_none()
    return None if row is None else (row[0], row[1])


@dataclass(frozen=True)
class ReportFilter:
    """Which lines of a report to select: with one of these outcomes (empty = all) and with this text in item, document
    or message, except lines about documents of the project from groups other than `groups` (None = no restriction).
    """

    outcomes: Sequence[str] = ()
    text: str = ""
    project_id: int | None = None
    groups: frozenset[int] | None = None

    def narrow(self, statement: Select[Any]) -> Select[Any]:
        """Add the conditions of the filter to a statement."""
        if self.outcomes:
            statement = statement.where(JobItem.outcome.in_(self.outcomes))
        if self.text:
            places = (JobItem.item, JobItem.document_identifier, JobItem.message)
            statement = statement.where(or_(*(place.icontains(self.text, autoescape=True) for place in places)))
        if self.groups is not None:
            closed = exists().where(
                Document.project_id == self.project_id,
                Document.identifier == JobItem.document_identifier,
                Document.origin_group_id.is_not(None),
                Document.origin_group_id.not_in(self.groups),
            )
            statement = statement.where(not_(closed))
        return statement


def count_report_items(session: Session, job_id: str, lines: ReportFilter) -> int:
    """Count the lines of a report that pass the filter."""
    statement = select(func.count()).select_from(JobItem).where(JobItem.job_id == job_id)
    return session.scalar(lines.narrow(statement)) or 0


def count_report_outcomes(session: Session, job_id: str) -> dict[str, int]:
    """Number of items by outcome, including items that have no line of their own."""
    counted = func.sum(JobItem.count)
    statement = select(JobItem.outcome, counted).where(JobItem.job_id == job_id).group_by(JobItem.outcome)
    return {outcome: int(count) for outcome, count in session.execute(statement)}


def list_report_items(session: Session, job_id: str, lines: ReportFilter, start: int, size: int) -> list[JobItem]:
    """One page of a report, in processing order."""
    statement = lines.narrow(select(JobItem).where(JobItem.job_id == job_id))
    return list(session.scalars(statement.order_by(JobItem.ordinal, JobItem.item).offset(start).limit(size)))


def list_report_items_after(
    session: Session, job_id: str, lines: ReportFilter, after: tuple[int, str], size: int
) -> list[JobItem]:
    """The lines after the one at `after` (ordinal, item), in processing order."""
    statement = lines.narrow(select(JobItem).where(JobItem.job_id == job_id))
    statement = statement.where(tuple_(JobItem.ordinal, JobItem.item) > after)
    return list(session.scalars(statement.order_by(JobItem.ordinal, JobItem.item).limit(size)))
