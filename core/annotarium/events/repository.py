"""Queries of the hub: rights of the recipients, projects of events."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.access.repository import find_api_key_by_id, find_project, read_rights_revision
from annotarium.access.rights import Access
from annotarium.access.visibility import readable_documents
from annotarium.db.models import ApiKey, Document, Project, SignInSession

__all__ = [
    "find_api_key_by_id",
    "find_projects_by_id",
    "find_projects_by_name",
    "is_document_readable",
    "read_rights_revision",
]


def is_document_readable(session: Session, access: Access, project_name: str, identifier: str) -> bool:
    """Whether the document exists and the caller may read it."""
    project = find_project(session, project_name)
    if project is None or not access.rights_on(project).read:
        return False
    statement = select(Document.id).where(readable_documents(access, project), Document.identifier == identifier)
    return session.scalar(statement) is not None


def find_credential_expiry(session: Session, access: Access) -> int | None:
    """When the caller's sign-in or API key expires (seconds since the Unix epoch), None if it does not."""
    ends_at = None
    if access.session_id is not None:
        ends_at = session.scalar(select(SignInSession.expires_at).where(SignInSession.id == access.session_id))
    elif access.key_id is not None:
        ends_at = session.scalar(select(ApiKey.expires_at).where(ApiKey.id == access.key_id))
    return ends_at // 1000 if ends_at is not None else None


def find_projects_by_name(session: Session, names: set[str]) -> dict[str, Project]:
    """Projects by name, deleted ones included."""
    if not names:
        return {}
    return {project.name: project for project in session.scalars(select(Project).where(Project.name.in_(names)))}


def find_projects_by_id(session: Session, ids: set[int]) -> dict[int, Project]:
    """Projects by id, deleted ones included: their readers must be notified of the deletion."""
    if not ids:
        return {}
    return {project.id: project for project in session.scalars(select(Project).where(Project.id.in_(ids)))}
