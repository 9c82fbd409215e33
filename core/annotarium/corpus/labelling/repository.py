"""All SQL that is the same for annotations and categories. `table` is one of the two models."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, CursorResult, Select, func, or_, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import visible_clause
from annotarium.db.models import Annotation, Category, Document, Label
from annotarium.settings import get_settings

Labelled = type[Annotation] | type[Category]


def reachable(call: ProjectCall) -> ColumnElement[bool]:
    """True for live documents of the project that the caller may see (document-level access: origin groups)."""
    live = (Document.project_id == call.project.id) & Document.deleted_at.is_(None)
    if not get_settings().document_level_access or call.access.reads_all_projects:
        return live
    return live & or_(Document.origin_group_id.is_(None), Document.origin_group_id.in_(call.access.group_ids))


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
    call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str], what: Select[int]
) -> Select[int]:
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
