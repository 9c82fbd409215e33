"""Finds the nearest vectors among the items of a search. Items and vectors are in two indexes, so it needs two queries.

When the search covers few items, their ids are sent and only their vectors are compared. Else the nearest of all
vectors are requested, more than needed, and then filtered by the search; when too few are left, more are requested.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from annotarium.search.opensearch.pages import WINDOW, HitPages, RankedHit

_OVERSAMPLING = 4
"""Factor by which more vectors are requested when too few of them were among the items."""

MAX_NAMED_ITEMS = 2_000
"""Up to so many items are compared by sending their ids."""

Query = dict[str, Any]


class NearestVectorSearch:
    """Compares one vector with those of one field."""

    def __init__(
        self, items: HitPages, vectors: HitPages, field: str, vector: Sequence[float], exact_up_to: int
    ) -> None:
        """`exact_up_to`: up to so many vectors all are compared; above, the server's graph finds the nearest
        approximately.
        """
        self._items = items
        self._vectors = vectors
        self._field = field
        self._vector = list(vector)
        self._has: Query = {"exists": {"field": field}}
        self._exact_up_to = exact_up_to

    def among(self, universe: Query | None, count: int) -> list[RankedHit]:
        """Return the `count` nearest items of a query (None: of all), best first, with the server's scores."""
        share = 1.0
        held = self._vectors.count(self._has)
        if universe is not None:
            ids, total = self._items.some(universe, MAX_NAMED_ITEMS)
            if total <= MAX_NAMED_ITEMS:
                return self._of_named(ids, count)
            share = min(1.0, total / max(1, held))
        depth = min(WINDOW, 2 * math.ceil(count / share))
        while held:
            near = self._of_all(held, depth)
            inside = self._items.among(universe or {"match_all": {}}, [one.id for one in near])
            chosen = [one for one in near if one.id in inside]
            if len(chosen) >= count or len(near) < depth:
                return chosen[:count]
            if depth == WINDOW:
                return self._one_by_one(universe or {"match_all": {}}, count)
            depth = min(WINDOW, depth * _OVERSAMPLING)
        return []

    def _of_all(self, held: int, depth: int) -> list[RankedHit]:
        if held > self._exact_up_to:
            query: Query = {"knn": {self._field: {"vector": self._vector, "k": depth}}}
            return self._vectors.page(query, 0, depth, scored=True)
        return self._vectors.page(self._compared(self._has), 0, depth, scored=True)

    def _of_named(self, ids: Sequence[str], count: int) -> list[RankedHit]:
        named: Query = {"bool": {"filter": [{"terms": {"id": ids}}, self._has]}}
        return self._vectors.page(self._compared(named), 0, count, scored=True) if ids else []

    def _one_by_one(self, universe: Query, count: int) -> list[RankedHit]:
        """Compare all items of a query, by sending their ids ten thousand at a time."""
        best: list[RankedHit] = []
        for ids in self._items.walk(universe, WINDOW):
            best += self._of_named(ids, count)
            best = sorted(best, key=lambda one: (-one.score, one.order, one.id))[:count]
        return best

    def _compared(self, among: Query) -> Query:
        parameters = {"field": self._field, "query_value": self._vector, "space_type": "l2"}
        script = {"lang": "knn", "source": "knn_score", "params": parameters}
        return {"script_score": {"query": among, "script": script}}
