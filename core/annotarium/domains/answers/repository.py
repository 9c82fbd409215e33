"""SQL of verdicts on answers. Who writes in the project sees all of them, others their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, func, select

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents
from annotarium.db.models import AnswerFeedback, Document


def is_visible(call: ProjectCall) -> ColumnElement[bool]:
    """SQL condition for the verdicts that the caller sees."""
    own = AnswerFeedback.project_id == call.project.id
    return own if call.access.rights_on(call.project).write else own & (AnswerFeedback.created_by == call.username)


def list_feedback(call: ProjectCall, from_: int, size: int) -> tuple[Sequence[AnswerFeedback], int]:
    """A page of the verdicts that the caller sees, newest first, and their number."""
    query = select(AnswerFeedback).where(is_visible(call))
    order = (AnswerFeedback.created_at.desc(), AnswerFeedback.id.desc())
    rows = call.session.scalars(query.order_by(*order).offset(from_).limit(size)).all()
    return rows, call.session.scalar(select(func.count()).select_from(AnswerFeedback).where(is_visible(call))) or 0


def find_feedback(call: ProjectCall, identifier: int) -> AnswerFeedback | None:
    """The verdict with that id, if the caller sees it."""
    return call.session.scalar(select(AnswerFeedback).where(is_visible(call), AnswerFeedback.id == identifier))


def count_own(call: ProjectCall) -> int:
    """How many verdicts the caller has given in the project."""
    own = (AnswerFeedback.project_id == call.project.id) & (AnswerFeedback.created_by == call.username)
    return call.session.scalar(select(func.count()).select_from(AnswerFeedback).where(own)) or 0


def readable_identifiers(call: ProjectCall, identifiers: Collection[str]) -> set[str]:
    """Those documents of the project that the caller may read."""
    if not identifiers:
        return set()
    readable = readable_documents(call.access, call.project)
    statement = select(Document.identifier).where(readable, Document.identifier.in_(list(identifiers)))
    return set(call.session.scalars(statement))
