"""Look-ups of the hub: who listens, which project an event is about."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.access.repository import read_revision
from annotarium.db.models import Project

__all__ = ["find_named", "read_revision"]


def find_named(session: Session, names: set[str]) -> dict[str, Project]:
    """Projects by name, deleted ones too: their readers have to hear of the deletion."""
    if not names:
        return {}
    return {project.name: project for project in session.scalars(select(Project).where(Project.name.in_(names)))}
