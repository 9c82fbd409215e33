"""Pages of ranked hits at any depth, and counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from annotarium.search.opensearch.server_client import SearchServerClient

WINDOW = 10_000
"""Maximum of hits in one response of the server; deeper pages are reached by iterating over a point in time."""

_KEEP_ALIVE = "30m"
_Query = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RankedHit:
    """A hit: its id, its score, and its sort key among equal scores."""

    id: str
    score: float
    order: str


class HitPages:
    """Searches in one index. `best` is the best score of the last page that was ranked by score."""

    def __init__(self, server: SearchServerClient, index: str) -> None:
        self._server = server
        self._path = f"/{index}"
        self.best: float | None = None

    def page(
        self, query: _Query, first: int, size: int, *, scored: bool, sort: Sequence[_Query] | None = None
    ) -> list[RankedHit]:
        """Return `size` hits from position `first` on, in the given sort order, else by score when `scored`; ties by
        id.
        """
        body = _body(query, scored, sort)
        if first + size <= WINDOW:
            answer = self._ask(f"{self._path}/_search", body | {"from": first, "size": size})
            return _ranked_hits(answer)
        reached, found = 0, []
        for hits in self._walk(body):
            found += hits[max(0, first - reached) : first + size - reached]
            reached += len(hits)
            if reached >= first + size:
                break
        return found

    def walk(self, query: _Query, size: int) -> Iterator[list[str]]:
        """Yield the ids of all current hits in lists of at most `size`."""
        for hits in self._walk(_body(query, False, None), size):
            yield [one.id for one in hits]

    def existing(self, ids: Sequence[str]) -> set[str]:
        """Return those of the ids that are in the index."""
        return self.among({"match_all": {}}, ids)

    def among(self, query: _Query, ids: Sequence[str]) -> set[str]:
        """Return those of the ids that match a query. `WINDOW` ids at most."""
        if not ids:
            return set()
        both = {"bool": {"filter": [{"terms": {"id": list(ids)}}, query]}}
        body = {"query": both, "size": len(ids), "sort": ["_doc"], "track_total_hits": False}
        answer = self._server.post(f"{self._path}/_search", body | {"_source": False, "docvalue_fields": ["id"]})
        return {hit["fields"]["id"][0] for hit in answer["hits"]["hits"]}

    def some(self, query: _Query, size: int) -> tuple[list[str], int]:
        """Return the ids of some hits in no particular order, and the number of all hits."""
        body = {"query": {"bool": {"filter": [query]}}, "size": size, "sort": ["_doc"], "track_total_hits": True}
        answer = self._server.post(f"{self._path}/_search", body | {"_source": False, "docvalue_fields": ["id"]})
        hits = answer["hits"]
        return [hit["fields"]["id"][0] for hit in hits["hits"]], int(hits["total"]["value"])

    def count(self, query: _Query) -> int:
        """Return the number of matching items."""
        return int(self._server.post(f"{self._path}/_count", {"query": query})["count"])

    def count_above(self, query: _Query, score: float) -> int:
        """Return the number of matching items with at least this score."""
        body = {"query": query, "size": 0, "track_total_hits": True, "min_score": score}
        return int(self._server.post(f"{self._path}/_search", body)["hits"]["total"]["value"])

    def counted(
        self, query: _Query, aggregations: _Query, post_filter: _Query | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Return the number of hits (after `post_filter`), and the aggregations over all hits of the query."""
        body: _Query = {"query": {"bool": {"filter": [query]}}, "size": 0, "track_total_hits": True}
        body |= {"aggs": aggregations} if aggregations else {}
        if post_filter is not None:
            body["post_filter"] = post_filter
        answer = self._server.post(f"{self._path}/_search", body)
        return int(answer["hits"]["total"]["value"]), answer.get("aggregations", {})

    def _ask(self, path: str, body: _Query) -> dict[str, Any]:
        answer: dict[str, Any] = self._server.post(path, body)
        self.best = answer["hits"]["max_score"]
        return answer

    def _walk(self, body: _Query, size: int = WINDOW) -> Iterator[list[RankedHit]]:
        with self._frozen() as point:
            after: list[Any] | None = None
            while True:
                asked = body | {"size": size, "pit": {"id": point, "keep_alive": _KEEP_ALIVE}}
                asked |= {"search_after": after} if after else {}
                answer = self._ask("/_search", asked)
                hits = answer["hits"]["hits"]
                if hits:
                    yield _ranked_hits(answer)
                if len(hits) < size:
                    return
                after = hits[-1]["sort"]

    @contextmanager
    def _frozen(self) -> Iterator[str]:
        point: str = self._server.post(f"{self._path}/_search/point_in_time", keep_alive=_KEEP_ALIVE)["pit_id"]
        try:
            yield point
        finally:
            self._server.delete("/_search/point_in_time", {"pit_id": [point]})


_FIELDS: _Query = {"_source": False, "docvalue_fields": ["id", "order"]}


def _body(query: _Query, scored: bool, sort: Sequence[_Query] | None) -> _Query:
    first: Sequence[Any] = sort or (["_score"] if scored else [])
    return {
        "query": query,
        "sort": [*first, {"order": "asc"}, {"id": "asc"}],
        "track_scores": scored,
        "track_total_hits": False,
    } | _FIELDS


def _ranked_hits(answer: dict[str, Any]) -> list[RankedHit]:
    return [
        RankedHit(hit["fields"]["id"][0], hit["_score"] or 0.0, hit["fields"]["order"][0])
        for hit in answer["hits"]["hits"]
    ]
