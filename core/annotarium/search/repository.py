"""All SQL of the indexer: the present state of documents, as plain rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from annotarium.db.dataset import confirmed_clause
from annotarium.db.models import Annotation, Category, Document, Group, Label, Outbox, Project, Segment


@dataclass(slots=True)
class Labelling:
    """One annotation or category, as much as facets need. Document categories have no offsets."""

    label: str
    status: str | None
    mode: str
    creator: str
    moment: int
    start: int | None = None
    end: int | None = None


@dataclass(slots=True)
class DocumentState:
    """A live document with everything its index entries are made of. `text` is None when only facets are read."""

    id: int
    identifier: str
    title: str
    text: str | None
    metadata: dict[str, Any]
    split: str | None
    origin: str | None
    created_at: int
    modified_at: int
    created_by: str
    reviewed: bool = False
    segments: list[tuple[int, int]] = field(default_factory=list)
    annotations: list[Labelling] = field(default_factory=list)
    categories: list[Labelling] = field(default_factory=list)


def find_project(session: Session, project_id: int) -> Project | None:
    """The project, deleted ones included."""
    return session.get(Project, project_id)


def list_projects(session: Session) -> Sequence[Project]:
    """All live projects."""
    return session.scalars(select(Project).where(Project.deleted_at.is_(None)).order_by(Project.id)).all()


def label_names(session: Session, project_id: int) -> dict[int, str]:
    """Label id -> stable name, deleted labels included."""
    return {
        row[0]: row[1] for row in session.execute(select(Label.id, Label.name).where(Label.project_id == project_id))
    }


def load_states(
    session: Session, project_id: int, document_ids: Sequence[int], *, with_text: bool, labels: dict[int, str]
) -> dict[int, DocumentState]:
    """The live documents among the ids, by id."""
    columns = (
        Document.id,
        Document.identifier,
        Document.title,
        Document.metadata_,
        Document.split,
        Group.name,
        Document.created_at,
        Document.modified_at,
        Document.created_by,
        Document.reviewed,
        *((Document.text,) if with_text else ()),
    )
    query = (
        select(*columns)
        .outerjoin(Group, Group.id == Document.origin_group_id)
        .where(Document.id.in_(document_ids), Document.project_id == project_id, Document.deleted_at.is_(None))
    )
    states = {}
    for row in session.execute(query):
        text = row[10] if with_text else None
        states[row[0]] = DocumentState(
            row[0], row[1], row[2], text, row[3] or {}, row[4], row[5], row[6], row[7], row[8], row[9]
        )
    _load_segments(session, states)
    _load_labelling(session, states, labels)
    return states


def _load_segments(session: Session, states: dict[int, DocumentState]) -> None:
    query = (
        select(Segment.document_id, Segment.start, Segment.end)
        .where(Segment.document_id.in_(states))
        .order_by(Segment.document_id, Segment.start)
    )
    for document_id, start, end in session.execute(query):
        states[document_id].segments.append((start, end))


def _load_labelling(session: Session, states: dict[int, DocumentState], labels: dict[int, str]) -> None:
    for table, attribute in ((Annotation, "annotations"), (Category, "categories")):
        query = select(
            table.document_id,
            table.label_id,
            table.status,
            table.creation_mode,
            table.created_by,
            table.modified_at,
            table.start,
            table.end,
        ).where(table.document_id.in_(states), table.deleted_at.is_(None))
        for document_id, label_id, status, mode, creator, moment, start, end in session.execute(query):
            item = Labelling(labels.get(label_id, ""), status, mode, creator, moment, start, end)
            getattr(states[document_id], attribute).append(item)


def document_ids(session: Session, project_id: int, after: int, limit: int) -> Sequence[int]:
    """Ids of live documents beyond `after`, ascending."""
    query = (
        select(Document.id)
        .where(Document.project_id == project_id, Document.deleted_at.is_(None), Document.id > after)
        .order_by(Document.id)
        .limit(limit)
    )
    return session.scalars(query).all()


def labelled_document_ids(session: Session, project_id: int, after: int, limit: int) -> Sequence[int]:
    """Ids beyond `after` of live documents that are reviewed or carry a judged annotation or category, ascending."""
    judged = [
        select(table.id).where(
            table.document_id == Document.id,
            table.deleted_at.is_(None),
            or_(confirmed_clause(table), table.status == "KO"),
        )
        for table in (Annotation, Category)
    ]
    query = (
        select(Document.id)
        .where(Document.project_id == project_id, Document.deleted_at.is_(None), Document.id > after)
        .where(or_(Document.reviewed.is_(True), *(part.exists() for part in judged)))
        .order_by(Document.id)
        .limit(limit)
    )
    return session.scalars(query).all()


def count_documents(session: Session, project_id: int) -> int:
    """Live documents of a project."""
    query = select(func.count(Document.id)).where(Document.project_id == project_id, Document.deleted_at.is_(None))
    return session.scalars(query).one()


def pending(session: Session, *, before: int, limit: int) -> Sequence[Outbox]:
    """Outbox rows made before an identifier, oldest first."""
    return session.scalars(select(Outbox).where(Outbox.id < before).order_by(Outbox.id).limit(limit)).all()


def count_pending(session: Session) -> int:
    """Outbox rows that wait."""
    return session.scalars(select(func.count(Outbox.id))).one()


def forget(session: Session, outbox_ids: Iterable[int]) -> None:
    """Delete applied outbox rows."""
    ids = list(outbox_ids)
    for begin in range(0, len(ids), 500):
        session.execute(delete(Outbox).where(Outbox.id.in_(ids[begin : begin + 500])))


def iterate_document_ids(session: Session, project_id: int, batch: int = 500) -> Iterator[list[int]]:
    """All live document ids in batches."""
    after = 0
    while ids := document_ids(session, project_id, after, batch):
        yield list(ids)
        after = ids[-1]
