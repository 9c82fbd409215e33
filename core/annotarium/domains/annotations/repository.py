"""All SQL of annotations."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import visible_clause
from annotarium.corpus.labelling.repository import on_reachable, reachable
from annotarium.db.models import Annotation, Document, Label


@dataclass(frozen=True)
class Target:
    """The document an annotation goes to, with the slice it covers."""

    document_id: int
    identifier: str
    length: int
    slice: str


def find_target(call: ProjectCall, identifier: str, start: int, end: int) -> Target | None:
    """The live document and `text[start:end]`, cut by the database."""
    row = call.session.execute(
        select(
            Document.id, Document.identifier, Document.length, func.substr(Document.text, start + 1, end - start)
        ).where(
            Document.identifier == identifier,
            reachable(call),
        )
    ).first()
    return Target(row[0], row[1], row[2], row[3]) if row else None


def find_target_by_id(session: Session, document_id: int, start: int, end: int) -> Target:
    """Like `find_target`, for a document known to exist."""
    row = session.execute(
        select(
            Document.id, Document.identifier, Document.length, func.substr(Document.text, start + 1, end - start)
        ).where(Document.id == document_id)
    ).one()
    return Target(row[0], row[1], row[2], row[3])


def find_twin(call: ProjectCall, document_id: int, label: Label, start: int, end: int) -> Annotation | None:
    """The caller's own live annotation with the same span and label."""
    return call.session.scalar(
        select(Annotation)
        .where(
            Annotation.document_id == document_id,
            Annotation.start == start,
            Annotation.end == end,
            Annotation.label_id == label.id,
            Annotation.created_by == call.username,
            Annotation.deleted_at.is_(None),
        )
        .limit(1)
    )


def find_annotation(call: ProjectCall, identifier: int, *, deleted: bool = False) -> Annotation | None:
    """The annotation, if the caller may see it."""
    query = select(Annotation).where(
        Annotation.id == identifier,
        Annotation.project_id == call.project.id,
        visible_clause(call.access, call.project, Annotation),
        on_reachable(call, Annotation),
    )
    query = query.where(Annotation.deleted_at.is_not(None) if deleted else Annotation.deleted_at.is_(None))
    return call.session.scalar(query.with_for_update())
