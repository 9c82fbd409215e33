"""SQL of metrics: counts of what the caller may read. Most of them are answered from database indexes alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, case, func, select
from sqlalchemy.orm import InstrumentedAttribute

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_labelling_clause
from annotarium.content.labelling.repository import Labelled, counting_clauses, readable_document_clause
from annotarium.db.confirmed_labelling import confirmed_clause
from annotarium.db.models import Annotation, Category, Document, Experiment, Label, Segment

Counts = Sequence[tuple[str, int]]
DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class LabellingGroupCount:
    """Number of live annotations (or categories) with the same label, status, mode and creator."""

    label: str
    status: str | None
    mode: str
    creator: str
    count: int


def count_documents(call: ProjectCall) -> int:
    return call.session.scalars(select(func.count(Document.id)).where(readable_document_clause(call))).one()


def count_segments(call: ProjectCall) -> int:
    """Count the segments of live documents."""
    query = select(func.count()).select_from(Segment).join(Document, Document.id == Segment.document_id)
    return call.session.scalars(query.where(readable_document_clause(call))).one()


def total_text_length(call: ProjectCall) -> int:
    """Total number of code points of all texts."""
    return int(
        call.session.scalars(
            select(func.coalesce(func.sum(Document.length), 0)).where(readable_document_clause(call))
        ).one()
    )


def _length_bucket_index(
    length: ColumnElement[int] | InstrumentedAttribute[int], edges: Sequence[int]
) -> ColumnElement[int]:
    """SQL expression: index of the last edge (ascending, from 0) that is not greater than the length."""
    return case(*((length < edge, index) for index, edge in enumerate(edges[1:])), else_=len(edges) - 1)


def document_length_range(call: ProjectCall) -> tuple[int, int] | None:
    """The lengths of the shortest and the longest document, None without documents."""
    query = select(func.min(Document.length), func.max(Document.length)).where(readable_document_clause(call))
    shortest, longest = call.session.execute(query).one()
    return None if shortest is None else (shortest, longest)


def document_length_histogram(call: ProjectCall, edges: Sequence[int]) -> dict[int, int]:
    """Number of documents by the index of their length bucket."""
    step = _length_bucket_index(Document.length, edges)
    query = select(step, func.count()).where(readable_document_clause(call)).group_by(step)
    return {index: count for index, count in call.session.execute(query)}


def segment_length_histogram(call: ProjectCall, edges: Sequence[int]) -> dict[int, int]:
    """Number of segments by the index of their length bucket. Reads every segment."""
    step = _length_bucket_index(Segment.end - Segment.start, edges)
    query = (
        select(step, func.count())
        .join(Document, Document.id == Segment.document_id)
        .where(readable_document_clause(call))
    )
    return {index: count for index, count in call.session.execute(query.group_by(step))}


def documents_by_day(call: ProjectCall) -> list[tuple[int, int]]:
    """(days since the epoch in UTC, documents added on that day), ascending; only days with documents."""
    day = Document.created_at // DAY_MS
    query = select(day, func.count()).where(readable_document_clause(call)).group_by(day).order_by(day)
    return [(number, count) for number, count in call.session.execute(query)]


def count_labelling_groups(call: ProjectCall, table: Labelled) -> list[LabellingGroupCount]:
    """Count live rows grouped by label, status, mode and creator."""
    columns = (table.label_id, table.status, table.creation_mode, table.created_by)
    query = select(*columns, func.count()).where(*counting_clauses(call, table)).group_by(*columns)
    named = select(Label.id, Label.name).where(Label.project_id == call.project.id)
    names = {identifier: name for identifier, name in call.session.execute(named)}
    return [
        LabellingGroupCount(names[label], status, mode, creator, count)
        for label, status, mode, creator, count in call.session.execute(query)
    ]


def _labelled_document_count_query(call: ProjectCall, table: Labelled) -> Select[int]:
    return select(func.count(table.document_id.distinct())).where(
        confirmed_clause(table), *counting_clauses(call, table)
    )


def count_confirmed_by_text(call: ProjectCall, limit: int) -> Counts:
    """(text, confirmed annotations of that text), most frequent first. Reads every annotation."""
    count = func.count(Annotation.id)
    query = (
        select(Annotation.text, count)
        .where(
            Annotation.document_id.in_(
                select(Document.id).where(readable_document_clause(call))
            ),  # excludes other projects
            confirmed_clause(Annotation),
            readable_labelling_clause(call.access, call.project, Annotation),
        )
        .group_by(Annotation.text)
        .order_by(count.desc(), Annotation.text)
        .limit(limit)
    )
    return [(text, number) for text, number in call.session.execute(query)]


def count_documents_with_categories(call: ProjectCall) -> int:
    """Count documents with a confirmed category, on the document or on one of its segments."""
    return call.session.scalars(_labelled_document_count_query(call, Category)).one()


def trained_experiments(call: ProjectCall) -> Sequence[Experiment]:
    return call.session.scalars(
        select(Experiment).where(Experiment.project_id == call.project.id, Experiment.models > 0)
    ).all()
