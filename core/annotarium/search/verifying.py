"""Compares the index with the record: what `annotarium index verify` tells."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from sqlalchemy.orm import Session

from annotarium.db.engine import get_database
from annotarium.db.models import Project
from annotarium.search import repository
from annotarium.search.content import METADATA, PERSONAL, facet_patches
from annotarium.search.embedded.catalogue import facet_value
from annotarium.search.indexer import BATCH, get_engine, index_key, list_projects
from annotarium.search.spec import KINDS, FacetSpec, Kind, Patch, SearchSpec
from annotarium.search.vector_models import index_name

_ALL_VALUES = 1_000_000_000


def verify(project_name: str | None = None) -> dict[str, dict[str, int]]:
    """Compare index and record, per project.

    Returns:
        `documents` and `segments` of the record, `indexed` and `indexed_segments` of the index, `differing`: values of
        labelling and metadata whose counts are not those of the record, `without_vectors`: documents and segments that
        lack a readable vector of the models in use, `waiting`: outbox rows of all projects.
    """
    found = {}
    for project in list_projects(project_name):
        with get_database().session(write=False) as session:
            waiting = repository.count_pending(session)
            documents, segments, counts = _count_record(session, project.id)
        indexed = {kind: get_engine().stats(index_key(project, kind)).items for kind in KINDS}
        found[project.name] = {
            "documents": documents,
            "indexed": indexed["documents"],
            "segments": segments,
            "indexed_segments": indexed["segments"],
            "differing": sum(_differing(project, kind, counts[kind]) for kind in KINDS),
            "without_vectors": _without_vectors(project),
            "waiting": waiting,
        }
    return found


_Counts = dict[str, Counter[str]]


def _count_record(session: Session, project_id: int) -> tuple[int, int, dict[Kind, _Counts]]:
    """Documents, segments, and how many of them have each value of the compared facets."""
    labels = repository.label_names(session, project_id)
    counts: dict[Kind, _Counts] = {kind: defaultdict(Counter) for kind in KINDS}
    documents = segments = 0
    for ids in repository.iterate_document_ids(session, project_id, BATCH):
        states = repository.load_states(session, project_id, ids, with_text=False, labels=labels)
        for state in states.values():
            document, parts = facet_patches(state, None)
            documents, segments = documents + 1, segments + len(parts)
            _count(counts["documents"], [document])
            _count(counts["segments"], parts)
    return documents, segments, counts


def _count(counts: _Counts, patches: Iterable[Patch]) -> None:
    for patch in patches:
        for facet, values in patch.facets.items():
            if _compared(facet):
                counts[facet].update({facet_value(text) for text in values if text})


def _compared(facet: str) -> bool:
    return facet.startswith(METADATA) or facet.partition("(")[0] in (*PERSONAL, "split", "origin")


def _differing(project: Project, kind: Kind, expected: _Counts) -> int:
    engine, key = get_engine(), index_key(project, kind)
    names = {name for name in engine.facet_names(key) if _compared(name)} | expected.keys()
    spec = SearchSpec(size=0, facets=[FacetSpec(name, size=_ALL_VALUES) for name in sorted(names)])
    held = {
        one.name: {bucket.key: bucket.doc_count for bucket in one.buckets} for one in engine.search(key, spec).facets
    }
    wrong = 0
    for name in names:
        right, there = expected.get(name, Counter()), held.get(name, {})
        wrong += sum(right.get(value, 0) != there.get(value, 0) for value in right.keys() | there.keys())
    return wrong


def _without_vectors(project: Project) -> int:
    with get_database().session(write=False) as session:
        rows = repository.list_vectorizations(session, project.id)
    names = [index_name(row.name, row.model) for row in rows if row.model]
    engine = get_engine()
    gaps = (engine.vector_gaps(index_key(project, kind), name, thorough=True) for name in names for kind in KINDS)
    return sum(sum(1 for _ in found) for found in gaps)
