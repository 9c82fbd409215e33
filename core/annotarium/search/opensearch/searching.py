"""Runs one search: the matching items, their facets, and a page of the ranking."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from annotarium.errors import InvalidInput
from annotarium.search.facet_values import (
    bar_edges,
    contains_predicate,
    detect_value_kind,
    histogram,
    histogram_from_bars,
    parse_facet_number,
    parse_facet_timestamp,
)
from annotarium.search.fusion import fuse_ranks
from annotarium.search.index_and_search_types import (
    Bucket,
    FacetCounts,
    FacetSpec,
    Hit,
    SearchHits,
    SearchSpec,
    ValueKind,
)
from annotarium.search.opensearch.compiling import Compiler, Query, all_of, any_of
from annotarium.search.opensearch.index_and_field_names import field_name, overflow_field_value, stored_facet_name
from annotarium.search.opensearch.nearest_vectors import NearestVectorSearch
from annotarium.search.opensearch.pages import HitPages, RankedHit
from annotarium.search.opensearch.schema import OpenedIndex
from annotarium.search.query.ast import MatchAll
from annotarium.search.ranges import COUNT_RANGES, date_ranges
from annotarium.search.vectors import unit_vector
from annotarium_schemas.messages import message

MAX_COUNTED_VALUES = 10_000
"""Values of one facet that a search counts; of a larger facet only the most frequent ones."""

EXACT_UP_TO = 50_000
"""Up to so many vectors all are compared; above, the server's graph finds the nearest ones approximately."""

FUSED_DEPTH = 1_000
"""Minimum number of best text matches that a hybrid search reads; ranks further down are counted."""

MAX_LISTED_VALUES = 65_000
"""Values of one facet that a range or a histogram considers, as the server returns no more in a response."""

_COLUMN_KINDS: dict[str, ValueKind] = {"d": "date", "n": "number"}
_REGEX = re.compile(r'[.?+*|{}\[\]()"\\#@&<>~^$-]')


class Searcher:
    """Runs a `SearchSpec` on an opened index and its vectors. `likeness` replaces the query."""

    def __init__(
        self,
        pages: HitPages,
        opened: OpenedIndex,
        compiler: Compiler,
        spec: SearchSpec,
        now_ms: float,
        likeness: Query | None = None,
        *,
        vectors: HitPages,
    ) -> None:
        self._pages = pages
        self._vectors = vectors
        self._opened = opened
        self._spec = spec
        self._now_ms = now_ms
        self._compiler = compiler
        self._scope = self._scoped()
        self._bare: dict[str, Query] = {}
        self._filters, self._excluded = self._with_selections()
        self._has_query = likeness is not None or not isinstance(spec.query, MatchAll)
        self._text = likeness if likeness is not None else compiler.query(spec.query)
        self._near: dict[str, list[RankedHit]] = {}

    def run(self) -> SearchHits:
        """Return the page, the total and the facets."""
        spec = self._spec
        total, facets = self._counted()
        if spec.invert or (spec.search_type == "text" and not self._has_query):
            hits = self._unranked(total)
        elif spec.search_type == "text":
            hits = self._listed(self._ranked_text(), total)
        elif spec.sort:
            hits = self._listed(self.matched(), total, scored=False)
        elif spec.search_type == "hybrid" and self._has_query:
            hits = self._fused()
        else:
            near = self._nearest("")
            ranked = [Hit(one.id, one.score, None, rank) for rank, one in enumerate(near, start=1)]
            hits = ranked[max(0, spec.from_) :][: max(0, spec.size)]
        return SearchHits(hits, total, facets, self._best(hits, total))

    def matched(self, without: str = "") -> Query:
        """Return the query for all matching items, without applying the bare selections of the facet `without`."""
        spec, universe = self._spec, self._universe(without)
        if spec.search_type == "text":
            found = all_of([universe, self._text]) if self._has_query else universe
        else:
            found = {"terms": {"id": [one.id for one in self._nearest(without)]}}
            if spec.search_type == "hybrid" and self._has_query:
                found = any_of([found, all_of([universe, self._text])])
        return all_of(self._scope, [found]) if spec.invert else found

    # --- matching -----------------------------------------------------------------------------------------------------

    def _scoped(self) -> list[Query]:
        chosen: dict[str, list[Query]] = {}
        for selection in self._spec.scope:
            value = self._compiler.selected(selection.facet, selection.value)
            chosen.setdefault(selection.facet, []).append(value)
        return [any_of(values) for values in chosen.values()]

    def _with_selections(self) -> tuple[list[Query], list[Query]]:
        filters, excluded = [*self._scope], []
        if not isinstance(self._spec.filter, MatchAll):
            filters.append(self._compiler.query(self._spec.filter))
        bare: dict[str, list[Query]] = {}
        for selection in self._spec.selections:
            value = self._compiler.selected(selection.facet, selection.value)
            if selection.selector == "-":
                excluded.append(value)
            elif selection.selector == "+":
                filters.append(value)
            else:
                bare.setdefault(selection.facet, []).append(value)
        self._bare = {facet: any_of(values) for facet, values in bare.items()}
        return filters, excluded

    def _universe(self, without: str) -> Query:
        """Return what filter and selections leave, without applying the bare selections of the facet `without`."""
        bare = [clause for facet, clause in self._bare.items() if facet != without]
        return all_of([*self._filters, *bare], self._excluded)

    def _nearest(self, without: str) -> list[RankedHit]:
        """Return the nearest vectors among the universe, best first, with their cosines."""
        without = without if without in self._bare else ""
        if without not in self._near:
            self._near[without] = self._find_nearest(self._universe(without))
        return self._near[without]

    def _find_nearest(self, universe: Query) -> list[RankedHit]:
        spec = self._spec
        field = self._opened.vector_field(spec.vectorizer)
        vector = None if spec.vector is None else unit_vector(spec.vector)
        if field is None or vector is None:
            return []
        dimension = self._opened.dimensions[spec.vectorizer]
        if len(vector) != dimension:
            raise InvalidInput(
                message(
                    "search.vectorLength",
                    "The vector has {yours} numbers; those of {name} in the index have {theirs}",
                    yours=len(vector),
                    name=spec.vectorizer,
                    theirs=dimension,
                )
            )
        count = min(max(1, spec.window), MAX_COUNTED_VALUES)
        among = None if universe == all_of(()) else universe
        found = NearestVectorSearch(self._pages, self._vectors, field, vector.tolist(), EXACT_UP_TO).among(among, count)
        # The server's score is 1 / (1 + d²); for unit vectors d² = 2 - 2 cos.
        return [RankedHit(one.id, 1.5 - 0.5 / one.score, one.order) for one in found]

    # --- ranking ------------------------------------------------------------------------------------------------------

    def _ranked_text(self) -> Query:
        return {"bool": {"must": [self._text], "filter": [self._universe("")]}}

    def _unranked(self, total: int) -> list[Hit]:
        return self._listed(self.matched(), total, scored=False)

    def _listed(self, query: Query, total: int, *, scored: bool = True) -> list[Hit]:
        """Return a page in the sort order of the spec, else by score."""
        spec = self._spec
        first = max(0, spec.from_)
        if spec.size <= 0 or first >= total:
            return []
        found = self._pages.page(query, first, spec.size, scored=scored, sort=self._sort())
        return [Hit(one.id, one.score if scored else 1.0) for one in found]

    def _sort(self) -> list[dict[str, Any]] | None:
        sort = self._spec.sort
        if sort is None:
            return None
        kind = next((kind for kind in "dnk" if self._opened.has(kind, sort.field)), "")
        if not kind and self._pages.count({"term": {"names": stored_facet_name(sort.field)}}):
            raise InvalidInput(
                f"Hits cannot be ordered by {sort.field}",
                cause=message("search.noOrder", "The search index has no room for another sort order"),
            )
        order = "desc" if sort.descending else "asc"
        rule = {"order": order, "missing": "_last", "unmapped_type": "double"}
        return [{f"{kind or 'n'}.{field_name(sort.field)}": rule}]

    def _fused(self) -> list[Hit]:
        """Fuse all text matches and the nearest vectors by reciprocal rank (C-036)."""
        spec = self._spec
        first, last = max(0, spec.from_), max(0, spec.from_) + max(0, spec.size)
        near = self._nearest("")
        text = self._ranked_text()
        # An item that is further down in the text list, and not among the nearest, comes after all of the nearest ones.
        listed = self._pages.page(text, 0, max(FUSED_DEPTH, last + len(near)), scored=True)
        text_ranks = {one.id: rank for rank, one in enumerate(listed, start=1)}
        text_ranks |= self._ranks_below(text, [one for one in near if one.id not in text_ranks], len(listed))
        vector_ranks = {one.id: rank for rank, one in enumerate(near, start=1)}
        ids = list(dict.fromkeys(one.id for one in (*listed, *near)))
        in_text, in_near = (
            np.array([ranks.get(one, 0) for one in ids], np.int64) for ranks in (text_ranks, vector_ranks)
        )
        scores, ties = fuse_ranks(in_text, in_near, max(text_ranks.values(), default=0), spec.vector_weight)
        page = np.lexsort((ties, -scores))[first:last].tolist()
        return [Hit(ids[at], float(scores[at]), text_ranks.get(ids[at]), vector_ranks.get(ids[at])) for at in page]

    def _ranks_below(self, text: Query, near: Sequence[RankedHit], depth: int) -> dict[str, int]:
        """Return the text ranks of those nearest items that match the text further down; of equal scores, the last
        rank.
        """
        if not near or depth < FUSED_DEPTH:
            return {}
        mine: Query = {"bool": {"must": [text], "filter": [{"terms": {"id": [one.id for one in near]}}]}}
        found = self._pages.page(mine, 0, len(near), scored=True)
        return {one.id: max(depth + 1, self._pages.count_above(text, one.score)) for one in found}

    def _best(self, hits: Sequence[Hit], total: int) -> float | None:
        if not total or self._spec.invert or not (self._has_query or self._spec.search_type != "text"):
            return 1.0 if total else None
        return self._pages.best or max((hit.score for hit in hits), default=None)

    # --- facets -------------------------------------------------------------------------------------------------------

    def _counted(self) -> tuple[int, list[FacetCounts]]:
        """Return the number of all matches, and the facets."""
        asked = [facet for facet in self._spec.facets if facet.kind != "histogram"]
        own = {facet.name for facet in asked if facet.name in self._bare}
        aggregations = {}
        for number, facet in enumerate(asked):
            aggregation = self._aggregation(facet)
            if own:
                among = self.matched(facet.name if facet.name in own else "")
                aggregation = {"filter": among, "aggs": {"own": aggregation}}
            aggregations[f"a{number}"] = aggregation
        if own:
            total, counted = self._pages.counted(all_of(self._scope), aggregations, self.matched())
        else:
            total, counted = self._pages.counted(self.matched(), aggregations)
        facets = []
        for number, facet in enumerate(asked):
            answer = counted.get(f"a{number}", {})
            facets.append(self._facet(facet, answer.get("own", answer)))
        facets += [self._histogram(facet) for facet in self._spec.facets if facet.kind == "histogram"]
        return total, [facet for facet in facets if facet.buckets]

    def _histogram(self, facet: FacetSpec) -> FacetCounts:
        matched = self.matched(facet.name)
        for letter, kind in _COLUMN_KINDS.items():
            if self._opened.has(letter, facet.name):
                return self._bars(facet.name, f"{letter}.{field_name(facet.name)}", kind, matched)
        found = count_facet_values(self._pages, self._opened, facet.name, matched)
        of_values = detect_value_kind(bucket.key for bucket in found)
        if of_values is None:
            return FacetCounts(facet.name, ())
        read = parse_facet_number if of_values == "number" else parse_facet_timestamp
        return histogram(facet.name, [(read(one.key) or 0.0, one.doc_count) for one in found], of_values)

    def _bars(self, name: str, field: str, kind: ValueKind, matched: Query) -> FacetCounts:
        """Return the bars of a field: the first query gets its minimum and maximum, the second one counts the bars."""
        parts = {"has": {"filter": {"script": _has_fraction_script(field)}}} if kind == "number" else {}
        _, counted = self._pages.counted(matched, {"ends": {"stats": {"field": field}}} | parts)
        ends = counted["ends"]
        if not ends["count"]:
            return FacetCounts(name, ())
        whole = kind == "number" and not counted["has"]["doc_count"]
        edges = bar_edges(ends["min"], ends["max"], kind, whole=whole)
        given = [{"key": str(n), "from": low, "to": high} for n, (low, high) in enumerate(pairwise(edges))]
        given[-1]["to"] = math.nextafter(edges[-1], math.inf)
        _, counted = self._pages.counted(matched, {"bars": {"range": {"field": field, "ranges": given}}})
        amounts = {int(bucket["key"]): bucket["doc_count"] for bucket in counted["bars"]["buckets"]}
        return histogram_from_bars(name, edges, [amounts.get(number, 0) for number in range(len(given))], kind)

    def _aggregation(self, facet: FacetSpec) -> Query:
        if facet.kind != "terms":
            ranges = date_ranges(self._now_ms) if facet.kind == "dates" else COUNT_RANGES
            field = f"{'d' if facet.kind == 'dates' else 'n'}.{field_name(facet.name)}"
            given = [
                {"key": key} | {name: end for name, end in (("from", ends[0]), ("to", ends[1])) if end is not None}
                for key, ends in ranges.items()
            ]
            return {"range": {"field": field, "ranges": given}}
        size = MAX_COUNTED_VALUES if facet.find else min(max(1, facet.size), MAX_COUNTED_VALUES)
        return facet_values_aggregation(self._opened, facet.name, size)

    def _facet(self, facet: FacetSpec, answer: dict[str, Any]) -> FacetCounts:
        if facet.kind != "terms":
            ranges = date_ranges(self._now_ms) if facet.kind == "dates" else COUNT_RANGES
            counts = {bucket["key"]: bucket["doc_count"] for bucket in answer.get("buckets", ())}
            buckets = [Bucket(key, counts[key], ends[0], ends[1]) for key, ends in ranges.items() if counts.get(key)]
            return FacetCounts(facet.name, buckets)
        found = parse_facet_buckets(facet.name, answer, contains_predicate(facet.find) if facet.find else None)
        size = max(0, facet.size)
        rest = 0 if facet.find else int(answer.get("sum_other_doc_count", 0))
        return FacetCounts(facet.name, found[:size], rest + sum(bucket.doc_count for bucket in found[size:]))


def facet_values_aggregation(opened: OpenedIndex, facet: str, size: int) -> Query:
    """Return the aggregation of the most frequent values of a facet, ties in alphabetical order."""
    order = [{"_count": "desc"}, {"_key": "asc"}]
    if opened.has("f", facet):
        return {"terms": {"field": f"f.{field_name(facet)}", "size": size, "order": order}}
    lead = _REGEX.sub(r"\\\g<0>", overflow_field_value(facet))
    return {"terms": {"field": "more", "size": size, "order": order, "include": f"{lead}(.|\n)*"}}


def count_facet_values(pages: HitPages, opened: OpenedIndex, facet: str, among: Query | None = None) -> list[Bucket]:
    """Count the values of a facet; at most `MAX_LISTED_VALUES` values."""
    _, counted = pages.counted(among or all_of([]), {"all": facet_values_aggregation(opened, facet, MAX_LISTED_VALUES)})
    return parse_facet_buckets(facet, counted["all"])


def list_facet_values(pages: HitPages, opened: OpenedIndex, facet: str) -> list[str]:
    """Return the values of a facet without their counts."""
    return [bucket.key for bucket in count_facet_values(pages, opened, facet)]


def _has_fraction_script(field: str) -> Query:
    """A query for items with a number that is not an integer."""
    return {
        "script": {
            "source": "for (one in doc[params.f]) { if (one % 1 != 0) { return true; } } return false;",
            "params": {"f": field},
        }
    }


def parse_facet_buckets(facet: str, answer: dict[str, Any], holds: Callable[[str], bool] | None = None) -> list[Bucket]:
    """Return the values from a response to `facet_values_aggregation`, only those for which `holds` is true."""
    lead = overflow_field_value(facet)
    found = []
    for bucket in answer.get("buckets", ()):
        text = bucket["key"].removeprefix(lead)
        if holds is None or holds(text):
            found.append(Bucket(text, bucket["doc_count"]))
    return found
