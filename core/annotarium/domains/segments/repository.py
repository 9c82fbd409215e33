"""All SQL of segments: hits and contexts hydrated from the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, literal, or_, select, tuple_
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import visible_clause
from annotarium.corpus.labelling.repository import reachable
from annotarium.db.models import Annotation, Category, Document, Job, Label, Project, Segment, Vectorization


@dataclass(slots=True)
class SegmentState:
    """A segment with what is on it; offsets count in the document."""

    document_id: int
    start: int
    end: int
    text: str
    document_identifier: str
    document_title: str
    metadata: dict[str, object]
    created_by: str
    created_at: int
    modified_at: int
    annotations: list[tuple[Annotation, str]] = field(default_factory=list)
    categories: list[tuple[Category, str]] = field(default_factory=list)


_OWN_TEXT = func.substr(Document.text, Segment.start + 1, Segment.end - Segment.start)
_ONE_QUERY = 500


def _segments(call: ProjectCall, text: ColumnElement[str] = _OWN_TEXT) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Segment.document_id,
            Segment.start,
            Segment.end,
            text,
            Document.identifier,
            Document.title,
            Document.metadata_,
            Document.created_by,
            Document.created_at,
            Document.modified_at,
        )
        .join(Document, Document.id == Segment.document_id)
        .where(reachable(call))
    )


def load_segments(
    call: ProjectCall, keys: Sequence[tuple[int, int]], *, labelling: bool = True
) -> dict[tuple[int, int], SegmentState]:
    """Segments by (document id, start); those that are gone are left out."""
    if not keys:
        return {}
    query = _segments(call).where(tuple_(Segment.document_id, Segment.start).in_(keys))
    states = {(row[0], row[1]): SegmentState(*row) for row in call.session.execute(query)}
    if labelling and states:
        _load_labelling(call, list(states.values()))
    return states


def load_run(
    call: ProjectCall, document_id: int, starts: Sequence[int], *, labelling: bool
) -> dict[tuple[int, int], SegmentState]:
    """`load_segments` of many segments of one document: its text is read once, not from its start for each of them."""
    states: dict[tuple[int, int], SegmentState] = {}
    for at in range(0, len(starts), _ONE_QUERY):
        some = Segment.start.in_(starts[at : at + _ONE_QUERY])
        query = _segments(call, literal("")).where(Segment.document_id == document_id, some)
        part = [SegmentState(*row) for row in call.session.execute(query)]
        if labelling and part:
            _load_labelling(call, part)
        states |= {(state.document_id, state.start): state for state in part}
    if states:
        first, last = min(state.start for state in states.values()), max(state.end for state in states.values())
        text = document_slice(call, document_id, first, last)
        for state in states.values():
            state.text = text[state.start - first : state.end - first]
    return states


def _load_labelling(call: ProjectCall, states: list[SegmentState]) -> None:
    by_document: dict[int, list[SegmentState]] = {}
    for state in states:
        by_document.setdefault(state.document_id, []).append(state)
    near = [
        and_(
            Annotation.document_id == document_id,
            Annotation.start < max(state.end for state in group),
            Annotation.end > min(state.start for state in group),
        )
        for document_id, group in by_document.items()
    ]
    annotations = (
        select(Annotation, Label.name)
        .join(Label, Label.id == Annotation.label_id)
        .where(or_(*near), Annotation.deleted_at.is_(None), visible_clause(call.access, call.project, Annotation))
        .order_by(Annotation.start, Annotation.id)
    )
    for row, name in call.session.execute(annotations):
        for state in by_document[row.document_id]:
            if row.start < state.end and row.end > state.start:
                state.annotations.append((row, name))
    categories = (
        select(Category, Label.name)
        .join(Label, Label.id == Category.label_id)
        .where(
            Category.document_id.in_(by_document),
            Category.deleted_at.is_(None),
            visible_clause(call.access, call.project, Category),
        )
        .order_by(Category.id)
    )
    for category, name in call.session.execute(categories):
        for state in by_document[category.document_id]:
            inside = category.start is None or (category.start < state.end and (category.end or 0) > state.start)
            if inside:
                state.categories.append((category, name))


def load_pieces(call: ProjectCall, pieces: Sequence[tuple[int, int, int]]) -> dict[tuple[int, int], SegmentState]:
    """Pieces [start, end) of documents by (document id, start), be they segments or not; without labelling."""
    states = {}
    for document_id, start, end in pieces:
        query = select(
            Document.id,
            literal(start),
            literal(end),
            func.substr(Document.text, start + 1, end - start),
            Document.identifier,
            Document.title,
            Document.metadata_,
            Document.created_by,
            Document.created_at,
            Document.modified_at,
        )
        row = call.session.execute(query.where(reachable(call), Document.id == document_id)).first()
        if row is not None:
            states[(document_id, start)] = SegmentState(*row)
    return states


def find_document_id(call: ProjectCall, identifier: str) -> int | None:
    """Id of the live document with that identifier."""
    return call.session.scalar(
        select(Document.id).where(
            Document.identifier == identifier,
            reachable(call),
        )
    )


def neighbours(call: ProjectCall, document_id: int, start: int, *, before: bool, skip: int, count: int) -> list[int]:
    """Starts of up to `count` segments before (nearest first) or after the one at `start`, leaving out `skip`."""
    side = Segment.start < start if before else Segment.start > start
    order = Segment.start.desc() if before else Segment.start.asc()
    query = (
        select(Segment.start).where(Segment.document_id == document_id, side).order_by(order).offset(skip).limit(count)
    )
    return list(call.session.scalars(query))


def document_slice(call: ProjectCall, document_id: int, start: int, end: int) -> str:
    """`text[start:end]` of a document known to exist."""
    text = func.substr(Document.text, start + 1, end - start)
    return str(call.session.execute(select(text).where(Document.id == document_id)).scalar_one())


def active_job(session: Session, job_id: str | None) -> Job | None:
    """The job, unless it has ended."""
    job = session.get(Job, job_id) if job_id else None
    return job if job is not None and job.status == "STARTED" else None


def has_failed(session: Session, job_id: str | None) -> bool:
    """Whether the job ended with a failure."""
    job = session.get(Job, job_id) if job_id else None
    return job is not None and job.status == "FAILED"


def live_vectorizations(session: Session) -> list[tuple[Vectorization, Project]]:
    """Vectorizations of all live projects."""
    query = select(Vectorization, Project).join(Project, Project.id == Vectorization.project_id)
    return [(row[0], row[1]) for row in session.execute(query.where(Project.deleted_at.is_(None)))]


def find_live_vectorization(session: Session, owner_id: int) -> tuple[Vectorization, Project] | None:
    """A vectorization with its project, while that is live."""
    query = select(Vectorization, Project).join(Project, Project.id == Vectorization.project_id)
    row = session.execute(query.where(Vectorization.id == owner_id, Project.deleted_at.is_(None))).first()
    return (row[0], row[1]) if row else None
