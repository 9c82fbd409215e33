"""SQL of comments."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, func, or_, select

from annotarium.access.call import ProjectCall
from annotarium.access.repository import visible_users_clause
from annotarium.access.visibility import readable_documents, readable_labelling_clause
from annotarium.db.models import Annotation, Comment, CommentThread, Document, User

_SLICES = 200
"""Columns of one query."""


def find_document(call: ProjectCall, identifier: str) -> tuple[int, int] | None:
    """Id and length in code points of the document with that identifier, if the caller may read it."""
    query = select(Document.id, Document.length)
    row = call.session.execute(
        query.where(readable_documents(call.access, call.project), Document.identifier == identifier)
    ).first()
    return None if row is None else (row[0], row[1])


def find_annotation(call: ProjectCall, document_id: int, identifier: int) -> Annotation | None:
    """A live annotation of the document that the caller may read."""
    query = select(Annotation).where(
        Annotation.id == identifier,
        Annotation.document_id == document_id,
        Annotation.deleted_at.is_(None),
        readable_labelling_clause(call.access, call.project, Annotation),
    )
    return call.session.scalar(query)


def _readable_thread_clause(call: ProjectCall) -> ColumnElement[bool]:
    """True for threads whose annotation, if they have one, is there and may be read by the caller."""
    seen = select(Annotation.id).where(
        Annotation.id == CommentThread.annotation_id,
        Annotation.deleted_at.is_(None),
        readable_labelling_clause(call.access, call.project, Annotation),
    )
    return or_(CommentThread.annotation_id.is_(None), seen.exists())


def threads_of_documents(call: ProjectCall, document_ids: Collection[int]) -> Sequence[CommentThread]:
    """Readable threads of readable documents, oldest first."""
    query = (
        select(CommentThread)
        .join(Document, Document.id == CommentThread.document_id)
        .where(
            CommentThread.document_id.in_(list(document_ids)),
            readable_documents(call.access, call.project),
            _readable_thread_clause(call),
        )
    )
    return call.session.scalars(query.order_by(CommentThread.id)).all()


def find_thread(call: ProjectCall, identifier: int) -> tuple[CommentThread, str] | None:
    """A readable thread with the identifier of its document, locked until the end of the transaction."""
    query = (
        select(CommentThread, Document.identifier)
        .join(Document, Document.id == CommentThread.document_id)
        .where(
            CommentThread.id == identifier,
            readable_documents(call.access, call.project),
            _readable_thread_clause(call),
        )
    )
    row = call.session.execute(query.with_for_update(of=CommentThread)).first()
    return None if row is None else (row[0], row[1])


def find_comment(call: ProjectCall, identifier: int, *, deleted: bool) -> Comment | None:
    """A live or a deleted comment of the project, locked; its thread decides who may read it."""
    query = select(Comment).where(
        Comment.id == identifier,
        Comment.project_id == call.project.id,
        Comment.deleted_at.is_not(None) if deleted else Comment.deleted_at.is_(None),
    )
    return call.session.scalar(query.with_for_update())


def comments_of_threads(call: ProjectCall, thread_ids: Collection[int]) -> Sequence[Comment]:
    """Live comments of the threads, oldest first."""
    query = select(Comment).where(Comment.thread_id.in_(thread_ids), Comment.deleted_at.is_(None))
    return call.session.scalars(query.order_by(Comment.id)).all()


def text_slices(call: ProjectCall, document_id: int, ranges: Sequence[tuple[int, int]]) -> list[str]:
    """`text[start:end]` of a document for each range."""
    found: list[str] = []
    for first in range(0, len(ranges), _SLICES):
        columns = [func.substr(Document.text, start + 1, end - start) for start, end in ranges[first : first + _SLICES]]
        found += call.session.execute(select(*columns).where(Document.id == document_id)).one()
    return found


def visible_usernames(call: ProjectCall, names: Collection[str]) -> set[str]:
    """Those of the names that are users whom the caller may see."""
    query = select(User.username).where(User.username.in_(list(names)), visible_users_clause(call.access))
    return set(call.session.scalars(query))
