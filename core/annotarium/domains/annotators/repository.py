"""SQL of annotators: trained models, and bulk writes of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.bulk_count_and_delete import RangesByDocument, touches_ranges
from annotarium.content.labels import LabelsByName
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation, Category, Experiment, Gazetteer, Label, Project, Suggester

Labelled = type[Annotation] | type[Category]
_IDS = 500


def trained_experiments(session: Session, project: Project) -> Sequence[Experiment]:
    """Experiments with a model, most recently trained first."""
    query = select(Experiment).where(Experiment.project_id == project.id, Experiment.models > 0)
    return session.scalars(query.order_by(Experiment.timestamp.desc())).all()


def trained_suggesters(session: Session, project: Project) -> Sequence[Suggester]:
    """Suggesters with a model, most recently trained first."""
    query = select(Suggester).where(Suggester.project_id == project.id, Suggester.models > 0)
    return session.scalars(query.order_by(Suggester.timestamp.desc())).all()


def synchronized_gazetteers(session: Session, project: Project) -> Sequence[Gazetteer]:
    """Gazetteers with a model, most recently synchronised first."""
    query = select(Gazetteer).where(Gazetteer.project_id == project.id, Gazetteer.models > 0)
    return session.scalars(query.order_by(Gazetteer.timestamp.desc())).all()


def labels_by_name(session: Session, project: Project) -> dict[str, Label]:
    """Labels of a project by stable name; `get` also finds other spellings of a name (see `LabelsByName`)."""
    query = select(Label).where(Label.project_id == project.id, Label.deleted_at.is_(None)).order_by(Label.id)
    return LabelsByName(session.scalars(query).all())


def delete_undecided_predictions(
    call: ProjectCall, table: Labelled, documents: Sequence[int], creator: str, places: RangesByDocument | None = None
) -> Sequence[Annotation | Category]:
    """Soft-delete the annotator's predictions that nobody accepted or rejected, and whose terms nobody changed by hand;
    returns the rows as they were before.

    Args:
        places: delete only rows that overlap these ranges.
    """
    undecided = (
        table.document_id.in_(documents),
        table.created_by == creator,
        table.creation_mode == "automatic",
        table.status.is_(None),
        table.deleted_at.is_(None),
    )
    found = cast("Sequence[Annotation | Category]", call.session.scalars(select(table).where(*undecided)).all())
    rows = [
        row
        for row in found
        if touches_ranges(row.document_id, row.start, row.end, places) and not _has_terms_changed_by_hand(row)
    ]
    ids = [row.id for row in rows]
    for begin in range(0, len(ids), _IDS):
        call.session.execute(
            update(table)
            .where(table.id.in_(ids[begin : begin + _IDS]))
            .values(deleted_at=now_ms(), deleted_by=creator, version=table.version + 1)
            .execution_options(synchronize_session=False)
        )
    return rows


def _has_terms_changed_by_hand(row: Annotation | Category) -> bool:
    """Whether somebody changed an annotation with terms; without its terms the list is empty, not None."""
    return isinstance(row, Annotation) and row.terms is not None and row.modified_by != row.created_by


def existing_labelling_keys(
    session: Session, table: Labelled, documents: Sequence[int]
) -> set[tuple[int, int | None, int | None, int]]:
    """(document, start, end, label id) of all rows that are not deleted, rejected ones included."""
    query = select(table.document_id, table.start, table.end, table.label_id).where(
        table.document_id.in_(documents), table.deleted_at.is_(None)
    )
    return {(row[0], row[1], row[2], row[3]) for row in session.execute(query)}


def annotations_to_link(session: Session, documents: Sequence[int]) -> Sequence[Annotation]:
    """Continuous annotations that link to no term and are manual or confirmed, in these documents.

    Undecided ones of annotators are left out: their annotator replaces them. So are those whose terms a person removed:
    they have an empty list.
    """
    query = select(Annotation).where(
        Annotation.document_id.in_(documents),
        Annotation.deleted_at.is_(None),
        (Annotation.status == "OK") | (Annotation.status.is_(None) & (Annotation.creation_mode != "automatic")),
    )
    rows = session.scalars(query.with_for_update())
    return [row for row in rows if row.terms is None and row.fragments is None]


def insert_predictions(session: Session, table: Labelled, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        session.execute(insert(table), list(rows))
