"""All SQL of models from elsewhere: the rows that model folders belong to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Experiment, InstanceFact, Project, Suggester, Vectorization

ENGINES = ("experiment", "suggester")
"""Kinds of owners whose models archives can bring."""
SIGNED = "models.signed"


class ModelOwner(NamedTuple):
    """A row with a trained model, and its project."""

    project: Project
    row: Experiment | Suggester


def find_model_owners(session: Session, kind: str, ids: Collection[int]) -> dict[int, ModelOwner]:
    """Rows of live projects among the ids, by id."""
    rows: Sequence[Experiment] | Sequence[Suggester]
    if kind == "experiment":
        rows = session.scalars(select(Experiment).where(Experiment.id.in_(ids))).all()
    else:
        rows = session.scalars(select(Suggester).where(Suggester.id.in_(ids))).all()
    projects = {row.project_id for row in rows}
    live = session.scalars(select(Project).where(Project.id.in_(projects), Project.deleted_at.is_(None)))
    by_id = {project.id: project for project in live}
    return {row.id: ModelOwner(by_id[row.project_id], row) for row in rows if row.project_id in by_id}


def models_known_to_database(session: Session) -> set[tuple[str, int, int]]:
    """`(kind, id, moment)` of the models that the database says its rows have."""
    found = {
        ("experiment", row[0], row[1])
        for row in session.execute(select(Experiment.id, Experiment.timestamp).where(Experiment.models > 0))
    }
    found |= {
        ("suggester", row[0], row[1])
        for row in session.execute(select(Suggester.id, Suggester.timestamp).where(Suggester.models > 0))
    }
    vectors = session.execute(select(Vectorization.id, Vectorization.model, Vectorization.building))
    return found | {("vectorizer", row[0], timestamp) for row in vectors for timestamp in row[1:]}


def were_existing_models_signed(session: Session) -> bool:
    """Whether models from before there were signatures have been signed."""
    return session.get(InstanceFact, SIGNED) is not None


def note_existing_models_signed(session: Session, count: int) -> None:
    """Write down that they were, so that nothing is ever signed again but what is trained."""
    session.add(InstanceFact(key=SIGNED, value={"models": count}))
