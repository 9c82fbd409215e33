"""SQL of labels, label sets and the rows that have the labels."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import cast

from sqlalchemy import ColumnElement, and_, bindparam, func, not_, select, union, union_all
from sqlalchemy.orm import Session, aliased

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_labelling_clause
from annotarium.content.labelling.repository import (
    LABELLED_TABLES,
    Labelled,
    counting_clauses,
    on_readable_document_clause,
)
from annotarium.db.confirmed_labelling import confirmed_clause
from annotarium.db.models import Annotation, Category, Document, Label, LabelSet, Project
from annotarium.domains.labels.labelling_filter import LabellingFilter

_NAMED = select(Label).where(Label.project_id == bindparam("project"), Label.name == bindparam("name"))
_LIVE_NAMED = _NAMED.where(Label.deleted_at.is_(None))


def list_labels(session: Session, project: Project, *, label_set: LabelSet | None = None) -> Sequence[Label]:
    """Live labels in creation order."""
    query = select(Label).where(Label.project_id == project.id, Label.deleted_at.is_(None)).order_by(Label.id)
    if label_set is not None:
        query = query.where(Label.label_set_id == label_set.id)
    return session.scalars(query).all()


def find_label(session: Session, project: Project, name: str, *, deleted: bool = False) -> Label | None:
    """The label of that name; deleted labels are only found with `deleted`."""
    return session.scalar(_NAMED if deleted else _LIVE_NAMED, {"project": project.id, "name": name})


def deleted_labels(session: Session, label_set: LabelSet) -> Sequence[Label]:
    """Deleted labels of a set; their rows are kept."""
    query = select(Label).where(Label.label_set_id == label_set.id, Label.deleted_at.is_not(None))
    return session.scalars(query).all()


def list_label_sets(session: Session, project: Project) -> Sequence[LabelSet]:
    """Label sets in creation order."""
    return session.scalars(select(LabelSet).where(LabelSet.project_id == project.id).order_by(LabelSet.id)).all()


# --- counts -----------------------------------------------------------------------------------------------------------


def count_uses(call: ProjectCall) -> dict[int, int]:
    """Number of live annotations and categories that the caller may read, by label id."""
    parts = [
        select(table.label_id, func.count().label("n")).where(*counting_clauses(call, table)).group_by(table.label_id)
        for table in LABELLED_TABLES.values()
    ]
    counts: dict[int, int] = {}
    for label_id, count in call.session.execute(union_all(*parts)):
        counts[label_id] = counts.get(label_id, 0) + count
    return counts


def labels_in_use(session: Session, label_set: LabelSet) -> set[int]:
    """Ids of the labels of a set that a live annotation or category has, regardless of who may read it."""
    parts = [
        select(Label.id).where(
            Label.label_set_id == label_set.id,
            select(table.id).where(table.label_id == Label.id, table.deleted_at.is_(None)).exists(),
        )
        for table in LABELLED_TABLES.values()
    ]
    return {row[0] for row in session.execute(union_all(*parts))}


def count_matching_rows(call: ProjectCall, table: Labelled, row_filter: LabellingFilter) -> int:
    """Count the rows that match the filter."""
    query = select(func.count()).select_from(table).where(*_filter_clauses(call, table, row_filter))
    return cast("int", call.session.scalar(query))


def count_matching_documents(call: ProjectCall, row_filter: LabellingFilter) -> int:
    """Count the documents with matching rows."""
    parts = [select(table.document_id).where(*_filter_clauses(call, table, row_filter)) for table in row_filter.tables]
    return cast("int", call.session.scalar(select(func.count()).select_from(union(*parts).subquery())))


def count_creators(call: ProjectCall, row_filter: LabellingFilter) -> Sequence[tuple[str, int]]:
    """Number of matching rows by creator, most first."""
    parts = [
        select(table.created_by.label("who")).where(*_filter_clauses(call, table, row_filter))
        for table in row_filter.tables
    ]
    rows = union_all(*parts).subquery()
    count = func.count()
    query = select(rows.c.who, count).group_by(rows.c.who).order_by(count.desc(), rows.c.who)
    return [(who, number) for who, number in call.session.execute(query)]


def count_exclusivity_clashes(session: Session, moving: Sequence[int], remaining: Sequence[int]) -> int:
    """Count documents where a confirmed category with a label of `moving` and one with another label of `remaining` are
    both on the document, or on the same segment.
    """
    one, other = aliased(Category), aliased(Category)
    query = select(func.count(func.distinct(one.document_id))).where(
        one.label_id.in_(moving),
        other.label_id.in_(remaining),
        one.label_id != other.label_id,
        one.document_id == other.document_id,
        func.coalesce(one.start, -1) == func.coalesce(other.start, -1),
        confirmed_clause(one),
        confirmed_clause(other),
    )
    return session.scalars(query).one()


# --- rows to change ---------------------------------------------------------------------------------------------------


def _filter_clauses(call: ProjectCall, table: Labelled, row_filter: LabellingFilter) -> list[ColumnElement[bool]]:
    # Labels belong to one project, so no condition on the project is needed.
    clauses: list[ColumnElement[bool]] = [table.label_id.in_(row_filter.label_ids), table.deleted_at.is_(None)]
    if row_filter.created_by:
        clauses.append(table.created_by.in_(row_filter.created_by))
    if row_filter.creation_modes:
        clauses.append(table.creation_mode.in_(row_filter.creation_modes))
    if row_filter.statuses:
        named = [status for status in row_filter.statuses if status != "undefined"]
        status = table.status.in_(named)
        clauses.append(status | table.status.is_(None) if "undefined" in row_filter.statuses else status)
    if row_filter.text:
        clauses.append(Annotation.text.icontains(row_filter.text, autoescape=True))
    if row_filter.visible_only:
        clauses += [
            readable_labelling_clause(call.access, call.project, table),
            on_readable_document_clause(call, table),
        ]
    return clauses


def documents_with_matching_rows(call: ProjectCall, row_filter: LabellingFilter) -> array[int]:
    """Ids of the documents with matching rows, ascending; an array to use only eight bytes per id."""
    parts = [select(table.document_id).where(*_filter_clauses(call, table, row_filter)) for table in row_filter.tables]
    rows = union(*parts).subquery()
    query = select(rows.c.document_id).order_by(rows.c.document_id)
    return array("q", call.session.scalars(query.execution_options(yield_per=10_000)))


def has_matching_rows(call: ProjectCall, row_filter: LabellingFilter) -> bool:
    """Whether any row matches the filter."""
    parts = (select(table.id).where(*_filter_clauses(call, table, row_filter)).limit(1) for table in row_filter.tables)
    return any(call.session.scalar(part) is not None for part in parts)


def is_any_use_hidden(call: ProjectCall, label_ids: Sequence[int]) -> bool:
    """Whether a live document carries something with one of the labels that the caller may not read."""
    for table in LABELLED_TABLES.values():
        live = select(Document.id).where(Document.id == table.document_id, Document.deleted_at.is_(None)).exists()
        read = and_(
            readable_labelling_clause(call.access, call.project, table), on_readable_document_clause(call, table)
        )
        query = (
            select(table.id).where(*_filter_clauses(call, table, LabellingFilter(label_ids)), live, not_(read)).limit(1)
        )
        if call.session.scalar(query) is not None:
            return True
    return False


def matching_rows(
    call: ProjectCall, table: Labelled, row_filter: LabellingFilter, document_ids: Sequence[int]
) -> Sequence[Annotation | Category]:
    """The matching rows on some documents, ordered by id, locked until the end of the transaction."""
    query = select(table).where(*_filter_clauses(call, table, row_filter), table.document_id.in_(document_ids))
    rows = call.session.scalars(query.order_by(table.id).with_for_update(of=table)).all()
    return cast("Sequence[Annotation | Category]", rows)


def rows_with_label(
    call: ProjectCall, table: Labelled, label: Label, document_ids: Sequence[int], *, visible_only: bool
) -> Sequence[Annotation | Category]:
    """All live rows on some documents with a label; with `visible_only`, those the caller may read."""
    query = select(table).where(*_filter_clauses(call, table, LabellingFilter([label.id], visible_only=visible_only)))
    query = query.where(table.document_id.in_(document_ids))
    return cast("Sequence[Annotation | Category]", call.session.scalars(query.order_by(table.id)).all())
