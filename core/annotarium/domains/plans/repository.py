"""SQL of plans for managing them; queries for running plans are in `content.plans`."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Gazetteer, Plan, Project


def lock_project(session: Session, project_id: int) -> None:
    """Lock the project row until the end of the transaction, so that at most one plan of a type is active."""
    session.execute(select(Project.id).where(Project.id == project_id).with_for_update())


def find_plan(session: Session, project_id: int, name: str) -> Plan | None:
    """The plan with that name, unless deleted."""
    query = select(Plan).where(Plan.project_id == project_id, Plan.name == name, Plan.deleted_at.is_(None))
    return session.scalar(query)


def find_deleted_plan(session: Session, project_id: int, name: str) -> Plan | None:
    """The deleted plan with that name; names of deleted plans are not given again."""
    query = select(Plan).where(Plan.project_id == project_id, Plan.name == name, Plan.deleted_at.is_not(None))
    return session.scalar(query)


def is_plan_name_taken(session: Session, project_id: int, name: str) -> bool:
    """Whether a plan has that name, deleted plans included, or a gazetteer, which shares its name with no other
    annotator.
    """
    tables: tuple[type[Plan] | type[Gazetteer], ...] = (Plan, Gazetteer)
    queries = (select(table.id).where(table.project_id == project_id, table.name == name) for table in tables)
    return any(session.scalar(query) is not None for query in queries)
