"""Compares the index with the database, for `annotarium index verify`; `--repair` fixes differences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from sqlalchemy.orm import Session

from annotarium.db.database import get_database
from annotarium.db.models import Project
from annotarium.search import repository
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.facet_values import stored_facet_value
from annotarium.search.import_tokenizing import TokenizedText
from annotarium.search.index_and_search_types import KINDS, FacetSpec, IndexDoc, IndexedContent, Kind, SearchSpec
from annotarium.search.index_entries import METADATA, PERSONAL_FACETS, REVIEWED, document_entry, segment_entries
from annotarium.search.indexer import BATCH, index_documents, index_key, list_projects, rebuild
from annotarium.search.repository import IndexableDocument
from annotarium.search.term_verification import compare_terms
from annotarium.search.text_analysis import get_analyser
from annotarium.search.vector_models import indexed_vectors_name

_ALL_VALUES = 1_000_000_000
_BATCH = 2_000
"""Maximum number of items per request: a document may have very many segments."""


def verify(project_name: str | None = None, *, repair: bool = False) -> dict[str, dict[str, int]]:
    """Compare index and database per project.

    Args:
        repair: reindex the documents that differ, and the whole project when it still differs then.

    Returns:
        By project name, these counts:
        `documents`, `segments`: in the database.
        `indexed`, `indexed_segments`: documents and segments in the index.
        `differing`: facet values of labelling and metadata whose counts differ.
        `wrong`: documents that are missing in the index, or differ there in words, title or dates, also of a segment.
        `terms`, `indexed_terms`, `wrong_terms`: the same for terms, whose facets count as `differing`, too.
        `without_vectors`: documents and segments without a readable vector of a model in use.
        `waiting`: outbox rows of all projects.
    """
    found = {}
    for project in list_projects(project_name):
        facts = _compare(project, repair=repair)
        if repair and not is_consistent(facts):
            facts = _compare(project)
            if not is_consistent(facts):
                rebuild(project.name)
                facts = _compare(project)
        found[project.name] = facts
    return found


def is_consistent(facts: Mapping[str, int]) -> bool:
    """Return whether the counts of a project show no difference between index and database."""
    sizes = (facts["documents"], facts["segments"]) == (facts["indexed"], facts["indexed_segments"])
    sizes = sizes and facts["terms"] == facts["indexed_terms"]
    return sizes and not any(facts[name] for name in ("differing", "wrong", "wrong_terms"))


def _compare(project: Project, *, repair: bool = False) -> dict[str, int]:
    expected_contents = _ExpectedContents(project)
    with get_database().session(write=False) as session:
        waiting = repository.count_pending_outbox_rows(session)
        for ids in repository.iterate_document_ids(session, project.id, BATCH):
            wrong = expected_contents.read(session, ids)
            if repair and wrong:
                index_documents(project.id, wrong)
    terms = compare_terms(project, repair=repair)
    indexed = {kind: get_search_engine().stats(index_key(project, kind)).items for kind in KINDS}
    return {
        "documents": expected_contents.documents,
        "indexed": indexed["documents"],
        "segments": expected_contents.segments,
        "indexed_segments": indexed["segments"],
        "terms": terms.terms,
        "indexed_terms": terms.indexed,
        "wrong_terms": terms.wrong,
        "differing": terms.differing
        + sum(_count_differing_facet_values(project, kind, expected_contents.counts[kind]) for kind in KINDS),
        "wrong": expected_contents.wrong,
        "without_vectors": _count_items_without_vectors(project),
        "waiting": waiting,
    }


_Counts = dict[str, Counter[str]]
_Entry = tuple[int, Kind, IndexDoc]
"""An expected item, with the id of its document."""


class _ExpectedContents:
    """What the index of a project should contain, collected in batches, and the number of documents that differ from
    it.
    """

    def __init__(self, project: Project) -> None:
        self.documents = self.segments = self.wrong = 0
        self.counts: dict[Kind, _Counts] = {kind: defaultdict(Counter) for kind in KINDS}
        self._project = project
        self._cutter = get_analyser(project.lang)

    def read(self, session: Session, ids: list[int]) -> list[int]:
        """Add a batch of documents, and return the ids of those that differ in the index."""
        labels = repository.label_names(session, self._project.id)
        states = repository.load_indexable_documents(session, self._project.id, ids, with_text=True, labels=labels)
        wrong: set[int] = set()
        entries = self._entries(states.values())
        while some := list(islice(entries, _BATCH)):
            wrong |= self._differ(some)
        self.documents, self.wrong = self.documents + len(states), self.wrong + len(wrong)
        return sorted(wrong)

    def _entries(self, states: Iterable[IndexableDocument]) -> Iterator[_Entry]:
        for state in states:
            borders = list(chain.from_iterable(state.segments))
            cut = TokenizedText(borders, self._cutter.lines(state.text or "", borders))
            whole = cut.whole()
            self.segments += len(state.segments)
            yield state.id, "documents", document_entry(state, whole)
            for entry in segment_entries(state, whole, cut.parts(whole)):
                yield state.id, "segments", entry

    def _differ(self, entries: list[_Entry]) -> set[int]:
        """Return the ids of documents with entries that differ in the index."""
        for _, kind, entry in entries:
            _count_facet_values(self.counts[kind], entry)
        held = {}
        for kind in KINDS:
            ids = [entry.id for _, its_kind, entry in entries if its_kind == kind]
            held[kind] = get_search_engine().contents(index_key(self._project, kind), ids)
        return {document for document, kind, entry in entries if held[kind].get(entry.id) != self._content(entry)}

    def _content(self, entry: IndexDoc) -> IndexedContent:
        title = self._cutter.title_tokens(entry.title).line() if entry.title else ""
        assert entry.tokens is not None
        return IndexedContent(title, entry.tokens.line(), _lowest_values(entry.numbers), _lowest_values(entry.dates))


def _lowest_values(values: Mapping[str, float | Sequence[float]]) -> dict[str, float]:
    several = {name: [value] if isinstance(value, (int, float)) else value for name, value in values.items()}
    return {name: float(min(those)) for name, those in several.items() if len(those)}


def _count_facet_values(counts: _Counts, entry: IndexDoc) -> None:
    for facet, values in entry.facets.items():
        if _is_compared_facet(facet):
            counts[facet].update({stored_facet_value(text) for text in values if text})


def _is_compared_facet(facet: str) -> bool:
    return facet.startswith(METADATA) or facet.partition("(")[0] in (*PERSONAL_FACETS, REVIEWED, "split", "origin")


def _count_differing_facet_values(project: Project, kind: Kind, expected: _Counts) -> int:
    engine, key = get_search_engine(), index_key(project, kind)
    names = {name for name in engine.facet_names(key) if _is_compared_facet(name)} | expected.keys()
    spec = SearchSpec(size=0, facets=[FacetSpec(name, size=_ALL_VALUES) for name in sorted(names)])
    held = {
        one.name: {bucket.key: bucket.doc_count for bucket in one.buckets} for one in engine.search(key, spec).facets
    }
    wrong = 0
    for name in names:
        right, there = expected.get(name, Counter()), held.get(name, {})
        wrong += sum(right.get(value, 0) != there.get(value, 0) for value in right.keys() | there.keys())
    return wrong


def _count_items_without_vectors(project: Project) -> int:
    with get_database().session(write=False) as session:
        rows = repository.list_vectorizations(session, project.id)
    names = [indexed_vectors_name(row.name, row.model) for row in rows if row.model]
    engine = get_search_engine()
    gaps = (engine.vector_gaps(index_key(project, kind), name, thorough=True) for name in names for kind in KINDS)
    return sum(sum(1 for _ in found) for found in gaps)
