"""SQL of segmentation: documents with what depends on their segments, new segments, counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from annotarium.db.bulk_insert import insert_rows
from annotarium.db.models import Annotation, Category, Document, History, Job, Project, Segment, Suggestion

Range = tuple[int, int]
SEGMENTS = "segments"
"""Entity of history rows that store the former segments of a document."""


@dataclass(slots=True)
class SegmentedDocument:
    """A document with its segments and the ranges tied to them, without rejected annotations and categories."""

    id: int
    identifier: str
    text: str
    segments: list[Range] = field(default_factory=list)
    metadata: dict[Range, dict[str, Any]] = field(default_factory=dict)
    annotations: list[Range] = field(default_factory=list)
    categories: list[Range] = field(default_factory=list)
    suggestions: list[Range] = field(default_factory=list)


def lock_project(session: Session, project_id: int) -> None:
    """Lock the project row until the end of the transaction."""
    session.execute(select(Project.id).where(Project.id == project_id).with_for_update())


def running_recomputation(session: Session, project_id: int) -> Job | None:
    """The waiting or running job that recomputes the project's segments, else None."""
    query = select(Job).where(Job.project_id == project_id, Job.type == "PROJECT_SEGMENTATION", Job.status == "STARTED")
    return session.scalars(query.order_by(Job.created_at).limit(1)).first()


def document_sizes(session: Session, project_id: int, after: int, limit: int) -> list[tuple[int, int]]:
    """(id, code points) of live documents with an id greater than `after`, ascending."""
    query = select(Document.id, Document.length).where(
        Document.project_id == project_id, Document.deleted_at.is_(None), Document.id > after
    )
    return [(row[0], row[1]) for row in session.execute(query.order_by(Document.id).limit(limit))]


def random_document_sizes(session: Session, project_id: int, limit: int) -> list[tuple[int, int]]:
    """(id, code points) of a random selection of live documents."""
    query = select(Document.id, Document.length).where(Document.project_id == project_id, Document.deleted_at.is_(None))
    return [(row[0], row[1]) for row in session.execute(query.order_by(func.random()).limit(limit))]


def load_segmented(session: Session, document_ids: Sequence[int]) -> list[SegmentedDocument]:
    """The live documents among the ids, ordered by id."""
    query = select(Document.id, Document.identifier, Document.text).where(
        Document.id.in_(document_ids), Document.deleted_at.is_(None)
    )
    states = {row[0]: SegmentedDocument(row[0], row[1], row[2]) for row in session.execute(query.order_by(Document.id))}
    segments = select(Segment.document_id, Segment.start, Segment.end, Segment.metadata_).where(
        Segment.document_id.in_(states)
    )
    for document_id, start, end, metadata in session.execute(segments.order_by(Segment.document_id, Segment.start)):
        states[document_id].segments.append((start, end))
        if metadata:
            states[document_id].metadata[(start, end)] = metadata
    for table, attribute in ((Annotation, "annotations"), (Category, "categories")):
        rows = select(table.document_id, table.start, table.end).where(
            table.document_id.in_(states),
            table.start.is_not(None),
            table.deleted_at.is_(None),
            table.status.is_distinct_from("KO"),
        )
        for document_id, start, end in session.execute(rows):
            getattr(states[document_id], attribute).append((start, end))
    suggestions = select(Suggestion.document_id, Suggestion.start, Suggestion.end)
    for document_id, start, end in session.execute(suggestions.where(Suggestion.document_id.in_(states))):
        states[document_id].suggestions.append((start, end))
    return list(states.values())


def live_ids(session: Session, document_ids: Sequence[int]) -> set[int]:
    """The ids of those documents that are not deleted."""
    return set(session.scalars(select(Document.id).where(Document.id.in_(document_ids), Document.deleted_at.is_(None))))


def replace_segments(
    session: Session, project_id: int, changed: Sequence[tuple[SegmentedDocument, Sequence[Range]]]
) -> None:
    """Replace the segments of documents. Segments with an unchanged range keep their metadata."""
    session.execute(delete(Segment).where(Segment.document_id.in_([state.id for state, _ in changed])))
    rows = [
        (state.id, start, end, ordinal, project_id, state.metadata.get((start, end)))
        for state, ranges in changed
        for ordinal, (start, end) in enumerate(ranges)
    ]
    insert_rows(session, Segment, ("document_id", "start", "end", "ordinal", "project_id", "metadata"), rows)


def counts_per_recomputed_document(session: Session, job_id: str) -> Iterator[dict[str, int]]:
    """The counts of each document whose segments a job changed (`Resegmentation.counts`), from the history."""
    query = select(History.after).where(History.job_id == job_id, History.entity == SEGMENTS)
    for after in session.scalars(query.execution_options(yield_per=1000)):
        yield after or {}


def count_tied_to_segments(session: Session, project_id: int) -> dict[str, int]:
    """Number of documents, segments, and categories, suggestions and metadata that depend on segments, of a project."""
    live = Document.deleted_at.is_(None)
    segments = (
        select(func.count(), func.count(Segment.metadata_))
        .select_from(Segment)
        .join(Document, Document.id == Segment.document_id)
    )
    total, described = session.execute(segments.where(Segment.project_id == project_id, live)).one()
    categories = select(func.count(Category.id)).where(
        Category.project_id == project_id, Category.start.is_not(None), Category.deleted_at.is_(None)
    )
    suggestions = select(func.count(Suggestion.id)).where(Suggestion.project_id == project_id)
    documents = select(func.count(Document.id)).where(Document.project_id == project_id, live)
    return {
        "documents": session.scalars(documents).one(),
        "segments": total,
        "metadata": described,
        "categories": session.scalars(categories).one(),
        "suggestions": session.scalars(suggestions).one(),
    }
