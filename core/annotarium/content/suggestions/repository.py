"""SQL of suggestions with unanswered proposals, and of the labelling that answers proposals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, not_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.repository import readable_document_clause
from annotarium.db.compiled_statements import CompiledStatement
from annotarium.db.id_clauses import in_ids_clause
from annotarium.db.models import (
    CLASSIFICATION,
    Annotation,
    Category,
    Document,
    Label,
    LabelSet,
    Project,
    Suggestion,
    SuggestionFacets,
    SuggestionLabel,
)

Clauses = tuple[ColumnElement[bool], ...]
_OVERLAPPING = CompiledStatement(
    select(Suggestion.id).where(
        Suggestion.document_id == bindparam("document"),
        Suggestion.start <= bindparam("last"),
        Suggestion.end >= bindparam("first"),
    )
)
_ANY = CompiledStatement(select(Suggestion.id).where(Suggestion.project_id == bindparam("project")).limit(1))


class StoredSuggestion(NamedTuple):
    """What tells which proposals of a suggestion are unanswered, and what is stored about that."""

    id: int
    document_id: int
    annotations: Any
    categories: Any
    confidence: float
    suggester: str
    open: bool
    facet_key: int


class FacetValues(NamedTuple):
    """The values of a suggestion in the facets of the list. `labels` are sorted."""

    suggester: str
    confidence_band: int
    labels: tuple[str, ...]


def find_project(session: Session, project_id: int) -> Project | None:
    """The project, None if it is deleted."""
    found = session.get(Project, project_id)
    return found if found is not None and found.deleted_at is None else None


def has_suggestions(session: Session, project_id: int) -> bool:
    """Whether a project has suggestions, answered or not."""
    return _ANY.first(session, {"project": project_id}) is not None


def ids_in_range(session: Session, document_id: int, start: int, end: int) -> list[int]:
    """Suggestions on segments that touch [start, end] of a document."""
    values = {"document": document_id, "first": start, "last": end}
    return [row[0] for row in _OVERLAPPING.all(session, values)]


def ids_on_documents(session: Session, document_ids: Sequence[int]) -> list[int]:
    """Suggestions on these documents."""
    return list(
        session.scalars(select(Suggestion.id).where(in_ids_clause(session, Suggestion.document_id, document_ids)))
    )


def ids_of_project(session: Session, project_id: int) -> list[int]:
    """All suggestions of a project, in ascending order."""
    query = select(Suggestion.id).where(Suggestion.project_id == project_id).order_by(Suggestion.id)
    return list(session.scalars(query))


def lock_suggestions(session: Session, ids: Sequence[int]) -> list[StoredSuggestion]:
    """Read suggestions and lock them: of two answers given at the same time, the later one sees both."""
    query = select(*(getattr(Suggestion, name) for name in StoredSuggestion._fields))
    query = query.where(in_ids_clause(session, Suggestion.id, ids)).order_by(Suggestion.id).with_for_update()
    return [StoredSuggestion(*row) for row in session.execute(query)]


def judged_labelling_keys(session: Session, ids: Sequence[int]) -> set[tuple[int, int | None, int | None, str]]:
    """(document id, start, end, label name) of the labelling that users confirmed or rejected where suggestions are.

    Annotations that start in the segment of one of the suggestions, and categories of their documents (start and end
    are None).
    """
    inside = and_(
        Annotation.document_id == Suggestion.document_id,
        Annotation.start >= Suggestion.start,
        Annotation.start <= Suggestion.end,
    )
    suggested = in_ids_clause(session, Suggestion.id, ids)
    spans = (
        select(Annotation.document_id, Annotation.start, Annotation.end, Label.name)
        .join(Suggestion, inside)
        .join(Label, Label.id == Annotation.label_id)
        .where(suggested, Annotation.deleted_at.is_(None), Annotation.status.is_not(None))
    )
    categories = (
        select(Category.document_id, Category.start, Category.end, Label.name)
        .join(Suggestion, Category.document_id == Suggestion.document_id)
        .join(Label, Label.id == Category.label_id)
        .where(suggested, Category.deleted_at.is_(None), Category.status.is_not(None), Category.start.is_(None))
    )
    return {(row[0], row[1], row[2], row[3]) for query in (spans, categories) for row in session.execute(query)}


def decided_label_sets(session: Session, ids: Sequence[int]) -> set[tuple[int, int]]:
    """(document id, label set id) of the confirmed categories of the documents of suggestions."""
    query = (
        select(Category.document_id, Label.label_set_id)
        .join(Suggestion, Category.document_id == Suggestion.document_id)
        .join(Label, Label.id == Category.label_id)
        .where(in_ids_clause(session, Suggestion.id, ids), Category.deleted_at.is_(None), Category.status == "OK")
        .where(Category.start.is_(None))
    )
    return {(row[0], row[1]) for row in session.execute(query)}


def exclusive_label_set_by_label(session: Session, project: Project) -> dict[str, int | None]:
    """Labels of the project by name, each with its label set if only one category of the set may apply, else None."""
    everywhere = project.nature == CLASSIFICATION and project.exclusive_classes
    query = select(Label.name, Label.label_set_id, LabelSet.exclusive_classes).join(
        LabelSet, LabelSet.id == Label.label_set_id
    )
    rows = session.execute(query.where(Label.project_id == project.id, Label.deleted_at.is_(None)))
    return {row[0]: row[1] if everywhere or row[2] else None for row in rows}


def stored_labels(session: Session, ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """By suggestion: the labels of its unanswered proposals as stored, each with the number of spans."""
    query = select(SuggestionLabel.suggestion_id, SuggestionLabel.label_name, SuggestionLabel.spans)
    found: dict[int, dict[str, int]] = {}
    for identifier, name, spans in session.execute(
        query.where(in_ids_clause(session, SuggestionLabel.suggestion_id, ids))
    ):
        found.setdefault(identifier, {})[name] = spans
    return found


def store_labels(session: Session, project_id: int, labels: Mapping[int, Mapping[str, int]]) -> None:
    """Replace the stored labels of suggestions."""
    if not labels:
        return
    session.execute(
        delete(SuggestionLabel)
        .where(in_ids_clause(session, SuggestionLabel.suggestion_id, list(labels)))
        .execution_options(synchronize_session=False)
    )
    rows = [
        {"suggestion_id": identifier, "label_name": name, "project_id": project_id, "spans": spans}
        for identifier, counts in labels.items()
        for name, spans in counts.items()
    ]
    if rows:
        session.execute(insert(SuggestionLabel), rows)


def store_facets(session: Session, project_id: int, facets: Mapping[int, FacetValues]) -> None:
    """Store values of facets under their keys; those already stored stay as they are."""
    wanted = in_ids_clause(session, SuggestionFacets.key, list(facets))
    known = set(
        session.scalars(select(SuggestionFacets.key).where(SuggestionFacets.project_id == project_id, wanted))
        if facets
        else ()
    )
    rows = [
        {"project_id": project_id, "key": key} | values._asdict()
        for key, values in sorted(facets.items())
        if key not in known
    ]
    if not rows:
        return
    # Another transaction may store the same values at the same time.
    if session.get_bind().dialect.name == "postgresql":
        session.execute(postgresql.insert(SuggestionFacets).on_conflict_do_nothing(), rows)
    else:
        session.execute(sqlite.insert(SuggestionFacets).on_conflict_do_nothing(), rows)


def store_states(session: Session, states: Iterable[tuple[int, bool, int]]) -> None:
    """Store whether suggestions are open, and the keys of their values in the facets."""
    rows = [{"id": identifier, "open": is_open, "facet_key": key} for identifier, is_open, key in states]
    if rows:
        session.execute(update(Suggestion), rows)


def every_open_suggestion(call: ProjectCall) -> Clauses:
    """True for all open suggestions of the project, whatever the caller may read."""
    return (Suggestion.project_id == call.project.id, Suggestion.open.is_(True))


def open_suggestions(call: ProjectCall) -> Clauses:
    """True for open suggestions on documents that the caller may read."""
    clauses = every_open_suggestion(call)
    hidden = select(Document.id).where(Document.project_id == call.project.id, not_(readable_document_clause(call)))
    if call.session.scalar(hidden.limit(1)) is None:
        return clauses
    return (*clauses, Suggestion.document_id.not_in(hidden))


def count_spans_by_label(call: ProjectCall) -> dict[str, int]:
    """Number of unanswered span proposals by label, on documents that the caller may read."""
    query = select(SuggestionLabel.label_name, func.sum(SuggestionLabel.spans))
    query = query.join(Suggestion, Suggestion.id == SuggestionLabel.suggestion_id).where(
        SuggestionLabel.project_id == call.project.id, SuggestionLabel.spans > 0, *open_suggestions(call)
    )
    return {name: int(number) for name, number in call.session.execute(query.group_by(SuggestionLabel.label_name))}


def open_suggestion_rows(call: ProjectCall) -> Sequence[Suggestion]:
    """All open suggestions on documents that the caller may read."""
    return call.session.scalars(select(Suggestion).where(*open_suggestions(call))).all()


def batches(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """The ids in parts of that size."""
    return (ids[at : at + size] for at in range(0, len(ids), size))
