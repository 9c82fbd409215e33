"""Keeps the index of terms up to date: the part of `indexer` for lexicons. Callers hold the `project_index_lock`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from annotarium.db.database import get_database
from annotarium.db.models import Outbox, Project
from annotarium.search import repository
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.index_and_search_types import IndexKey
from annotarium.search.term_entries import LEXICON_ID, term_entry

BATCH = 500
TERM, TERMS, LEXICON = "term", "terms", "lexicon"
OPERATIONS = (TERM, TERMS, LEXICON)
"""Operations of outbox rows about terms (see the model)."""


@dataclass
class PendingTerms:
    """Pending changes of the terms of one project."""

    terms: set[int] = field(default_factory=set)
    ranges: list[tuple[int, int]] = field(default_factory=list)
    lexicons: set[int] = field(default_factory=set)

    def take(self, row: Outbox) -> bool:
        """Add a row, if it is about terms."""
        if row.operation not in OPERATIONS or row.document_id is None:
            return False
        if row.operation == TERM:
            self.terms.add(row.document_id)
        elif row.operation == TERMS:
            self.ranges.append((row.document_id, row.document_id + (row.end or 0)))
        else:
            self.lexicons.add(row.document_id)
        return True


def apply_pending_terms(project: Project, pending: PendingTerms) -> None:
    """Write the current state of the terms to the index."""
    key = _key(project)
    for lexicon_id in sorted(pending.lexicons):
        get_search_engine().bulk(key, delete_matching=[FacetSelection(LEXICON_ID, str(lexicon_id))])
        for ids in term_id_batches(project, lexicon_id=lexicon_id):
            _index_terms(project, key, ids)
    for first, last in pending.ranges:
        for ids in term_id_batches(project, first=first, last=last):
            _index_terms(project, key, ids)
    single = sorted(pending.terms)
    for begin in range(0, len(single), BATCH):
        _index_terms(project, key, single[begin : begin + BATCH])


def rebuild_terms(project: Project) -> None:
    """Index all terms of a project anew; searches use the old index until it is complete."""
    engine, key = get_search_engine(), _key(project)
    with get_database().session(write=False) as session:
        filled = repository.has_lexicons(session, project.id)
    if not filled and not engine.version(key):
        return
    fresh = engine.begin_generation(key)
    for ids in term_id_batches(project):
        _index_terms(project, fresh, ids)
    engine.switch(fresh)


def _key(project: Project) -> IndexKey:
    return IndexKey(str(project.id), "terms", project.lang)


def term_id_batches(
    project: Project, *, lexicon_id: int | None = None, first: int = 0, last: int | None = None
) -> Iterator[Sequence[int]]:
    """Yield the ids of the terms of a project, a lexicon or a range, ascending."""
    after = first - 1
    while True:
        with get_database().session(write=False) as session:
            ids = repository.term_ids(session, project.id, lexicon_id=lexicon_id, after=after, last=last, limit=BATCH)
        if not ids:
            return
        yield ids
        after = ids[-1]


def _index_terms(project: Project, key: IndexKey, ids: Iterable[int]) -> None:
    wanted = list(ids)
    with get_database().session(write=False) as session:
        states = repository.load_indexable_terms(session, project.id, wanted)
    deleted = set(wanted) - {state.id for state in states}
    get_search_engine().bulk(key, [term_entry(state) for state in states], deletes=[str(one) for one in deleted])
