"""All SQL of metrics: plain counts, within the caller's reach."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import visible_clause
from annotarium.corpus.labelling.repository import Labelled, on_reachable, reachable
from annotarium.db.dataset import confirmed_clause
from annotarium.db.models import Annotation, Category, Document, Experiment, Label, Segment, Suggestion

Counts = Sequence[tuple[str, int]]


def count_documents(call: ProjectCall) -> int:
    """Live documents."""
    return call.session.scalars(select(func.count(Document.id)).where(reachable(call))).one()


def count_segments(call: ProjectCall) -> int:
    """Segments of live documents."""
    query = select(func.count()).select_from(Segment).join(Document, Document.id == Segment.document_id)
    return call.session.scalars(query.where(reachable(call))).one()


def corpus_size(call: ProjectCall) -> int:
    """Code points of all texts."""
    return int(call.session.scalars(select(func.coalesce(func.sum(Document.length), 0)).where(reachable(call))).one())


def confirmed_by_label(call: ProjectCall, table: Labelled) -> Counts:
    """Confirmed rows per label name, most first."""
    count = func.count(table.id)
    query = (
        select(Label.name, count)
        .join(table, table.label_id == Label.id)
        .where(
            table.project_id == call.project.id,
            confirmed_clause(table),
            visible_clause(call.access, call.project, table),
            on_reachable(call, table),
        )
        .group_by(Label.name)
        .order_by(count.desc(), Label.name)
    )
    return [(name, number) for name, number in call.session.execute(query)]


def confirmed_by_text(call: ProjectCall) -> Counts:
    """Confirmed annotations per annotated text, most first."""
    count = func.count(Annotation.id)
    query = (
        select(Annotation.text, count)
        .where(
            Annotation.project_id == call.project.id,
            confirmed_clause(Annotation),
            visible_clause(call.access, call.project, Annotation),
            on_reachable(call, Annotation),
        )
        .group_by(Annotation.text)
        .order_by(count.desc(), Annotation.text)
    )
    return [(text, number) for text, number in call.session.execute(query)]


def documents_with_categories(call: ProjectCall) -> int:
    """Documents that carry a confirmed category, on themselves or on a sentence."""
    query = select(func.count(Category.document_id.distinct())).where(
        Category.project_id == call.project.id,
        confirmed_clause(Category),
        visible_clause(call.access, call.project, Category),
        on_reachable(call, Category),
    )
    return call.session.scalars(query).one()


def suggestions(call: ProjectCall) -> Sequence[Suggestion]:
    """Waiting suggestions: some hundreds, whatever the size of the corpus."""
    query = select(Suggestion).join(Document, Document.id == Suggestion.document_id)
    return call.session.scalars(query.where(Suggestion.project_id == call.project.id, reachable(call))).all()


def trained_experiments(call: ProjectCall) -> Sequence[Experiment]:
    """Experiments with a model."""
    return call.session.scalars(
        select(Experiment).where(Experiment.project_id == call.project.id, Experiment.models > 0)
    ).all()
