"""All SQL of experiments."""

from __future__ import annotations

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from annotarium.db.models import Experiment

# Asked with every answer somebody gives: built once.
_CURRENT = select(Experiment.id).where(Experiment.project_id == bindparam("project"), Experiment.uptodate.is_(True))


def outdate(session: Session, project_id: int) -> None:
    """Trained models no longer know everything that was annotated."""
    if session.scalar(_CURRENT, {"project": project_id}) is None:
        return
    session.execute(
        update(Experiment)
        .where(Experiment.project_id == project_id, Experiment.uptodate.is_(True))
        .values(uptodate=False)
    )
