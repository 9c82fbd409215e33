"""All SQL of annotations."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import visible_clause
from annotarium.corpus.labelling.repository import on_reachable, reachable
from annotarium.db.models import Annotation, Document, Label

# Built once: they run with every annotation, and building a statement takes longer than running it.
_SLICE = func.substr(Document.text, bindparam("first"), bindparam("count"))
_TARGET = select(Document.id, Document.identifier, Document.length, _SLICE)
_NAMED_TARGET = _TARGET.where(Document.identifier == bindparam("identifier"))
_TARGET_BY_ID = _TARGET.where(Document.id == bindparam("document"))
_TWIN = (
    select(Annotation)
    .where(
        Annotation.document_id == bindparam("document"),
        Annotation.start == bindparam("start"),
        Annotation.end == bindparam("end"),
        Annotation.label_id == bindparam("label"),
        Annotation.created_by == bindparam("creator"),
        Annotation.deleted_at.is_(None),
    )
    .limit(1)
)


@dataclass(frozen=True)
class Target:
    """The document an annotation goes to, with the slice it covers."""

    document_id: int
    identifier: str
    length: int
    slice: str


def find_target(call: ProjectCall, identifier: str, start: int, end: int) -> Target | None:
    """The live document and `text[start:end]`, cut by the database."""
    values = {"first": start + 1, "count": end - start, "identifier": identifier}
    row = call.session.execute(_NAMED_TARGET.where(reachable(call)), values).first()
    return Target(row[0], row[1], row[2], row[3]) if row else None


def find_target_by_id(session: Session, document_id: int, start: int, end: int) -> Target:
    """Like `find_target`, for a document known to exist."""
    values = {"first": start + 1, "count": end - start, "document": document_id}
    row = session.execute(_TARGET_BY_ID, values).one()
    return Target(row[0], row[1], row[2], row[3])


def find_twin(call: ProjectCall, document_id: int, label: Label, start: int, end: int) -> Annotation | None:
    """The caller's own live annotation with the same span and label."""
    values = {"document": document_id, "start": start, "end": end, "label": label.id, "creator": call.username}
    return call.session.scalar(_TWIN, values)


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
