"""Deletes a project: its rows stay until it is purged; its index and uploads are removed."""

from __future__ import annotations

from annotarium.access import rights_revision
from annotarium.content import repository
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Project
from annotarium.db.unit_of_work import UnitOfWork


def remove_project(unit: UnitOfWork, project: Project, username: str) -> None:
    """Mark a project as deleted; its name is free from the commit on.

    The index is dropped after the commit (an outbox row of a deleted project makes `indexer` do it). Uploads of its
    imports expire now and are removed by the next cleanup. Rows, files, index and jobs refer to the project's id. What
    refers to its name is removed here, so that a later project of the same name inherits nothing.
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
    """Rename a project to a name that no URL can contain, and delete the idempotent responses of its former name."""
    repository.delete_idempotent_answers(unit.session, project.name)
    project.name = f"{project.name}~{project.id}"
    unit.session.flush()  # so that the name is free within this transaction, too
