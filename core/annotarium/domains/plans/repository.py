"""All SQL of plans; what works without them being asked for is in `content.plans`."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Plan, Project


def lock_project(session: Session, project_id: int) -> None:
    """Have others who lock the project wait for the end of this transaction: one plan of a type is active."""
    session.execute(select(Project.id).where(Project.id == project_id).with_for_update())


def find_plan(session: Session, project_id: int, name: str) -> Plan | None:
    """The live plan of that name."""
    query = select(Plan).where(Plan.project_id == project_id, Plan.name == name, Plan.deleted_at.is_(None))
    return session.scalar(query)


def is_plan_name_taken(session: Session, project_id: int, name: str) -> bool:
    """Whether a plan has that name, or had it before it was deleted."""
    return session.scalar(select(Plan.id).where(Plan.project_id == project_id, Plan.name == name)) is not None
