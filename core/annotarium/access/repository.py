"""Look-ups the guard needs."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Project


def find_project(session: Session, name: str) -> Project | None:
    """The live project of that name."""
    return session.scalar(select(Project).where(Project.name == name, Project.deleted_at.is_(None)))
