"""All SQL of experiments."""

from __future__ import annotations

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from annotarium.db.kept import Kept
from annotarium.db.models import Experiment

# Asked with every answer somebody gives: built once.
_CURRENT = Kept(
    select(Experiment.id).where(Experiment.project_id == bindparam("project"), Experiment.uptodate.is_(True)).limit(1)
)


def outdate(session: Session, project_id: int) -> None:
    """Trained models no longer know everything that was annotated."""
    session.flush()
    if _CURRENT.first(session, {"project": project_id}) is None:
        return
    session.execute(
        update(Experiment)
        .where(Experiment.project_id == project_id, Experiment.uptodate.is_(True))
        .values(uptodate=False)
    )
