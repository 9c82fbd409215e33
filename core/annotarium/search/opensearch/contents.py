"""What an index on the server holds of its items, to be compared with the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotarium.search.opensearch.names import key_of
from annotarium.search.opensearch.server import Server
from annotarium.search.opensearch.writing import batches
from annotarium.search.spec import Content

_ONE_REQUEST = 500


def read_contents(server: Server, index: str, ids: Sequence[str]) -> dict[str, Content]:
    """See `SearchEngine.contents`."""
    found = {}
    for part in batches(ids, _ONE_REQUEST):
        wanted = {key_of(one): one for one in part}
        body = {"docs": [{"_id": key, "_source": ["title", "text", "n", "d"]} for key in wanted]}
        for item in server.post(f"/{index}/_mget", body)["docs"]:
            if item.get("found"):
                found[wanted[item["_id"]]] = _content(item["_source"])
    return found


def _content(source: Mapping[str, Any]) -> Content:
    numbers, dates = (_lowest(source.get(kind) or {}) for kind in ("n", "d"))
    return Content(source.get("title", ""), source.get("text", ""), numbers, dates)


def _lowest(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: min(several) for name, several in values.items() if several}
