"""SQL of preferences."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from annotarium.access.call import ProjectCall
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Preference


def list_preferences(call: ProjectCall) -> dict[str, Preference]:
    """The caller's preferences in the project, by name."""
    query = select(Preference).where(
        Preference.user_id == call.access.user_id, Preference.project_id == call.project.id
    )
    return {row.name: row for row in call.session.scalars(query)}


def save_preference(call: ProjectCall, name: str, value: Any) -> None:
    """Store a preference of the caller, replacing its former value."""
    row = list_preferences(call).get(name)
    if row is None:
        row = Preference(user_id=call.access.user_id, project_id=call.project.id, name=name)
        call.session.add(row)
    row.value, row.modified_at = value, now_ms()


def delete_preference(call: ProjectCall, name: str) -> None:
    """Reset a preference of the caller."""
    row = list_preferences(call).get(name)
    if row is not None:
        call.session.delete(row)
