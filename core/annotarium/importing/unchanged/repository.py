"""SQL that compares the stored content with that of an import. `ids` are ids of documents, one batch of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import (
    AltText,
    Annotation,
    Category,
    Comment,
    CommentThread,
    Document,
    Label,
    Relation,
    RelationName,
    Segment,
)


def document_rows(session: Session, ids: Collection[int]) -> Iterable[Any]:
    """`(id, title, text, metadata, reviewed)`."""
    columns = (Document.id, Document.title, Document.text, Document.metadata_, Document.reviewed)
    return session.execute(select(*columns).where(Document.id.in_(ids)))


def segment_rows(session: Session, ids: Collection[int]) -> Iterable[Any]:
    """`(document, start, end, metadata)`, in order."""
    query = select(Segment.document_id, Segment.start, Segment.end, Segment.metadata_)
    return session.execute(query.where(Segment.document_id.in_(ids)).order_by(Segment.document_id, Segment.start))


_LABELLED = ("document_id", "start", "end", "status", "creation_mode", "score", "properties")


def annotation_rows(session: Session, ids: Collection[int]) -> Iterable[Any]:
    """Live annotations: the fields of `_LABELLED`, the label by name, terms, fragments and the id."""
    columns = [getattr(Annotation, name) for name in _LABELLED]
    query = select(*columns, Label.name, Annotation.terms, Annotation.fragments, Annotation.id)
    query = query.join(Label, Label.id == Annotation.label_id)
    return session.execute(query.where(Annotation.document_id.in_(ids), Annotation.deleted_at.is_(None)))


def category_rows(session: Session, ids: Collection[int]) -> Iterable[Any]:
    """Live categories: the fields of `_LABELLED` and the label by name."""
    columns = [getattr(Category, name) for name in _LABELLED]
    query = select(*columns, Label.name).join(Label, Label.id == Category.label_id)
    return session.execute(query.where(Category.document_id.in_(ids), Category.deleted_at.is_(None)))


def alt_text_rows(session: Session, ids: Collection[int]) -> Iterable[Any]:
    """`(document, name, text)`."""
    return session.execute(select(AltText.document_id, AltText.name, AltText.text).where(AltText.document_id.in_(ids)))


def relation_rows(session: Session, ids: Collection[int]) -> Iterable[Any]:
    """`(document, name, source, target, properties)`; the ends are ids of annotations, which may be deleted."""
    columns = (Relation.document_id, RelationName.name, Relation.source_id, Relation.target_id, Relation.properties)
    query = select(*columns).join(RelationName, RelationName.id == Relation.name_id)
    return session.execute(query.where(Relation.document_id.in_(ids), Relation.deleted_at.is_(None)))


def comment_rows(session: Session, ids: Collection[int]) -> Iterable[Any]:
    """Live comments: `(document, target, start, end, text)`; what a comment on an annotation is about is its place."""
    columns = (Comment.document_id, CommentThread.target, CommentThread.start, CommentThread.end, Comment.text)
    query = select(*columns).join(CommentThread, CommentThread.id == Comment.thread_id)
    return session.execute(query.where(Comment.document_id.in_(ids), Comment.deleted_at.is_(None)))
