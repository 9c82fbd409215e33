"""Runs one search on one snapshot: the matching items, their facets, and a page of the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pyroaring import BitMap

from annotarium.errors import InvalidInput
from annotarium.search import index_and_search_types as search_types
from annotarium.search.embedded.bitmaps import FacetBitmaps, Numbers, array_to_bitmap, bitmap_to_array
from annotarium.search.embedded.matching import Matcher
from annotarium.search.embedded.postings import ScoredMatches
from annotarium.search.embedded.sort_orders import SortOrderCache
from annotarium.search.embedded.vectors import (
    best_score_positions,
    find_nearest_vectors,
    ranks_among_scores,
    vector_file,
)
from annotarium.search.facet_values import (
    contains_predicate,
    detect_value_kind,
    histogram,
    parse_facet_number,
    parse_facet_timestamp,
)
from annotarium.search.fusion import fuse_ranks
from annotarium.search.query.ast import MatchAll
from annotarium.search.ranges import COUNT_RANGES, date_ranges
from annotarium.search.vectors import unit_vector
from annotarium_schemas.messages import message

Scores = npt.NDArray[np.float64]
_COLUMN_KINDS: dict[str, search_types.ValueKind] = {"d": "date", "n": "number"}


@dataclass(frozen=True, slots=True)
class RankedItems:
    """Matching items, ascending, with scores (None: all the same) and, for hybrid searches, ranks in each list.

    Equal scores are ordered by `ties` (smallest first), else by item number.
    """

    items: Numbers
    scores: Scores | None
    text_ranks: dict[int, int]
    vector_ranks: dict[int, int]
    ties: npt.NDArray[np.int64] | None = None


class Searcher:
    """Runs a `SearchSpec`. Create one per search; `likeness` are terms that replace the query."""

    def __init__(
        self,
        bitmaps: FacetBitmaps,
        matcher: Matcher,
        orders: SortOrderCache,
        vectors: Path,
        spec: search_types.SearchSpec,
        now_ms: float,
        likeness: Sequence[str] | None = None,
    ) -> None:
        self._bitmaps = bitmaps
        self._matcher = matcher
        self._orders = orders
        self._vectors = vectors
        self._spec = spec
        self._now_ms = now_ms
        self._bare: dict[str, BitMap] = {}
        self._visible = self._apply_scope()
        self._base = self._apply_filter()
        self._text: ScoredMatches | None = None
        self._likeness = likeness

    def run(self) -> search_types.SearchHits:
        """The page, the total and the facets."""
        spec = self._spec
        ranked = self._ranked()
        facets = self._facets(ranked.items) if spec.facets else []
        page, scores = self._page(ranked)
        names = self._names(page)
        hits = [
            search_types.Hit(names[n], score, ranked.text_ranks.get(n), ranked.vector_ranks.get(n))
            for n, score in zip(page, scores, strict=True)
            if n in names
        ]
        return search_types.SearchHits(
            hits, len(ranked.items), facets, self._best(ranked), exact=not self._matcher.truncated
        )

    def items(self) -> BitMap:
        """Return all matching items."""
        return self._matched("")

    # --- matching -----------------------------------------------------------------------------------------------------

    def _apply_scope(self) -> BitMap:
        chosen: dict[str, BitMap] = {}
        for selection in self._spec.scope:
            value = self._matcher.selected(selection.facet, selection.value)
            chosen[selection.facet] = chosen.get(selection.facet, BitMap()) | value
        visible = self._matcher.everything
        for items in chosen.values():
            visible = visible & items
        return visible

    def _apply_filter(self) -> BitMap:
        base = self._visible & self._matcher.items(self._spec.filter)
        for selection in self._spec.selections:
            chosen = self._matcher.selected(selection.facet, selection.value)
            if selection.selector == "-":
                base = base - chosen
            elif selection.selector == "+":
                base = base & chosen
            else:
                self._bare[selection.facet] = self._bare.get(selection.facet, BitMap()) | chosen
        return base

    def _universe(self, without: str) -> BitMap:
        """Return what filter and selections leave, without applying the bare selections of the facet `without`."""
        found = self._base
        for facet, chosen in self._bare.items():
            if facet != without:
                found = found & chosen
        return found

    def _matched(self, without: str) -> BitMap:
        spec, universe = self._spec, self._universe(without)
        if spec.search_type == "text":
            if self._has_query():
                universe = universe & self._text_items()
        else:
            near = array_to_bitmap(self._nearest(universe)[0])
            universe = near | (universe & self._text_items()) if self._is_hybrid() else near
        return self._visible - universe if spec.invert else universe

    def _is_hybrid(self) -> bool:
        return self._spec.search_type == "hybrid" and self._has_query()

    def _has_query(self) -> bool:
        """Return whether there is anything to rank by text."""
        return self._likeness is not None or not isinstance(self._spec.query, MatchAll)

    def _text_items(self) -> BitMap:
        if self._text is None:
            matcher, like = self._matcher, self._likeness
            if like is None:
                self._text = matcher.scored(self._spec.query)
            else:
                self._text = matcher.postings.weighed(matcher.words.of_terms(like))
        return array_to_bitmap(self._text.items)

    def _nearest(self, universe: BitMap) -> tuple[Numbers, npt.NDArray[np.float32]]:
        spec = self._spec
        name = spec.vectorizer
        row = self._bitmaps.connection.execute("SELECT dimension, epoch FROM vector WHERE name = ?", (name,)).fetchone()
        query = None if spec.vector is None else unit_vector(spec.vector)
        if not row or query is None:
            return np.empty(0, np.uint32), np.empty(0, np.float32)
        if len(query) != row[0]:
            raise InvalidInput(
                message(
                    "search.vectorLength",
                    "The vector has {yours} numbers; those of {name} in the index have {theirs}",
                    yours=len(query),
                    name=name,
                    theirs=row[0],
                )
            )
        among = universe & self._bitmaps.system(f"vector:{name}")
        return find_nearest_vectors(vector_file(self._vectors, name, row[1]), row[0], query, among, max(1, spec.window))

    # --- ranking ------------------------------------------------------------------------------------------------------

    def _ranked(self) -> RankedItems:
        spec = self._spec
        if spec.invert:
            return RankedItems(bitmap_to_array(self._matched("")), None, {}, {})
        if spec.search_type == "text":
            return (
                self._text_ranked()
                if self._has_query()
                else RankedItems(bitmap_to_array(self._matched("")), None, {}, {})
            )
        universe = self._universe("")
        items, cosines = self._nearest(universe)
        if self._is_hybrid():
            return self._fused(universe, items)
        order = np.argsort(items, kind="stable")
        return RankedItems(items[order], cosines[order].astype(np.float64), {}, _rank_by_item(items))

    def _text_ranked(self) -> RankedItems:
        matched, text = bitmap_to_array(self._matched("")), self._text
        assert text is not None
        scores = text.scores
        if len(matched) < len(text.items):
            scores = scores[np.searchsorted(text.items, matched)]
        return RankedItems(matched, scores, {}, {})

    def _fused(self, universe: BitMap, near: Numbers) -> RankedItems:
        """Fuse all text matches and the nearest vectors by reciprocal rank (C-036), as in every engine.

        Only items that can be on the page get a sum: the first text matches, which no later one can overtake, and the
        nearest vectors.
        """
        found = bitmap_to_array(universe & self._text_items())
        assert self._text is not None
        scores = self._text.scores[np.searchsorted(self._text.items, found)]
        first = best_score_positions(found, scores, max(1, max(0, self._spec.from_) + max(0, self._spec.size)))
        items, ranks = found[first], np.arange(1, len(first) + 1)
        later = np.setdiff1d(np.flatnonzero(np.isin(found, near)), first)
        items = np.concatenate([items, found[later]])
        ranks = np.concatenate([ranks, ranks_among_scores(scores, later)])
        union = np.union1d(found, near).astype(np.uint32)
        sums, ties = np.zeros(len(union)), np.zeros(len(union), np.int64)
        candidates = np.union1d(items, near)
        in_text, in_near = np.zeros((2, len(candidates)), np.int64)
        in_text[np.searchsorted(candidates, items)] = ranks
        in_near[np.searchsorted(candidates, near)] = np.arange(1, len(near) + 1)
        indexes = np.searchsorted(union, candidates)
        sums[indexes], ties[indexes] = fuse_ranks(in_text, in_near, len(found), self._spec.vector_weight)
        return RankedItems(
            union, sums, dict(zip(items.tolist(), ranks.tolist(), strict=True)), _rank_by_item(near), ties
        )

    def _page(self, ranked: RankedItems) -> tuple[list[int], list[float]]:
        spec = self._spec
        start, end = max(0, spec.from_), max(0, spec.from_) + max(0, spec.size)
        items, scores = ranked.items, ranked.scores
        if spec.sort:
            places = self._sorted(items, end)[start:]
        elif scores is None:
            places = np.arange(start, min(end, len(items)))
        else:
            places = best_score_positions(items, scores, end, ranked.ties)[start:]
        shown = np.ones(len(places)) if scores is None else scores[places]
        return items[places].tolist(), shown.tolist()

    def _sorted(self, items: Numbers, count: int) -> npt.NDArray[np.intp]:
        """Return the indexes of the first `count` items in sort order."""
        sort = self._spec.sort
        assert sort is not None
        column = self._matcher.column(sort.field, "d") or self._matcher.column(sort.field, "n")
        column = column or self._orders.column(self._bitmaps, sort.field)
        if column is None:
            return np.arange(min(count, len(items)))
        values = column.of(items, highest=sort.descending)
        return best_score_positions(items, np.nan_to_num(values if sort.descending else -values, nan=-np.inf), count)

    def _best(self, ranked: RankedItems) -> float | None:
        if not len(ranked.items):
            return None
        return 1.0 if ranked.scores is None else float(ranked.scores.max())

    def _names(self, page: Sequence[int]) -> dict[int, str]:
        return read_item_ids(self._bitmaps, page)

    # --- facets -------------------------------------------------------------------------------------------------------

    def _facets(self, items: Numbers) -> list[search_types.FacetCounts]:
        matched = array_to_bitmap(items)
        found: list[search_types.FacetCounts] = []
        for spec in self._spec.facets:
            own = self._matched(spec.name) if spec.name in self._bare else matched
            count = {"terms": self._terms, "histogram": self._histogram}.get(spec.kind, self._ranges)
            facet = count(spec, own)
            if facet.buckets:
                found.append(facet)
        return found

    def _terms(self, spec: search_types.FacetSpec, matched: BitMap) -> search_types.FacetCounts:
        values = self._bitmaps.values(spec.name).items()
        whole = len(matched) == len(self._matcher.everything)
        count = len if whole else matched.intersection_cardinality
        counts = [(amount, text) for text, bitmap in values if (amount := count(bitmap))]
        if spec.find:
            holds = contains_predicate(spec.find)
            counts = [entry for entry in counts if holds(entry[1])]
        return _most_frequent_values(spec.name, counts, spec.size)

    def _histogram(self, spec: search_types.FacetSpec, matched: BitMap) -> search_types.FacetCounts:
        for letter, kind in _COLUMN_KINDS.items():
            column = self._matcher.column(spec.name, letter)
            if column is not None:
                values = column.values[np.isin(column.items, bitmap_to_array(matched))]
                found, amounts = np.unique(values, return_counts=True)
                return histogram(spec.name, zip(found.tolist(), amounts.tolist(), strict=True), kind)
        texts = [
            (text, amount)
            for text, items in self._bitmaps.each(spec.name)
            if (amount := matched.intersection_cardinality(items))
        ]
        of_values = detect_value_kind(text for text, _ in texts)
        if of_values is None:
            return search_types.FacetCounts(spec.name, ())
        read = parse_facet_number if of_values == "number" else parse_facet_timestamp
        return histogram(spec.name, [(read(text) or 0.0, amount) for text, amount in texts], of_values)

    def _ranges(self, spec: search_types.FacetSpec, matched: BitMap) -> search_types.FacetCounts:
        dates = spec.kind == "dates"
        column = self._matcher.column(spec.name, "d" if dates else "n")
        if column is None:
            return search_types.FacetCounts(spec.name, ())
        ranges = date_ranges(self._now_ms) if dates else COUNT_RANGES
        counted = zip(ranges.items(), column.counts(bitmap_to_array(matched), ranges.values()), strict=True)
        buckets = [search_types.Bucket(key, amount, ends[0], ends[1]) for (key, ends), amount in counted if amount]
        return search_types.FacetCounts(spec.name, buckets)


def read_item_ids(bitmaps: FacetBitmaps, page: Sequence[int]) -> dict[int, str]:
    """Return the ids of items by their numbers."""
    found: dict[int, str] = {}
    for start in range(0, len(page), 500):
        part = page[start : start + 500]
        query = f"SELECT n, id FROM doc WHERE n IN ({','.join('?' * len(part))})"
        found.update(bitmaps.connection.execute(query, part).fetchall())
    return found


def _rank_by_item(items: Iterable[int]) -> dict[int, int]:
    return {int(n): rank for rank, n in enumerate(items, start=1)}


def _most_frequent_values(name: str, counts: list[tuple[int, str]], size: int) -> search_types.FacetCounts:
    """Most frequent first, ties in alphabetical order."""
    counts.sort(key=lambda entry: (-entry[0], entry[1]))
    size = max(0, size)
    buckets = [search_types.Bucket(text, amount) for amount, text in counts[:size]]
    return search_types.FacetCounts(name, buckets, sum(amount for amount, _ in counts[size:]))
