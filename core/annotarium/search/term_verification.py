"""Compares the index of terms with the database: the part of `index_verification` for lexicons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from annotarium.db.database import get_database
from annotarium.db.models import Project
from annotarium.search import repository
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.facet_values import stored_facet_value
from annotarium.search.index_and_search_types import FacetSpec, IndexDoc, IndexedContent, SearchSpec
from annotarium.search.index_locks import project_index_lock
from annotarium.search.indexer import index_key
from annotarium.search.term_entries import LANGUAGE, LEXICON, OBSOLETE, PROPERTIES, term_entry
from annotarium.search.term_indexing import PendingTerms, apply_pending_terms, term_id_batches
from annotarium.search.text_analysis import get_analyser

COMPARED_FACETS = (LEXICON, PROPERTIES, LANGUAGE, OBSOLETE)
_ALL_VALUES = 1_000_000_000


@dataclass
class TermFacts:
    """Terms in the database and in the index.

    Attributes:
        wrong: terms that are missing in the index, or differ there in words, form or dates.
        differing: values of facets whose counts differ.
    """

    terms: int = 0
    indexed: int = 0
    wrong: int = 0
    differing: int = 0
    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def compare_terms(project: Project, *, repair: bool = False) -> TermFacts:
    """Compare the terms of a project, in batches.

    Args:
        repair: index the terms that differ again. What they count is what was found before.
    """
    facts, engine, key = TermFacts(), get_search_engine(), index_key(project, "terms")
    for ids in term_id_batches(project):
        with get_database().session(write=False) as session:
            states = repository.load_indexable_terms(session, project.id, ids)
        entries = [term_entry(state) for state in states]
        held = engine.contents(key, [entry.id for entry in entries])
        for entry in entries:
            for name in COMPARED_FACETS:
                facts.counts[name].update({stored_facet_value(text) for text in entry.facets.get(name, ()) if text})
        wrong = [int(entry.id) for entry in entries if held.get(entry.id) != _content(project, entry)]
        facts.terms, facts.wrong = facts.terms + len(entries), facts.wrong + len(wrong)
        if repair and wrong:
            with project_index_lock(project.id):
                apply_pending_terms(project, PendingTerms(terms=set(wrong)))
    facts.indexed = engine.stats(key).items
    facts.differing = _count_differing_values(project, facts.counts)
    return facts


def _content(project: Project, entry: IndexDoc) -> IndexedContent:
    analyser = get_analyser(project.lang)
    title = analyser.title_tokens(entry.title).line() if entry.title else ""
    text = analyser.tokens(entry.text).line() if entry.text else ""
    dates = {name: float(value) for name, value in entry.dates.items() if isinstance(value, int | float)}
    return IndexedContent(title, text, {}, dates)


def _count_differing_values(project: Project, expected: Mapping[str, Counter[str]]) -> int:
    spec = SearchSpec(size=0, facets=[FacetSpec(name, size=_ALL_VALUES) for name in COMPARED_FACETS])
    found = get_search_engine().search(index_key(project, "terms"), spec).facets
    held = {one.name: {bucket.key: bucket.doc_count for bucket in one.buckets} for one in found}
    wrong = 0
    for name in COMPARED_FACETS:
        right, there = expected.get(name, Counter()), held.get(name, {})
        wrong += sum(right.get(value, 0) != there.get(value, 0) for value in right.keys() | there.keys())
    return wrong
