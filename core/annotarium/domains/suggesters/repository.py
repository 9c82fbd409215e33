"""All SQL of suggesters and of the suggestions they write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.orm import Session

from annotarium.db.models import Project, Suggester, Suggestion

# Asked with every answer somebody gives: built once.
_ACTIVE = select(Suggester).where(Suggester.project_id == bindparam("project"), Suggester.active.is_(True))


def list_suggesters(session: Session, project: Project) -> Sequence[Suggester]:
    """Suggesters of a project in creation order."""
    return session.scalars(select(Suggester).where(Suggester.project_id == project.id).order_by(Suggester.id)).all()


def find_suggester(session: Session, project: Project, name: str) -> Suggester | None:
    """The suggester of that name."""
    return session.scalar(select(Suggester).where(Suggester.project_id == project.id, Suggester.name == name))


def active_suggesters(session: Session, project_id: int) -> Sequence[Suggester]:
    """Suggesters that retrain as answers come in."""
    return session.scalars(_ACTIVE, {"project": project_id}).all()


def replace_suggestions(session: Session, project_id: int, suggester: str, rows: Sequence[dict[str, Any]]) -> None:
    """Put new suggestions in the place of a suggester's old ones."""
    delete_suggestions(session, project_id, suggester)
    if rows:
        session.execute(insert(Suggestion), list(rows))


def delete_suggestions(session: Session, project_id: int, suggester: str) -> None:
    """Forget the suggestions of a suggester."""
    session.execute(delete(Suggestion).where(Suggestion.project_id == project_id, Suggestion.suggester == suggester))
