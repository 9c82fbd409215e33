""" "More like this": the most significant words of an item or a text, as a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from annotarium.search.opensearch.compiling import NONE, Query, any_of
from annotarium.search.opensearch.pages import HitPages
from annotarium.search.opensearch.server_client import SearchServerClient
from annotarium.search.significant_terms import MAX_CANDIDATES, rank_significant_terms
from annotarium.search.wildcards_and_title_weight import TITLE_WEIGHT


def similarity_query(server: SearchServerClient, index: str, fields: Sequence[str], counts: Counter[str]) -> Query:
    """Return a query for the words that are frequent here and rare elsewhere; without any it matches nothing."""
    if not counts:
        return NONE
    frequencies = _frequencies(server, index, fields, [term for term, _ in counts.most_common(MAX_CANDIDATES)])
    words = rank_significant_terms(counts, frequencies, HitPages(server, index).count({"match_all": {}}))
    weights = {"title": TITLE_WEIGHT, "text": 1.0}
    return any_of({"term": {field: {"value": word, "boost": weights[field]}}} for word in words for field in fields)


def _frequencies(server: SearchServerClient, index: str, fields: Sequence[str], terms: list[str]) -> dict[str, int]:
    """Return the number of items with each word, in the field where it is more frequent; unknown words are absent."""
    line = " ".join(terms)
    body: dict[str, Any] = {"doc": dict.fromkeys(fields, line), "fields": list(fields), "term_statistics": True}
    body |= {"field_statistics": False, "positions": False, "offsets": False, "payloads": False}
    vectors = server.post(f"/{index}/_termvectors", body).get("term_vectors", {})
    found: dict[str, int] = {}
    for field in vectors.values():
        for term, facts in field["terms"].items():
            if facts.get("doc_freq"):
                found[term] = max(found.get(term, 0), facts["doc_freq"])
    return found
