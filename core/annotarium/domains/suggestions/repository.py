"""SQL of suggestions: pages, counts and facets of the open ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from sqlalchemy import (
    ColumnElement,
    CursorResult,
    UnaryExpression,
    delete,
    false,
    func,
    not_,
    or_,
    select,
)
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.content.suggestions.repository import Clauses, every_open_suggestion
from annotarium.content.suggestions.unanswered import BANDS
from annotarium.db.id_clauses import in_ids_clause
from annotarium.db.models import Suggestion, SuggestionLabel
from annotarium.search.facet_selections import FacetSelection

Order = ColumnElement[Any] | UnaryExpression[Any]
SORTS: dict[str, tuple[Order, ...]] = {
    "sampling": (Suggestion.priority.desc(), Suggestion.id.asc()),
    "best": (Suggestion.confidence.desc(), Suggestion.id.asc()),
    "worst": (Suggestion.confidence.asc(), Suggestion.id.asc()),
    "newest": (Suggestion.created_at.desc(), Suggestion.id.desc()),
}
RANDOM = "random"
BAND_NAMES = tuple(f"{number / BANDS:.1f}" for number in range(BANDS))
_PRIME = 2_147_483_647


def _order(sort: str, seed: str) -> tuple[Order, ...]:
    """The order of the list. A random one depends on the suggestion and the seed only, so that it is the same from page
    to page while others are answered or skipped.
    """
    if sort != RANDOM:
        return SORTS[sort]
    factor = 1_000_000_000 + crc32(seed.encode()) % 1_000_000_000
    # Less than 2**62, which both databases compute as an integer.
    return ((Suggestion.id % _PRIME) * factor % _PRIME, Suggestion.id.asc())


def selection_clauses(call: ProjectCall, selections: Sequence[FacetSelection]) -> Clauses:
    """True for suggestions that match facet selections: values of a facet without `+` or `-` are alternatives."""
    clauses: list[ColumnElement[bool]] = []
    alternatives: dict[str, list[ColumnElement[bool]]] = {}
    for one in selections:
        clause = _value_clause(call, one)
        if one.selector == "+":
            clauses.append(clause)
        elif one.selector == "-":
            clauses.append(not_(clause))
        else:
            alternatives.setdefault(one.facet, []).append(clause)
    return (*clauses, *(or_(*parts) for parts in alternatives.values()))


def _value_clause(call: ProjectCall, selection: FacetSelection) -> ColumnElement[bool]:
    if selection.facet == "suggester":
        return Suggestion.suggester == selection.value
    if selection.facet == "confidence":
        known = selection.value in BAND_NAMES
        return Suggestion.confidence_band == BAND_NAMES.index(selection.value) if known else false()
    with_label = select(SuggestionLabel.suggestion_id).where(
        SuggestionLabel.project_id == call.project.id, SuggestionLabel.label_name == selection.value
    )
    return Suggestion.id.in_(with_label)


def count_by_suggester_and_band(call: ProjectCall, clauses: Clauses) -> dict[tuple[str, str], int]:
    """Number of suggestions by suggester and confidence band."""
    columns = (Suggestion.suggester, Suggestion.confidence_band)
    query = select(*columns, func.count()).where(*clauses).group_by(*columns)
    return {(suggester, BAND_NAMES[band]): number for suggester, band, number in call.session.execute(query)}


def count_by_label(call: ProjectCall, clauses: Clauses) -> dict[str, int]:
    """Number of suggestions by label of their unanswered proposals; without filters an index is enough."""
    query = select(SuggestionLabel.label_name, func.count()).where(SuggestionLabel.project_id == call.project.id)
    if len(clauses) > len(every_open_suggestion(call)):
        query = query.where(SuggestionLabel.suggestion_id.in_(select(Suggestion.id).where(*clauses)))
    return {name: number for name, number in call.session.execute(query.group_by(SuggestionLabel.label_name))}


def page_of_suggestions(
    call: ProjectCall, clauses: Clauses, sort: str, *, first: int, size: int
) -> Sequence[Suggestion]:
    """One page, in order. The ids come from an index, and only the page's rows are read."""
    query = select(Suggestion.id).where(*clauses).order_by(*_order(sort, call.username))
    ids = call.session.scalars(query.offset(first).limit(size)).all()
    rows = call.session.scalars(select(Suggestion).where(in_ids_clause(call.session, Suggestion.id, ids)))
    by_id = {row.id: row for row in rows}
    return [by_id[identifier] for identifier in ids if identifier in by_id]


def clear(session: Session, project_id: int) -> int:
    """Delete all suggestions of a project; returns how many."""
    result: CursorResult[Any] = session.execute(delete(Suggestion).where(Suggestion.project_id == project_id))  # type: ignore[assignment]
    return result.rowcount
