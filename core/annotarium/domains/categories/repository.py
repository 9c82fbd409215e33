"""SQL of categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_labelling_clause
from annotarium.content.labelling.repository import on_readable_document_clause, readable_document_clause
from annotarium.db.confirmed_labelling import confirmed_clause
from annotarium.db.models import CLASSIFICATION, Category, Document, Label, LabelSet, Segment


@dataclass(frozen=True)
class CategoryTarget:
    """The document that gets a category."""

    document_id: int
    identifier: str
    length: int


def find_category_target(call: ProjectCall, identifier: str) -> CategoryTarget | None:
    """The readable document with this identifier, or None."""
    row = call.session.execute(
        select(Document.id, Document.identifier, Document.length).where(
            Document.identifier == identifier,
            readable_document_clause(call),
        )
    ).first()
    return CategoryTarget(*row) if row else None


def find_category_targets(call: ProjectCall, document_ids: Sequence[int]) -> Sequence[CategoryTarget]:
    """The readable documents among the ids."""
    query = select(Document.id, Document.identifier, Document.length).where(Document.id.in_(document_ids))
    return [
        CategoryTarget(*row)
        for row in call.session.execute(query.where(readable_document_clause(call)).order_by(Document.id))
    ]


def whole_document_categories_of_set(
    call: ProjectCall, document_ids: Sequence[int], label: Label
) -> Sequence[Category]:
    """Readable categories of whole documents with a label of this label's set, rejected ones included."""
    labels = select(Label.id).where(Label.label_set_id == label.label_set_id)
    return call.session.scalars(
        select(Category).where(
            Category.document_id.in_(document_ids),
            or_(Category.label_id == label.id, Category.label_id.in_(labels)),
            Category.start.is_(None),
            Category.deleted_at.is_(None),
            readable_labelling_clause(call.access, call.project, Category),
            on_readable_document_clause(call, Category),
        )
    ).all()


def document_identifier(session: Session, document_id: int) -> str:
    """Identifier of a document, which must exist."""
    return session.scalars(select(Document.identifier).where(Document.id == document_id)).one()


def is_label_exclusive(call: ProjectCall, label: Label) -> bool:
    """Whether the label's set, or the project for classification, allows only one category at a time (S-035)."""
    exclusive = call.session.scalars(select(LabelSet.exclusive_classes).where(LabelSet.id == label.label_set_id)).one()
    return exclusive or (call.project.nature == CLASSIFICATION and call.project.exclusive_classes)


def confirmed_categories_at_position(
    call: ProjectCall, document_id: int, label: Label, start: int | None, end: int | None
) -> Sequence[Category]:
    """Readable confirmed categories of the label set at this position. Suggested ones do not conflict."""
    labels = select(Label.id).where(Label.label_set_id == label.label_set_id)
    return call.session.scalars(
        select(Category).where(
            Category.document_id == document_id,
            Category.label_id.in_(labels),
            Category.start.is_not_distinct_from(start),
            Category.end.is_not_distinct_from(end),
            confirmed_clause(Category),
            readable_labelling_clause(call.access, call.project, Category),
        )
    ).all()


def find_duplicates(
    call: ProjectCall, document_id: int, label: Label, start: int | None, end: int | None
) -> Sequence[Category]:
    """Readable categories with this label at this position."""
    return call.session.scalars(
        select(Category).where(
            Category.document_id == document_id,
            Category.label_id == label.id,
            Category.start.is_not_distinct_from(start),
            Category.end.is_not_distinct_from(end),
            Category.deleted_at.is_(None),
            readable_labelling_clause(call.access, call.project, Category),
        )
    ).all()


def find_category(call: ProjectCall, identifier: int) -> Category | None:
    """The category if the caller may read it; locks the row in a writing transaction."""
    query = select(Category).where(
        Category.id == identifier,
        Category.project_id == call.project.id,
        Category.deleted_at.is_(None),
        readable_labelling_clause(call.access, call.project, Category),
        on_readable_document_clause(call, Category),
    )
    return call.session.scalar(query.with_for_update() if call.unit.write else query)


# --- copying ----------------------------------------------------------------------------------------------------------


def texts(call: ProjectCall, document_ids: Sequence[int]) -> Sequence[tuple[CategoryTarget, str]]:
    """The readable documents among the ids with their texts, ordered by id."""
    query = select(Document.id, Document.identifier, Document.length, Document.text).where(
        Document.id.in_(document_ids), readable_document_clause(call)
    )
    return [(CategoryTarget(*row[:3]), row[3]) for row in call.session.execute(query.order_by(Document.id))]


def sentences(call: ProjectCall, document_ids: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    """Offsets of the sentences, in order, by document id."""
    query = select(Segment.document_id, Segment.start, Segment.end).where(
        Segment.document_id.in_(document_ids), Segment.project_id == call.project.id
    )
    found: dict[int, list[tuple[int, int]]] = {}
    for document_id, start, end in call.session.execute(query.order_by(Segment.document_id, Segment.start)):
        found.setdefault(document_id, []).append((start, end))
    return found


def categories_of_label_set(call: ProjectCall, document_ids: Sequence[int], label: Label) -> Sequence[Category]:
    """Readable categories of documents and their sentences with a label of this label's set."""
    labels = select(Label.id).where(Label.label_set_id == label.label_set_id)
    return call.session.scalars(
        select(Category).where(
            Category.document_id.in_(document_ids),
            or_(Category.label_id == label.id, Category.label_id.in_(labels)),
            Category.deleted_at.is_(None),
            readable_labelling_clause(call.access, call.project, Category),
        )
    ).all()
