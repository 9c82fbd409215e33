"""Four items for the contract tests of search engines, and helpers to search them."""

from __future__ import annotations

from datetime import UTC, datetime

from annotarium.search.engine import SearchEngine
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, SearchHits, SearchSpec
from annotarium.search.query import parse_advanced, parse_simple

NOW = datetime(2026, 11, 18, 12, 30, tzinfo=UTC).timestamp() * 1000
MINUTE, DAY = 60_000, 86_400_000

ITEMS = [
    IndexDoc(
        "a",
        "The runners were running in Paris.",
        "Sport",
        facets={"label": ["person", "place"], "metadata.source": ["news"], "inDataset": ["true"]},
        numbers={"metadata.year": 2001, "terms": 0},
        dates={"createdDate": NOW - MINUTE},
        vectors={"v": [1, 0, 0]},
    ),
    IndexDoc(
        "b",
        "A quick brown fox, tested in the École of Paris: brown again.",
        "Animals",
        facets={"label": ["person"], "metadata.source": ["blog"], "inDataset": ["true"], "label(bob)": ["person"]},
        numbers={"metadata.year": 2010, "terms": 12},
        dates={"createdDate": NOW - 2 * DAY},
        vectors={"v": [0.8, 0.6, 0]},
    ),
    IndexDoc(
        "c",
        "Nothing to run here; 東京都に行く.",
        "Running",
        facets={"metadata.source": ["news"], "classificationLabel": ["dull"], "inDataset": ["false"]},
        numbers={"metadata.year": 2020},
        dates={"createdDate": NOW - 800 * DAY},
        vectors={"v": [0, 1, 0]},
    ),
    IndexDoc("d", "", "Empty one", facets={"label": ["thing"]}),
]


def search(engine: SearchEngine, key: IndexKey, query: str = "", *, simple: bool = True, **spec: object) -> SearchHits:
    node = parse_simple(query) if simple else parse_advanced(query)
    return engine.search(key, SearchSpec(query=node, now_ms=NOW, **spec))  # type: ignore[arg-type]


def identifiers_of(hits: SearchHits) -> str:
    assert hits.total >= len(hits.hits)
    return "".join(sorted(hit.id for hit in hits.hits))


def facet_counts(hits: SearchHits) -> dict[str, dict[str, int]]:
    return {facet.name: {bucket.key: bucket.doc_count for bucket in facet.buckets} for facet in hits.facets}
