"""SQL of suggestions: pages, counts and facets of the open ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from zlib import crc32

from sqlalchemy import ColumnElement, CursorResult, UnaryExpression, and_, delete, func, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.content.suggestions.repository import Clauses
from annotarium.content.suggestions.unanswered import BANDS
from annotarium.db.id_clauses import in_ids_clause
from annotarium.db.models import Suggestion, SuggestionFacets

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


class FacetCell(NamedTuple):
    """Number of open suggestions with the same values in all facets. `key` is their `Suggestion.facet_key`."""

    key: int
    suggester: str
    confidence: str
    labels: Sequence[str]
    number: int

    def has(self, facet: str, value: str) -> bool:
        """Whether the suggestions have a value of a facet."""
        return value in self.values(facet)

    def values(self, facet: str) -> Sequence[str]:
        """The values in a facet."""
        return self.labels if facet == "label" else (getattr(self, facet),)


def count_by_facets(call: ProjectCall, clauses: Clauses) -> list[FacetCell]:
    """Counts of suggestions by their values in all facets: one scan of an index, whatever is selected."""
    key = Suggestion.facet_key
    counted = select(key, func.count().label("number")).where(*clauses).group_by(key).subquery()
    query = select(
        counted.c.facet_key,
        SuggestionFacets.suggester,
        SuggestionFacets.confidence_band,
        SuggestionFacets.labels,
        counted.c.number,
    )
    own = (SuggestionFacets.project_id == call.project.id, SuggestionFacets.key == counted.c.facet_key)
    return [
        FacetCell(key, suggester, BAND_NAMES[band], labels, number)
        for key, suggester, band, labels, number in call.session.execute(query.join(SuggestionFacets, and_(*own)))
    ]


def page_of_suggestions(
    call: ProjectCall, clauses: Clauses, sort: str, *, keys: Sequence[int] | None = None, first: int, size: int
) -> Sequence[Suggestion]:
    """One page, in order. The ids come from an index, and only the page's rows are read.

    Args:
        keys: only suggestions with these `facet_key`s; None = all.
    """
    query = select(Suggestion.id).where(*clauses).order_by(*_order(sort, call.username))
    if keys is not None:
        query = query.where(in_ids_clause(call.session, Suggestion.facet_key, keys))
    ids = call.session.scalars(query.offset(first).limit(size)).all()
    rows = call.session.scalars(select(Suggestion).where(in_ids_clause(call.session, Suggestion.id, ids)))
    by_id = {row.id: row for row in rows}
    return [by_id[identifier] for identifier in ids if identifier in by_id]


def clear(session: Session, project_id: int) -> int:
    """Delete all suggestions of a project; returns how many."""
    result: CursorResult[Any] = session.execute(delete(Suggestion).where(Suggestion.project_id == project_id))  # type: ignore[assignment]
    return result.rowcount
