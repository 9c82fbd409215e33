"""SQL of experiments, suggesters and gazetteers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Experiment, Gazetteer, Job, Plan, Project, Suggester

Row = TypeVar("Row", Experiment, Suggester, Gazetteer)


def list_trainables(session: Session, model: type[Row], project: Project) -> Sequence[Row]:
    """All rows of a project in creation order."""
    return session.scalars(select(model).where(model.project_id == project.id).order_by(model.id)).all()


def find_trainable(session: Session, model: type[Row], project: Project, name: str) -> Row | None:
    return session.scalar(select(model).where(model.project_id == project.id, model.name == name))


def is_name_taken(session: Session, model: type[Row], project: Project, name: str) -> bool:
    """Whether another row has the name. A gazetteer shares its name with no other annotator of the project, because
    annotations are replaced by the name of their creator.
    """
    tables: tuple[type[Experiment] | type[Suggester] | type[Gazetteer] | type[Plan], ...] = (model, Gazetteer)
    if model is Gazetteer:
        tables = (Gazetteer, Experiment, Suggester, Plan)
    queries = (select(table.id).where(table.project_id == project.id, table.name == name) for table in tables)
    return any(session.scalar(query.limit(1)) is not None for query in queries)


def active_jobs(session: Session, job_ids: Sequence[str]) -> set[str]:
    """The ids of the given jobs that have not ended."""
    return set(session.scalars(select(Job.id).where(Job.id.in_(job_ids), Job.status == "STARTED")))


def trainable_exists(session: Session, model: type[Row], row_id: int) -> bool:
    """Whether there is a row with that id, in any project."""
    return session.scalar(select(model.id).where(model.id == row_id)) is not None
