"""SQL of foreign models: the rows that own model folders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Experiment, Gazetteer, InstanceFact, Project, Suggester, Vectorization

ENGINES = ("experiment", "suggester", "gazetteer")
_TABLES: dict[str, type[Experiment] | type[Suggester] | type[Gazetteer]] = {
    "experiment": Experiment,
    "suggester": Suggester,
    "gazetteer": Gazetteer,
}
"""The owners of models that an archive can contain."""
SIGNED = "models.signed"


class ModelOwner(NamedTuple):
    """The experiment, suggester or gazetteer that owns a model, and its project."""

    project: Project
    row: Experiment | Suggester | Gazetteer


def find_model_owners(session: Session, kind: str, ids: Collection[int]) -> dict[int, ModelOwner]:
    """The owners with these ids, by id, without those of deleted projects."""
    table = _TABLES[kind]
    query = select(table).where(table.id.in_(ids))
    rows = cast("Sequence[Experiment | Suggester | Gazetteer]", session.scalars(query).all())
    projects = {row.project_id for row in rows}
    live = session.scalars(select(Project).where(Project.id.in_(projects), Project.deleted_at.is_(None)))
    by_id = {project.id: project for project in live}
    return {row.id: ModelOwner(by_id[row.project_id], row) for row in rows if row.project_id in by_id}


def models_known_to_database(session: Session) -> set[tuple[str, int, int]]:
    """`(kind, id, timestamp)` of every model in the database: of experiments, suggesters, gazetteers and
    vectorizations.
    """
    found = {
        (kind, row[0], row[1])
        for kind, table in _TABLES.items()
        for row in session.execute(select(table.id, table.timestamp).where(table.models > 0))
    }
    vectors = session.execute(select(Vectorization.id, Vectorization.model, Vectorization.building))
    return found | {("vectorizer", row[0], timestamp) for row in vectors for timestamp in row[1:]}


def were_existing_models_signed(session: Session) -> bool:
    """Whether the models from before the introduction of signatures have been signed."""
    return session.get(InstanceFact, SIGNED) is not None


def note_existing_models_signed(session: Session, count: int) -> None:
    """Store that they have been signed; from now on only training signs a model."""
    session.add(InstanceFact(key=SIGNED, value={"models": count}))
