"""SQL for active plans and the trained models they use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Experiment, Gazetteer, Plan, Suggester


def list_plans(session: Session, project_id: int) -> Sequence[Plan]:
    """Live plans of a project in creation order."""
    query = select(Plan).where(Plan.project_id == project_id, Plan.deleted_at.is_(None))
    return session.scalars(query.order_by(Plan.id)).all()


def find_model_owner(session: Session, project_id: int, name: str) -> Experiment | Suggester | Gazetteer | None:
    """Return the experiment, suggester or gazetteer of that name in a project, if it has a model."""
    tables: tuple[type[Experiment] | type[Suggester] | type[Gazetteer], ...] = (Experiment, Suggester, Gazetteer)
    for table in tables:
        query = select(table).where(table.project_id == project_id, table.name == name, table.models > 0)
        found = cast("Experiment | Suggester | Gazetteer | None", session.scalars(query).first())
        if found is not None:
            return found
    return None
