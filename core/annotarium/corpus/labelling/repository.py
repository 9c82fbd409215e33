"""All SQL that is the same for annotations and categories. `table` is one of the two models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVarTuple, cast

from sqlalchemy import ColumnElement, CursorResult, Select, func, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents, visible_clause
from annotarium.db.models import Annotation, Category, Document, Label

Labelled = type[Annotation] | type[Category]
Columns = TypeVarTuple("Columns")


def reachable(call: ProjectCall) -> ColumnElement[bool]:
    """True for live documents of the project that the caller may see (document-level access: origin groups)."""
    return readable_documents(call.access, call.project)


def on_reachable(call: ProjectCall, table: Labelled) -> ColumnElement[bool]:
    """True for rows on such a document."""
    return select(Document.id).where(Document.id == table.document_id, reachable(call)).exists()


def label_name(session: Session, label_id: int) -> str:
    """The stable name of a label."""
    return session.scalars(select(Label.name).where(Label.id == label_id)).one()


def is_label_deleted(session: Session, label_id: int) -> bool:
    """Whether the label was deleted."""
    return session.scalars(select(Label.deleted_at).where(Label.id == label_id)).one() is not None


def _matching(
    call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str], what: Select[*Columns]
) -> Select[*Columns]:
    query = what.where(
        table.project_id == call.project.id,
        table.deleted_at.is_(None),
        visible_clause(call.access, call.project, table),
        on_reachable(call, table),
    )
    if labels:
        names = select(Label.id).where(Label.project_id == call.project.id, Label.name.in_(labels))
        query = query.where(table.label_id.in_(names))
    if creators:
        query = query.where(table.created_by.in_(creators))
    return query


def count_matching(call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str]) -> int:
    """How many live rows have one of the labels and one of the creators (empty = any)."""
    query = _matching(call, table, labels, creators, select(func.count(table.id)))
    return call.session.scalars(query).one()


def documents_matching(call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str]) -> list[int]:
    """Documents that hold a matching row."""
    query = _matching(call, table, labels, creators, select(table.document_id))
    return list(call.session.scalars(query.distinct()))


def delete_matching(
    call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str], moment: int
) -> int:
    """Soft-delete the matching rows; how many."""
    ids = _matching(call, table, labels, creators, select(table.id))
    result = call.session.execute(
        update(table)
        .where(table.id.in_(ids))
        .values(deleted_at=moment, deleted_by=call.username, version=table.version + 1)
        .execution_options(synchronize_session=False)
    )
    assert isinstance(result, CursorResult)
    return result.rowcount


def rows_on(
    call: ProjectCall,
    table: Labelled,
    document_ids: Sequence[int],
    labels: Sequence[str] = (),
    creators: Sequence[str] = (),
) -> Sequence[Annotation | Category]:
    """The live rows on some documents that the caller sees, with one of the labels and creators (empty = any)."""
    query = _matching(call, table, labels, creators, select(table.id)).where(table.document_id.in_(document_ids))
    rows = call.session.scalars(select(table).where(table.id.in_(query)).order_by(table.id)).all()
    return cast("Sequence[Annotation | Category]", rows)


def count_by_creator(
    call: ProjectCall, table: Labelled, document_ids: Sequence[int], labels: Sequence[str]
) -> Sequence[tuple[str, int]]:
    """Creator and number of those rows."""
    query = _matching(call, table, labels, (), select(table.created_by, func.count(table.id)))
    query = query.where(table.document_id.in_(document_ids)).group_by(table.created_by)
    return [(creator, number) for creator, number in call.session.execute(query)]


def soft_delete(call: ProjectCall, table: Labelled, ids: Sequence[int], moment: int) -> None:
    """Soft-delete rows known to exist."""
    call.session.execute(
        update(table)
        .where(table.id.in_(ids))
        .values(deleted_at=moment, deleted_by=call.username, version=table.version + 1)
        .execution_options(synchronize_session=False)
    )


def count_creators(call: ProjectCall, table: Labelled) -> Sequence[tuple[str, int]]:
    """Live rows per creator, most first."""
    count = func.count(table.id)
    query = (
        select(table.created_by, count)
        .where(
            table.project_id == call.project.id,
            table.deleted_at.is_(None),
            visible_clause(call.access, call.project, table),
            on_reachable(call, table),
        )
        .group_by(table.created_by)
        .order_by(count.desc(), table.created_by)
    )
    return [(creator, number) for creator, number in call.session.execute(query)]
