"""SQL of segments and vectors: segments for hits and contexts, texts to vectorize."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    UnaryExpression,
    and_,
    bindparam,
    func,
    literal,
    literal_column,
    or_,
    select,
    union_all,
)
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import (
    LabellingVisibility,
    groups_of_visible_documents,
    labelling_visibility,
    labelling_visibility_clause,
    readable_documents_by_id,
    readable_documents_by_id_clause,
)
from annotarium.content.labelling.repository import readable_document_clause
from annotarium.content.labelling.serializers import AnnotationRow, CategoryRow
from annotarium.content.questions import is_question
from annotarium.db.compiled_statements import CompiledInListStatement, CompiledStatement
from annotarium.db.models import (
    AltText,
    Annotation,
    Category,
    Document,
    Job,
    Label,
    PassageJudgement,
    Project,
    Segment,
    Vectorization,
)
from annotarium.domains.segments.passages import VectorizableDocument


@dataclass(slots=True)
class SegmentState:
    """A segment with its labelling, each item with the name of its label; offsets count in the document."""

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
    annotations: list[tuple[AnnotationRow, str]] = field(default_factory=list)
    categories: list[tuple[CategoryRow, str]] = field(default_factory=list)


_OWN_TEXT = func.substr(Document.text, Segment.start + 1, Segment.end - Segment.start)
_ONE_QUERY = 500
_POSITIONS_PER_QUERY = 25
"""Number of positions in one compiled statement; if there are fewer, the last one is repeated."""


def _segment_query(known: ColumnElement[bool], text: ColumnElement[str] = _OWN_TEXT) -> Select[*tuple[Any, ...]]:
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
        .where(known)
    )


@lru_cache(maxsize=256)
def _segments_at_positions_statement(groups: frozenset[int] | None) -> CompiledStatement:
    """Segments at (`document0`, `start0`) and so on, in documents of these groups (None = no restriction)."""
    positions = (
        and_(Segment.document_id == bindparam(f"document{n}"), Segment.start == bindparam(f"start{n}"))
        for n in range(_POSITIONS_PER_QUERY)
    )
    return CompiledStatement(_segment_query(readable_documents_by_id_clause(groups)).where(or_(*positions)))


def load_segments(
    call: ProjectCall, keys: Sequence[tuple[int, int]], *, labelling: bool = True
) -> dict[tuple[int, int], SegmentState]:
    """Segments by (document id, start). Deleted or unreadable ones are left out."""
    states: dict[tuple[int, int], SegmentState] = {}
    statement = _segments_at_positions_statement(groups_of_visible_documents(call.access))
    for values in _batched_parameters(("document", "start"), keys):
        for row in statement.all(call.session, values | {"project": call.project.id}):
            states[row[0], row[1]] = SegmentState(*row)
    if labelling and states:
        _load_labelling(call, list(states.values()))
    return states


def _batched_parameters(names: Sequence[str], positions: Sequence[Sequence[int]]) -> Iterator[dict[str, int]]:
    """Parameter sets for the compiled statement: the values of each position, with its number appended to the names."""
    for at in range(0, len(positions), _POSITIONS_PER_QUERY):
        part = positions[at : at + _POSITIONS_PER_QUERY]
        filled = (*part, *repeat(part[-1], _POSITIONS_PER_QUERY - len(part)))
        yield {f"{name}{n}": value for n, one in enumerate(filled) for name, value in zip(names, one, strict=True)}


def load_consecutive_segments(
    call: ProjectCall, document_id: int, starts: Sequence[int], *, labelling: bool
) -> dict[tuple[int, int], SegmentState]:
    """Like `load_segments` for many segments of one document, but its text is read only once."""
    states: dict[tuple[int, int], SegmentState] = {}
    for at in range(0, len(starts), _ONE_QUERY):
        some = Segment.start.in_(starts[at : at + _ONE_QUERY])
        query = _segment_query(readable_document_clause(call), literal("")).where(
            Segment.document_id == document_id, some
        )
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


_LABEL_NAMES = CompiledStatement(select(Label.id, Label.name).where(Label.project_id == bindparam("project")))


@lru_cache(maxsize=256)
def _annotations_in_ranges_statement(seen: LabellingVisibility) -> CompiledStatement:
    """Annotations that overlap [`start0`, `end0`) of `document0` and so on, ordered by start and id."""
    near = (
        and_(
            Annotation.document_id == bindparam(f"document{n}"),
            Annotation.start < bindparam(f"end{n}"),
            Annotation.end > bindparam(f"start{n}"),
        )
        for n in range(_POSITIONS_PER_QUERY)
    )
    query = select(*(getattr(Annotation, name) for name in AnnotationRow._fields))
    query = query.where(or_(*near), Annotation.deleted_at.is_(None), labelling_visibility_clause(seen, Annotation))
    return CompiledStatement(query.order_by(Annotation.start, Annotation.id))


@lru_cache(maxsize=256)
def _categories_statement(seen: LabellingVisibility) -> CompiledInListStatement:
    query = select(*(getattr(Category, name) for name in CategoryRow._fields))
    of_documents = Category.document_id.in_(bindparam("documents", expanding=True))
    query = query.where(of_documents, Category.deleted_at.is_(None), labelling_visibility_clause(seen, Category))
    return CompiledInListStatement(query.order_by(Category.id))


def _load_labelling(call: ProjectCall, states: list[SegmentState]) -> None:
    by_document: dict[int, list[SegmentState]] = {}
    for state in states:
        by_document.setdefault(state.document_id, []).append(state)
    names: dict[int, str] = dict(_LABEL_NAMES.all(call.session, {"project": call.project.id}))
    seen = labelling_visibility(call.access)
    hulls = [
        (document_id, min(state.start for state in group), max(state.end for state in group))
        for document_id, group in by_document.items()
    ]
    for values in _batched_parameters(("document", "start", "end"), hulls):
        for annotation in map(AnnotationRow._make, _annotations_in_ranges_statement(seen).all(call.session, values)):
            for state in by_document[annotation.document_id]:
                if annotation.start < state.end and annotation.end > state.start:
                    state.annotations.append((annotation, names[annotation.label_id]))
    found = _categories_statement(seen).plain(call.session, {"documents": list(by_document)})
    for category in map(CategoryRow._make, found):
        for state in by_document[category.document_id]:
            inside = category.start is None or (category.start < state.end and (category.end or 0) > state.start)
            if inside:
                state.categories.append((category, names[category.label_id]))


def load_text_ranges(
    call: ProjectCall, fragments: Sequence[tuple[int, int, int]]
) -> dict[tuple[int, int], SegmentState]:
    """Ranges [start, end) of documents by (document id, start), whether or not they are segments; without labelling."""
    states = {}
    statement = _text_range_statement(groups_of_visible_documents(call.access))
    for document_id, start, end in fragments:
        values = {"project": call.project.id, "document": document_id, "first": start + 1, "size": end - start}
        row = statement.first(call.session, values)
        if row is not None:
            states[(document_id, start)] = SegmentState(row[0], start, end, *row[1:])
    return states


@lru_cache(maxsize=256)
def _text_range_statement(groups: frozenset[int] | None) -> CompiledStatement:
    """`size` code points from `first` (counted from 1) of a document, if it is in one of the groups (None = any)."""
    query = select(
        Document.id,
        func.substr(Document.text, bindparam("first"), bindparam("size")),
        Document.identifier,
        Document.title,
        Document.metadata_,
        Document.created_by,
        Document.created_at,
        Document.modified_at,
    )
    return CompiledStatement(query.where(readable_documents_by_id_clause(groups), Document.id == bindparam("document")))


def find_document_id(call: ProjectCall, identifier: str) -> int | None:
    """The id of the live document with that identifier, if the caller may read it."""
    return call.session.scalar(
        select(Document.id).where(
            Document.identifier == identifier,
            readable_document_clause(call),
        )
    )


def neighbours(call: ProjectCall, document_id: int, start: int, *, before: bool, skip: int, count: int) -> list[int]:
    """Starts of up to `count` segments before (nearest first) or after `start`, without the nearest `skip`."""
    values = {"document": document_id, "start": start, "skip": skip, "count": count}
    return [row[0] for row in (_BEFORE if before else _AFTER).all(call.session, values)]


def _neighbours_statement(side: ColumnElement[bool], order: UnaryExpression[int]) -> CompiledStatement:
    query = select(Segment.start).where(Segment.document_id == bindparam("document"), side).order_by(order)
    return CompiledStatement(query.offset(bindparam("skip", type_=Integer)).limit(bindparam("count", type_=Integer)))


_BEFORE = _neighbours_statement(Segment.start < bindparam("start"), Segment.start.desc())
_AFTER = _neighbours_statement(Segment.start > bindparam("start"), Segment.start.asc())


def _neighbours_of_ranges_statement() -> CompiledStatement:
    """(number, start) of up to `before` segments before `start0` and up to `after` behind `end0`, and so on.

    The numbers are 2 n for those before range n, and 2 n + 1 for those behind it.
    """
    parts = []
    for n in range(_POSITIONS_PER_QUERY):
        sides = (
            (Segment.start < bindparam(f"start{n}"), Segment.start.desc(), "before"),
            (Segment.start >= bindparam(f"end{n}"), Segment.start.asc(), "after"),
        )
        for side, (place, order, count) in enumerate(sides):
            near = select(Segment.start).where(Segment.document_id == bindparam(f"document{n}"), place).order_by(order)
            found = near.limit(bindparam(count, type_=Integer)).subquery()
            parts.append(select(literal_column(str(2 * n + side)), found.c.start))
    return CompiledStatement(union_all(*parts))


_NEIGHBOURS_OF_RANGES = _neighbours_of_ranges_statement()


def neighbours_of_ranges(
    call: ProjectCall, ranges: Sequence[tuple[int, int, int]], *, before: int, after: int
) -> list[tuple[list[int], list[int]]]:
    """For each (document id, start, end): starts of the nearest segments before and behind the range, in text order."""
    found: list[tuple[list[int], list[int]]] = [([], []) for _ in ranges]
    for number, values in enumerate(_batched_parameters(("document", "start", "end"), ranges)):
        first = number * _POSITIONS_PER_QUERY
        counts = {"before": before, "after": after}
        for key, start in _NEIGHBOURS_OF_RANGES.all(call.session, values | counts):
            at = first + key // 2
            if at < len(ranges):
                found[at][key % 2].append(start)
    return [(sorted(earlier), sorted(later)) for earlier, later in found]


def document_slice(call: ProjectCall, document_id: int, start: int, end: int) -> str:
    """`text[start:end]` of an existing document."""
    text = func.substr(Document.text, start + 1, end - start)
    return str(call.session.execute(select(text).where(Document.id == document_id)).scalar_one())


def corpus_size(session: Session, project_id: int) -> tuple[int, int]:
    """Number of live documents of a project, and of the code points of their texts."""
    query = select(func.count(Document.id), func.sum(func.length(Document.text)))
    row = session.execute(query.where(Document.project_id == project_id, Document.deleted_at.is_(None))).one()
    return int(row[0]), int(row[1] or 0)


_VECTOR_SOURCES = CompiledInListStatement(
    select(*(Document.__table__.c[name] for name in ("id", "title", "text", "modified_at")))
    .where(Document.__table__.c.id.in_(bindparam("ids", expanding=True)), Document.__table__.c.deleted_at.is_(None))
    .order_by(Document.__table__.c.id)
)
_SEGMENT_BOUNDS = CompiledInListStatement(
    select(*(Segment.__table__.c[name] for name in ("document_id", "start", "end")))
    .where(Segment.__table__.c.document_id.in_(bindparam("ids", expanding=True)))
    .order_by(Segment.__table__.c.document_id, Segment.__table__.c.start)
)


def load_vectorizable_documents(session: Session, document_ids: Sequence[int]) -> list[VectorizableDocument]:
    """Titles, texts and segments of the live documents among the ids, ordered by id."""
    values = {"ids": list(document_ids)}
    segments: dict[int, list[tuple[int, int]]] = {}
    for document_id, start, end in _SEGMENT_BOUNDS.plain(session, values):
        segments.setdefault(document_id, []).append((start, end))
    return [
        VectorizableDocument(row[0], row[1] or "", row[2] or "", segments.get(row[0], ()), row[3])
        for row in _VECTOR_SOURCES.plain(session, values)
    ]


def find_running_job(session: Session, job_id: str | None) -> Job | None:
    """The job, if it is waiting or running, else None."""
    job = session.get(Job, job_id) if job_id else None
    return job if job is not None and job.status == "STARTED" else None


def has_job_failed(session: Session, job_id: str | None) -> bool:
    """Whether the job failed."""
    job = session.get(Job, job_id) if job_id else None
    return job is not None and job.status == "FAILED"


def live_vectorizations(session: Session) -> list[tuple[Vectorization, Project]]:
    """Vectorizations of all live projects."""
    query = select(Vectorization, Project).join(Project, Project.id == Vectorization.project_id)
    return [(row[0], row[1]) for row in session.execute(query.where(Project.deleted_at.is_(None)))]


def find_live_vectorization(session: Session, owner_id: int) -> tuple[Vectorization, Project] | None:
    """A vectorization with its project, None if it or the project was deleted."""
    query = select(Vectorization, Project).join(Project, Project.id == Vectorization.project_id)
    row = session.execute(query.where(Vectorization.id == owner_id, Project.deleted_at.is_(None))).first()
    return (row[0], row[1]) if row else None


# --- saved questions --------------------------------------------------------------------------------------------------


def question_rows(call: ProjectCall, ids: Sequence[int]) -> Sequence[Any]:
    """Id, identifier and text of the readable documents among a few ids."""
    query = select(Document.id, Document.identifier, Document.text)
    return call.session.execute(
        query.where(readable_documents_by_id(call.access, call.project), Document.id.in_(ids))
    ).all()


def alt_texts_of_document(call: ProjectCall, document_id: int) -> list[tuple[str, str]]:
    """Name and text of the alternative texts of a document."""
    query = select(AltText.name, AltText.text).where(AltText.document_id == document_id)
    return [(name, text) for name, text in call.session.execute(query)]


def relevant_passages(call: ProjectCall, question_id: int, limit: int, longest: int) -> Sequence[Any]:
    """Passages of readable documents that are judged as relevant for a question and at most `longest` code points long,
    best first.
    """
    length = PassageJudgement.end - PassageJudgement.start
    query = (
        select(
            *(PassageJudgement.document_id, PassageJudgement.start, PassageJudgement.end, PassageJudgement.grade),
            Document.identifier.label("document_identifier"),
            Document.title.label("document_title"),
            func.substr(Document.text, PassageJudgement.start + 1, length).label("text"),
        )
        .join(Document, Document.id == PassageJudgement.document_id)
        .where(PassageJudgement.question_id == question_id, PassageJudgement.grade > 0, length <= longest)
        .where(readable_documents_by_id(call.access, call.project))
    )
    order = (PassageJudgement.grade.desc(), PassageJudgement.document_id, PassageJudgement.start)
    return call.session.execute(query.order_by(*order).limit(limit)).all()


def without_saved_questions(session: Session, ids: Sequence[int]) -> list[int]:
    """Those of a few hundred documents that are no saved questions."""
    query = select(Document.id, Document.metadata_).where(Document.id.in_(ids))
    questions = {number for number, metadata in session.execute(query) if is_question(metadata)}
    return [number for number in ids if number not in questions]
