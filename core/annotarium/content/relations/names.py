"""Names of relations: existing ones are found, deleted ones restored, new ones created with the next colour."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy.orm import Session

from annotarium.content.palette import next_color
from annotarium.content.relations import repository
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Project, RelationName
from annotarium.db.row_marks import mark_restored


def ensure_names(session: Session, project: Project, names: Iterable[str], actor: str) -> dict[str, RelationName]:
    """Return the row of each name; missing ones get the least-used colour of labels and relation names together
    (C-031).
    """
    requested = list(dict.fromkeys(names))
    if not requested:
        return {}
    found, missing = _existing_and_missing_names(session, project, requested)
    if missing:  # lock, so that no other transaction creates the same name
        repository.lock_project(session, project.id)
        found, missing = _existing_and_missing_names(session, project, requested)
    used = repository.used_label_and_relation_colors(session, project.id) if missing else []
    for name in missing:
        row = found.get(name)
        if row is None:
            row = found[name] = RelationName(id=new_id(), project_id=project.id, name=name, created_by=actor)
            session.add(row)
        else:
            mark_restored(row)
        row.color = next_color(used)
        row.modified_by, row.modified_at = actor, now_ms()
        used.append(row.color)
    session.flush()
    return found


def _existing_and_missing_names(
    session: Session, project: Project, requested: list[str]
) -> tuple[dict[str, RelationName], list[str]]:
    """Return the existing rows, deleted ones included, and the names without a live row."""
    found = {row.name: row for row in repository.find_names(session, project.id, requested)}
    return found, [name for name in requested if name not in found or found[name].deleted_at is not None]
