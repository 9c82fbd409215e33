"""JSON of search results."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, cast

from annotarium.db.models import Project
from annotarium.search.facet_values import detect_value_kind
from annotarium.search.index_and_search_types import FacetCounts, SearchHits, SearchSpec, ValueKind
from annotarium.search.index_entries import METADATA
from annotarium.search.metadata_facets import MetadataFacet, project_metadata_facets_by_name


def facet_to_json(facet: FacetCounts, wanted: MetadataFacet | None = None) -> dict[str, Any]:
    """Return a facet as JSON. Values beyond the requested size are added up in a last bucket (W-015).

    Args:
        wanted: the project's settings for a metadata facet.
    """
    buckets: list[dict[str, Any]] = []
    for bucket in facet.buckets:
        item: dict[str, Any] = {"key": bucket.key, "doc_count": bucket.doc_count}
        if bucket.from_ is not None:
            item["from"] = bucket.from_
        if bucket.to is not None:
            item["to"] = bucket.to
        buckets.append(item)
    if facet.sum_other_doc_count:
        buckets.append({"key": f"sum_other_doc_count_{facet.name}", "doc_count": facet.sum_other_doc_count})
    kind = detect_value_kind(bucket.key for bucket in facet.buckets) if facet.name.startswith(METADATA) else None
    if wanted is not None and wanted.type:
        kind = None if wanted.type == "text" else cast(ValueKind, wanted.type)
    more = {"title": wanted.title if wanted else "", "valueKind": kind}
    return {"name": facet.name, "buckets": buckets} | {name: value for name, value in more.items() if value}


def search_result_to_json(
    found: SearchHits, hits: Sequence[dict[str, Any]], spec: SearchSpec, project: Project
) -> dict[str, Any]:
    """Return a search result as JSON: hits, their number (`gte`: there may be more), facets and histograms.

    The best score is included only when there is a hit.
    """
    wanted = {f"{METADATA}{name}": one for name, one in project_metadata_facets_by_name(project).items()}
    drawn = [{**facet_to_json(facet), "valueKind": facet.bars_of} for facet in found.facets if facet.bars_of]
    answer = {
        "hits": list(hits),
        "total": {"value": found.total, "relation": "eq" if found.exact else "gte"},
        "size": spec.size,
        "resultID": secrets.token_hex(8),
        "searchType": spec.search_type,
        "aggregations": [facet_to_json(one, wanted.get(one.name)) for one in found.facets if not one.bars_of],
    }
    best = {} if found.max_score is None else {"max_score": found.max_score}
    return answer | best | ({"histograms": drawn} if drawn else {})
