"""Look-ups of the hub: who listens, which project an event is about."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.access.repository import find_project, read_revision
from annotarium.access.rights import Access
from annotarium.access.visibility import readable_documents
from annotarium.db.models import Document, Project

__all__ = ["find_named", "is_document_readable", "read_revision"]


def is_document_readable(session: Session, access: Access, project_name: str, identifier: str) -> bool:
    """Whether there is such a document and the caller may read it."""
    project = find_project(session, project_name)
    if project is None or not access.rights_on(project).read:
        return False
    statement = select(Document.id).where(readable_documents(access, project), Document.identifier == identifier)
    return session.scalar(statement) is not None


def find_named(session: Session, names: set[str]) -> dict[str, Project]:
    """Projects by name, deleted ones too: their readers have to hear of the deletion."""
    if not names:
        return {}
    return {project.name: project for project in session.scalars(select(Project).where(Project.name.in_(names)))}
