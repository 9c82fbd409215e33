"""Reads what an index on the server contains of items, to verify it against the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotarium.search.index_and_search_types import IndexedContent
from annotarium.search.opensearch.index_and_field_names import server_item_id
from annotarium.search.opensearch.server_client import SearchServerClient
from annotarium.search.opensearch.writing import batches

_ONE_REQUEST = 500


def read_contents(server: SearchServerClient, index: str, ids: Sequence[str]) -> dict[str, IndexedContent]:
    """See `SearchEngine.contents`."""
    found = {}
    for part in batches(ids, _ONE_REQUEST):
        wanted = {server_item_id(one): one for one in part}
        body = {"docs": [{"_id": key, "_source": ["title", "text", "n", "d"]} for key in wanted]}
        for item in server.post(f"/{index}/_mget", body)["docs"]:
            if item.get("found"):
                found[wanted[item["_id"]]] = _content(item["_source"])
    return found


def _content(source: Mapping[str, Any]) -> IndexedContent:
    numbers, dates = (_lowest_values(source.get(kind) or {}) for kind in ("n", "d"))
    return IndexedContent(source.get("title", ""), source.get("text", ""), numbers, dates)


def _lowest_values(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: min(several) for name, several in values.items() if several}
