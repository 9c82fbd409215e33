"""SQL of what a new project takes over from its template."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import Label, LabelSet, RelationName


def label_sets(session: Session, project_id: int) -> Sequence[LabelSet]:
    """The label sets in creation order."""
    return session.scalars(select(LabelSet).where(LabelSet.project_id == project_id).order_by(LabelSet.id)).all()


def live_labels(session: Session, project_id: int) -> Sequence[Label]:
    """The labels that are not deleted, in creation order."""
    query = select(Label).where(Label.project_id == project_id, Label.deleted_at.is_(None))
    return session.scalars(query.order_by(Label.id)).all()


def live_relation_names(session: Session, project_id: int) -> Sequence[RelationName]:
    """The relation names that are not deleted, in creation order."""
    query = select(RelationName).where(RelationName.project_id == project_id, RelationName.deleted_at.is_(None))
    return session.scalars(query.order_by(RelationName.id)).all()
