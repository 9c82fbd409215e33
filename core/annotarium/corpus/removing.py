"""How a project goes: its rows stay until it is purged, what was made from them and sent for them does not."""

from __future__ import annotations

from annotarium.corpus import repository
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Project
from annotarium.db.unit import UnitOfWork


def remove_project(unit: UnitOfWork, project: Project, username: str) -> None:
    """Mark a project as deleted.

    Its index goes after the commit (`indexer`: an outbox row of a deleted project drops it); files that were sent for
    its imports have run out, the next look for such files removes them.
    """
    project.deleted_at, project.deleted_by = now_ms(), username
    repository.expire_uploads(unit.session, repository.uploads_of_jobs(unit.session, project.id), now_ms())
    unit.touch(project.id, "project")
    unit.emit("project", {"type": "deleted", "by": username}, project=project.name)
