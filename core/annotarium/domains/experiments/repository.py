"""All SQL of experiments."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from annotarium.db.models import Experiment, Job, Project

# Asked with every answer somebody gives: built once.
_CURRENT = select(Experiment.id).where(Experiment.project_id == bindparam("project"), Experiment.uptodate.is_(True))


def list_experiments(session: Session, project: Project) -> Sequence[Experiment]:
    """Experiments of a project in creation order."""
    return session.scalars(select(Experiment).where(Experiment.project_id == project.id).order_by(Experiment.id)).all()


def find_experiment(session: Session, project: Project, name: str) -> Experiment | None:
    """The experiment of that name."""
    return session.scalar(select(Experiment).where(Experiment.project_id == project.id, Experiment.name == name))


def active_jobs(session: Session, job_ids: Sequence[str]) -> set[str]:
    """Those of the jobs that have not ended."""
    return set(session.scalars(select(Job.id).where(Job.id.in_(job_ids), Job.status == "STARTED")))


def outdate(session: Session, project_id: int) -> None:
    """Trained models no longer know everything that was annotated."""
    if session.scalar(_CURRENT, {"project": project_id}) is None:
        return
    session.execute(
        update(Experiment)
        .where(Experiment.project_id == project_id, Experiment.uptodate.is_(True))
        .values(uptodate=False)
    )
