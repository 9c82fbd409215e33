"""All SQL of documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents, visible_clause
from annotarium.db.models import AltText, Annotation, Category, Document, Group, Label, Segment


def readable(call: ProjectCall) -> ColumnElement[bool]:
    """True for live documents of the project that the caller may see (document-level access: origin groups)."""
    return readable_documents(call.access, call.project)


def find_document(call: ProjectCall, identifier: str) -> Document | None:
    """The document of that identifier within the caller's reach, without loading its text twice."""
    return call.session.scalar(select(Document).where(readable(call), Document.identifier == identifier))


def find_document_id(call: ProjectCall, identifier: str) -> int | None:
    """The id of that document."""
    return call.session.scalar(select(Document.id).where(readable(call), Document.identifier == identifier))


def page_of_ids(call: ProjectCall, after: int, limit: int) -> Sequence[int]:
    """Ids of readable documents beyond `after`, ascending."""
    query = select(Document.id).where(readable(call), Document.id > after).order_by(Document.id).limit(limit)
    return call.session.scalars(query).all()


def iterate_ids(call: ProjectCall, *, limit: int, batch: int) -> Iterator[Sequence[int]]:
    """Ids of readable documents in batches; `limit` 0 = all."""
    after, left = 0, limit if limit > 0 else -1
    while left:
        ids = page_of_ids(call, after, min(batch, left) if left > 0 else batch)
        if not ids:
            return
        yield ids
        after = ids[-1]
        left -= len(ids) if left > 0 else 0


def random_ids(call: ProjectCall, count: int) -> Sequence[int]:
    """Ids of some readable documents, drawn at random."""
    return call.session.scalars(select(Document.id).where(readable(call)).order_by(func.random()).limit(count)).all()


def document_rows(call: ProjectCall, ids: Sequence[int], *, with_text: bool) -> Iterable[Any]:
    """Rows of the readable documents among the ids, with the name of their origin group."""
    columns: list[Any] = [
        Document.id,
        Document.identifier,
        Document.title,
        Document.metadata_,
        Document.created_by,
        Document.created_at,
        Document.modified_at,
        Document.version,
        Document.reviewed,
        Group.name.label("group_name"),
    ]
    if with_text:
        columns.append(Document.text)
    query = select(*columns).outerjoin(Group, Group.id == Document.origin_group_id)
    return call.session.execute(query.where(readable(call), Document.id.in_(ids)))


def metadata_rows(call: ProjectCall, ids: Sequence[int]) -> Sequence[Any]:
    """Id, identifier, metadata and version of the readable documents among the ids, for a change of them."""
    columns = (Document.id, Document.identifier, Document.metadata_, Document.version)
    query = select(*columns).where(readable(call), Document.id.in_(ids)).order_by(Document.id)
    return call.session.execute(query.with_for_update()).all()


def update_documents(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Change documents by their id; each row gives the same columns."""
    if rows:
        session.execute(update(Document).execution_options(synchronize_session=False), list(rows))


def identifier_of(session: Session, document_id: int) -> str:
    """The identifier of a document known to exist."""
    return session.scalars(select(Document.identifier).where(Document.id == document_id)).one()


def label_names(call: ProjectCall) -> dict[int, str]:
    """Label id -> stable name, deleted labels included."""
    query = select(Label.id, Label.name).where(Label.project_id == call.project.id)
    return {row[0]: row[1] for row in call.session.execute(query)}


LABELLED_COLUMNS = (
    *("id", "document_id", "label_id", "start", "end", "status", "creation_mode", "score", "properties"),
    *("created_by", "created_at", "modified_at", "version"),
)
"""What annotations and categories have in common, in the order of the rows below."""


def _labelled_columns(table: type[Annotation] | type[Category]) -> list[Any]:
    return [getattr(table, name) for name in LABELLED_COLUMNS]


def annotation_rows(call: ProjectCall, document_ids: Sequence[int]) -> Iterable[Any]:
    """`LABELLED_COLUMNS`, text, terms and fragments of annotations that the caller may read, by start, end and age."""
    query = (
        select(*_labelled_columns(Annotation), Annotation.text, Annotation.terms, Annotation.fragments)
        .where(
            Annotation.document_id.in_(document_ids),
            Annotation.deleted_at.is_(None),
            visible_clause(call.access, call.project, Annotation),
        )
        .order_by(Annotation.document_id, Annotation.start, Annotation.end, Annotation.id)
    )
    return call.session.execute(query)


def category_rows(call: ProjectCall, document_ids: Sequence[int]) -> Iterable[Any]:
    """`LABELLED_COLUMNS` of categories that the caller may read, by place and age."""
    query = (
        select(*_labelled_columns(Category))
        .where(
            Category.document_id.in_(document_ids),
            Category.deleted_at.is_(None),
            visible_clause(call.access, call.project, Category),
        )
        .order_by(Category.document_id, Category.start, Category.id)
    )
    return call.session.execute(query)


def segment_rows(call: ProjectCall, document_ids: Sequence[int]) -> Iterable[Any]:
    """`(document id, start, end, metadata)` of segments, in order."""
    query = select(Segment.document_id, Segment.start, Segment.end, Segment.metadata_)
    query = query.where(Segment.document_id.in_(document_ids)).order_by(Segment.document_id, Segment.start)
    return call.session.execute(query)


def alt_text_rows(call: ProjectCall, document_ids: Sequence[int]) -> Iterable[Any]:
    """`(document id, name, text)` of alternative texts."""
    query = select(AltText.document_id, AltText.name, AltText.text).where(AltText.document_id.in_(document_ids))
    return call.session.execute(query.order_by(AltText.document_id, AltText.name))
