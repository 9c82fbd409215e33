"""How a project goes: its rows stay until it is purged, what was made from them and sent for them does not."""

from __future__ import annotations

from annotarium.access import rights_revision
from annotarium.content import repository
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Project
from annotarium.db.unit_of_work import UnitOfWork


def remove_project(unit: UnitOfWork, project: Project, username: str) -> None:
    """Mark a project as deleted; its name is free from the commit on.

    Its index goes after the commit (`indexer`: an outbox row of a deleted project drops it); files that were sent for
    its imports have run out, the next look for such files removes them. Rows, files, index and jobs hang on its id;
    what hangs on its name goes here, so that the next project of that name inherits nothing.
    """
    name = project.name
    project.deleted_at, project.deleted_by = now_ms(), username
    release_name(unit, project)
    if repository.revoke_project_permissions(unit.session, name):
        rights_revision.note_rights_change(unit.session)
    repository.expire_uploads(unit.session, repository.uploads_of_jobs(unit.session, project.id), now_ms())
    unit.touch(project.id, "project")
    unit.emit("project", {"type": "deleted", "by": username}, project=name, project_id=project.id)


def release_name(unit: UnitOfWork, project: Project) -> None:
    """Give a project a name that no address can hold, and forget the answers to calls under its former name."""
    repository.delete_idempotent_answers(unit.session, project.name)
    project.name = f"{project.name}~{project.id}"
    unit.session.flush()  # the name is free for the rest of this transaction, too
