"""SQL of suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import CursorResult, UnaryExpression, delete, func, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.repository import readable_document_clause
from annotarium.db.models import CLASSIFICATION, Annotation, Category, Document, Label, LabelSet, Suggestion

SORTS: dict[str, tuple[UnaryExpression[Any], ...]] = {
    "sampling": (Suggestion.priority.desc(), Suggestion.id.asc()),
    "best": (Suggestion.confidence.desc(), Suggestion.id.asc()),
    "worst": (Suggestion.confidence.asc(), Suggestion.id.asc()),
    "newest": (Suggestion.created_at.desc(), Suggestion.id.desc()),
}


def list_suggestions(call: ProjectCall, sort: str) -> Sequence[Suggestion]:
    """All suggestions on documents the caller may read, sorted (a few hundred at most)."""
    query = select(Suggestion).join(Document, Document.id == Suggestion.document_id)
    query = query.where(Suggestion.project_id == call.project.id, readable_document_clause(call))
    return call.session.scalars(query.order_by(*SORTS[sort])).all()


def judged_labelling_keys(
    session: Session, document_ids: Sequence[int]
) -> set[tuple[int, int | None, int | None, str]]:
    """(document id, start, end, label name) of annotations and categories that users confirmed or rejected."""
    found: set[tuple[int, int | None, int | None, str]] = set()
    for table in (Annotation, Category):
        query = (
            select(table.document_id, table.start, table.end, Label.name)
            .join(Label, Label.id == table.label_id)
            .where(table.document_id.in_(document_ids), table.deleted_at.is_(None), table.status.is_not(None))
        )
        found.update((row[0], row[1], row[2], row[3]) for row in session.execute(query))
    return found


def exclusive_label_set_by_label(call: ProjectCall) -> dict[str, int | None]:
    """Labels of the project by name, each with its label set if only one category of the set may apply, else None."""
    everywhere = call.project.nature == CLASSIFICATION and call.project.exclusive_classes
    query = select(Label.name, Label.label_set_id, LabelSet.exclusive_classes).join(
        LabelSet, LabelSet.id == Label.label_set_id
    )
    rows = call.session.execute(query.where(Label.project_id == call.project.id, Label.deleted_at.is_(None)))
    return {row[0]: row[1] if everywhere or row[2] else None for row in rows}


def decided_label_sets(session: Session, document_ids: Sequence[int]) -> set[tuple[int, int]]:
    """(document id, label set id) of the confirmed categories of documents."""
    query = (
        select(Category.document_id, Label.label_set_id)
        .join(Label, Label.id == Category.label_id)
        .where(Category.document_id.in_(document_ids), Category.deleted_at.is_(None), Category.status == "OK")
        .where(Category.start.is_(None))
    )
    return {(row[0], row[1]) for row in session.execute(query)}


def clear(session: Session, project_id: int) -> int:
    """Delete all suggestions of a project; returns how many."""
    result: CursorResult[Any] = session.execute(delete(Suggestion).where(Suggestion.project_id == project_id))  # type: ignore[assignment]
    return result.rowcount


def count(session: Session, project_id: int) -> int:
    return session.scalars(select(func.count(Suggestion.id)).where(Suggestion.project_id == project_id)).one()
