"""All SQL of labels and label sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import CursorResult, bindparam, case, func, select, union_all, update
from sqlalchemy.orm import Session

from annotarium.db.models import Annotation, Category, Label, LabelSet, Project

_NAMED = select(Label).where(Label.project_id == bindparam("project"), Label.name == bindparam("name"))
_LIVE_NAMED = _NAMED.where(Label.deleted_at.is_(None))
LABELLED: tuple[type[Annotation] | type[Category], ...] = (Annotation, Category)


def list_labels(session: Session, project: Project, *, label_set: LabelSet | None = None) -> Sequence[Label]:
    """Live labels in creation order."""
    query = select(Label).where(Label.project_id == project.id, Label.deleted_at.is_(None)).order_by(Label.id)
    if label_set is not None:
        query = query.where(Label.label_set_id == label_set.id)
    return session.scalars(query).all()


def find_label(session: Session, project: Project, name: str, *, deleted: bool = False) -> Label | None:
    """The label of that name; a deleted one only when asked."""
    return session.scalar(_NAMED if deleted else _LIVE_NAMED, {"project": project.id, "name": name})


def list_label_sets(session: Session, project: Project) -> Sequence[LabelSet]:
    """Label sets in creation order."""
    return session.scalars(select(LabelSet).where(LabelSet.project_id == project.id).order_by(LabelSet.id)).all()


def find_label_set(session: Session, project: Project, name: str) -> LabelSet | None:
    """The label set of that name."""
    return session.scalar(select(LabelSet).where(LabelSet.project_id == project.id, LabelSet.name == name))


def count_uses(session: Session, project: Project) -> dict[int, int]:
    """Live annotations and categories per label id."""
    parts = [
        select(table.label_id, func.count().label("n"))
        .where(table.project_id == project.id, table.deleted_at.is_(None))
        .group_by(table.label_id)
        for table in LABELLED
    ]
    counts: dict[int, int] = {}
    for label_id, count in session.execute(union_all(*parts)):
        counts[label_id] = counts.get(label_id, 0) + count
    return counts


def documents_using(session: Session, label_ids: Iterable[int]) -> list[int]:
    """Ids of documents that carry one of the labels."""
    found: set[int] = set()
    for table in LABELLED:
        query = select(table.document_id).where(table.label_id.in_(list(label_ids)), table.deleted_at.is_(None))
        found.update(session.scalars(query.distinct()))
    return sorted(found)


def delete_uses(session: Session, label_ids: Sequence[int], *, moment: int, actor: str) -> int:
    """Soft-delete what carries the labels; how many rows."""
    removed = 0
    for table in LABELLED:
        result = session.execute(
            update(table)
            .where(table.label_id.in_(label_ids), table.deleted_at.is_(None))
            .values(deleted_at=moment, deleted_by=actor, version=table.version + 1)
        )
        assert isinstance(result, CursorResult)
        removed += result.rowcount
    return removed


def delete_doubles(session: Session, target: Label, others: Sequence[int], *, moment: int, actor: str) -> int:
    """Soft-delete what would stand twice once the labels are one: same place, creator and status; how many rows."""
    removed = 0
    for table in LABELLED:
        place = (table.document_id, table.start, table.end, table.created_by, table.status)
        rank = func.row_number().over(
            partition_by=place, order_by=(case((table.label_id == target.id, 0), else_=1), table.id)
        )
        ranked = (
            select(table.id, rank.label("rank"))
            .where(table.label_id.in_([target.id, *others]), table.deleted_at.is_(None))
            .subquery()
        )
        result = session.execute(
            update(table)
            .where(table.id.in_(select(ranked.c.id).where(ranked.c.rank > 1)), table.label_id.in_(others))
            .values(deleted_at=moment, deleted_by=actor, version=table.version + 1)
            .execution_options(synchronize_session=False)
        )
        assert isinstance(result, CursorResult)
        removed += result.rowcount
    return removed


def move_uses(session: Session, label_ids: Sequence[int], target: Label, *, moment: int, actor: str) -> int:
    """Give everything that carries the labels to another one; how many rows."""
    moved = 0
    for table in LABELLED:
        result = session.execute(
            update(table)
            .where(table.label_id.in_(label_ids), table.deleted_at.is_(None))
            .values(label_id=target.id, modified_at=moment, modified_by=actor, version=table.version + 1)
        )
        assert isinstance(result, CursorResult)
        moved += result.rowcount
    return moved


def empty_label_set(session: Session, label_set: LabelSet, target: LabelSet) -> None:
    """Move the rows of deleted labels to another set, so that they can still be restored."""
    session.execute(update(Label).where(Label.label_set_id == label_set.id).values(label_set_id=target.id))
