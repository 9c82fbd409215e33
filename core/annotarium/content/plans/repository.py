"""SQL for active plans and the trained models they use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Experiment, Plan, Suggester


def list_plans(session: Session, project_id: int) -> Sequence[Plan]:
    """Live plans of a project in creation order."""
    query = select(Plan).where(Plan.project_id == project_id, Plan.deleted_at.is_(None))
    return session.scalars(query.order_by(Plan.id)).all()


def find_experiment_or_suggester(session: Session, project_id: int, name: str) -> Experiment | Suggester | None:
    """Return the experiment or suggester of that name in a project."""
    for table in (Experiment, Suggester):
        query = select(table).where(table.project_id == project_id, table.name == name, table.models > 0)
        found = cast("Experiment | Suggester | None", session.scalars(query).first())
        if found is not None:
            return found
    return None
