"""From the query tree to matching items: text through FTS5, values through bitmaps, joined outside SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from pyroaring import BitMap

from annotarium.search.automaton import build_automaton
from annotarium.search.embedded.bitmaps import FacetBitmaps, array_to_bitmap, bitmap_to_array
from annotarium.search.embedded.caches import TextCaches
from annotarium.search.embedded.expansion import TermExpander
from annotarium.search.embedded.index_database import read_meta
from annotarium.search.embedded.postings import NO_MATCH, Postings, ScoredMatches
from annotarium.search.embedded.value_columns import ColumnCache, ValueColumn
from annotarium.search.facet_values import is_text_range, range_predicate, stored_facet_value
from annotarium.search.query import ast as nodes
from annotarium.search.ranges import COUNT_RANGES, date_ranges, parse_number, parse_range_end
from annotarium.search.text_analysis import Analyser

_LAST = "\U0010ffff"
_FEW_ITEMS, _FEW_PARTS = 20_000, 4
"""Where all of some words are wanted, FTS5 skips what one of them leaves out: best while little is left to weigh."""


class Matcher:
    """Evaluates trees on one snapshot."""

    def __init__(
        self,
        bitmaps: FacetBitmaps,
        columns: ColumnCache,
        caches: TextCaches,
        analyser: Analyser,
        default_fields: Sequence[str],
        now_ms: float,
    ) -> None:
        self._bitmaps = bitmaps
        self._columns = columns
        self._connection = bitmaps.connection
        self._now_ms = now_ms
        self.words = TermExpander(self._connection, caches.vocabularies, bitmaps.index, analyser, default_fields)
        top = read_meta(self._connection, "next_n")
        self.postings = Postings(self._connection, caches.lengths, bitmaps.index, top)
        self.everything = bitmaps.everything()

    @property
    def truncated(self) -> bool:
        """Whether a wildcard met so far stands for more words than were looked for (`MAX_EXPANSIONS`)."""
        return self.words.truncated

    def column(self, field: str, kind: str) -> ValueColumn | None:
        """The column of a number (`n`) or date (`d`) field."""
        known = self._bitmaps.fields.get((field, kind))
        return known and self._columns.column(self._connection, self._bitmaps.index, known[0], known[1])

    # --- sets -------------------------------------------------------------------------------------------------------

    def items(self, node: nodes.Node) -> BitMap:
        """Items that match, without scores."""
        if isinstance(node, nodes.MatchAll):
            return self.everything
        expansion = self.words.expansion(node)
        if expansion is not None:
            return self.postings.containing(expansion) & self.everything
        if isinstance(node, nodes.Boost):
            return self.items(node.node)
        if isinstance(node, nodes.Boolean):
            return self._boolean_items(node)
        return self._value_items(node) & self.everything

    def _boolean_items(self, node: nodes.Boolean) -> BitMap:
        must, should = self._leaves_with_words(node.must), self._leaves_with_words(node.should)
        if not must and not should and (node.must or node.should):
            return BitMap()
        found = self.everything
        if must:
            found = self._in_all(must)
        elif should:
            found = BitMap.union(*[self.items(child) for child in should])
        for child in node.must_not:
            found = found - self.items(child)
        return found

    def _in_all(self, children: Sequence[nodes.Node]) -> BitMap:
        expression = self._conjunction(children)
        if expression:
            return self.postings.items(expression) & self.everything
        found = self.everything
        for child in children:
            found = found & self.items(child)
        return found

    def _conjunction(self, children: Sequence[nodes.Node]) -> str:
        """The FTS5 expression of several leaves that are all wanted; empty when something else is among them."""
        wordings = [self.words.expansion(node) for node in children] if len(children) > 1 else []
        if not all(expansion and 0 < len(expansion.parts) <= _FEW_PARTS for expansion in wordings):
            return ""
        return " AND ".join(expansion.expression for expansion in wordings if expansion)

    def _leaves_with_words(self, children: Sequence[nodes.Node]) -> list[nodes.Node]:
        return [node for node in children if not self._has_no_words(node)]

    def _has_no_words(self, node: nodes.Node) -> bool:
        """Whether a tree of texts holds no word at all (only punctuation): it neither asks nor forbids anything."""
        expansion = self.words.expansion(node)
        if expansion is not None or not isinstance(node, nodes.Boolean) or bool(node.must) == bool(node.should):
            return expansion is not None and expansion.without_words
        return all(map(self._has_no_words, node.must or node.should)) and all(map(self._is_text, node.must_not))

    def _is_text(self, node: nodes.Node) -> bool:
        if isinstance(node, nodes.Boolean) and bool(node.must) != bool(node.should):
            return all(map(self._is_text, (*node.must, *node.should, *node.must_not)))
        return self.words.expansion(node) is not None

    def _value_items(self, node: nodes.Node) -> BitMap:
        if isinstance(node, nodes.Range):
            return self._range(node)
        if isinstance(node, nodes.Exists):
            return self._exists(node.field)
        if isinstance(node, nodes.Worded) and node.field:
            if node.field == nodes.IDENTIFIER:
                return self._identifiers(node)
            return self._facet_items(nodes.facet_name_of_field(node.field), node)
        return BitMap()

    def _facet_items(self, facet: str, node: nodes.Worded) -> BitMap:
        if isinstance(node, nodes.Prefix):
            return self._bitmaps.matching(facet, *_prefix_condition("text", node.text))
        if isinstance(node, nodes.Wildcard):
            return self._bitmaps.matching(facet, "text GLOB ?", (wildcard_to_sqlite_glob(node.pattern),))
        if isinstance(node, (nodes.Fuzzy, nodes.Regex)):
            values = dict(self._bitmaps.each(facet))
            fit = build_automaton(node, folded=False).fitting(list(values))
            return BitMap.union(BitMap(), *(values[value] for value in fit))
        return self.selected(facet, node.text)

    def selected(self, facet: str, value: str) -> BitMap:
        """Items with a facet value; of number and date fields a bucket key (C-070, C-071) or a number will do."""
        found = self._bitmaps.value(facet, stored_facet_value(value))
        if found is not None:
            return found
        for kind in ("d", "n"):
            column = self.column(facet, kind)
            if column is None:
                continue
            ends = (date_ranges(self._now_ms) if kind == "d" else COUNT_RANGES).get(value)
            number = parse_number(value)
            if ends:
                return column.between(ends)
            if number is not None:
                return column.between((number, number), include_to=True)
        return BitMap()

    def _identifiers(self, node: nodes.Worded) -> BitMap:
        if isinstance(node, (nodes.Fuzzy, nodes.Regex)):
            numbers = dict(self._connection.execute("SELECT id, n FROM doc").fetchall())
            return BitMap([numbers[one] for one in build_automaton(node, folded=False).fitting(list(numbers))])
        if isinstance(node, nodes.Prefix):
            condition, parameters = _prefix_condition("id", node.text)
        elif isinstance(node, nodes.Wildcard):
            condition, parameters = "id GLOB ?", (wildcard_to_sqlite_glob(node.pattern),)
        else:
            condition, parameters = "id = ?", (node.text,)
        return BitMap([n for (n,) in self._connection.execute(f"SELECT n FROM doc WHERE {condition}", parameters)])

    def _exists(self, field: str) -> BitMap:
        if field == nodes.IDENTIFIER:
            return self.everything
        if field in nodes.TEXT_FIELDS:
            rows = self._connection.execute(f"SELECT rowid FROM fts WHERE {field} <> ''")
            return BitMap([n for (n,) in rows])
        facet = nodes.facet_name_of_field(field)
        found = self._bitmaps.matching(facet, "1", ())
        for kind in ("n", "d"):
            column = self.column(facet, kind)
            if column is not None:
                found |= array_to_bitmap(column.items)
        return found

    def _range(self, node: nodes.Range) -> BitMap:
        facet = nodes.facet_name_of_field(node.field)
        for kind in ("d", "n"):
            column = self.column(facet, kind)
            if column is not None:
                low = parse_range_end(node.field, node.low, kind, now_ms=self._now_ms, last=not node.include_low)
                ends = low, parse_range_end(node.field, node.high, kind, now_ms=self._now_ms, last=node.include_high)
                return column.between(ends, include_to=node.include_high, exclude_from=not node.include_low)
        if not is_text_range(node):
            holds = range_predicate(node, self._now_ms)
            return BitMap.union(BitMap(), *(items for text, items in self._bitmaps.each(facet) if holds(text)))
        conditions: list[str] = ["1"]
        parameters: list[object] = []
        for end, sign, include in ((node.low, ">", node.include_low), (node.high, "<", node.include_high)):
            if end is not None:
                conditions.append(f"text {sign}{'=' if include else ''} ?")
                parameters.append(end)
        return self._bitmaps.matching(facet, " AND ".join(conditions), tuple(parameters))

    # --- scores -----------------------------------------------------------------------------------------------------

    def scored(self, node: nodes.Node) -> ScoredMatches:
        """Items that match, with scores: bm25 of the words, 1 for each matched value."""
        expansion = self.words.expansion(node)
        if expansion is not None:
            return self.postings.weighed(expansion)
        if isinstance(node, nodes.Boost):
            match = self.scored(node.node)
            return ScoredMatches(match.items, match.scores * node.factor)
        if isinstance(node, nodes.Boolean) and (node.must or node.should):
            return self._boolean_scores(node)
        return _constant_score_matches(self.items(node))

    def _boolean_scores(self, node: nodes.Boolean) -> ScoredMatches:
        must, should = self._leaves_with_words(node.must), self._leaves_with_words(node.should)
        expression = "" if should else self._conjunction(must)
        if expression:
            items = self._boolean_items(node)
            if len(items) <= _FEW_ITEMS:
                return _restrict_matches(self.postings.by_fts(expression), items)
        wanted = [self.scored(child) for child in must]
        found = self.postings.union([*wanted, *(self.scored(child) for child in should)])
        if not expression:
            items = array_to_bitmap(found.items)
            for match in wanted:
                items &= array_to_bitmap(match.items)
            for child in node.must_not:
                items -= self.items(child)
        return _restrict_matches(found, items)


def _constant_score_matches(bitmap: BitMap) -> ScoredMatches:
    return ScoredMatches(bitmap_to_array(bitmap), np.ones(len(bitmap)))


def _restrict_matches(match: ScoredMatches, items: BitMap) -> ScoredMatches:
    """What a match says of items, all of which are in it."""
    if len(items) == len(match.items):
        return match
    chosen = bitmap_to_array(items)
    return ScoredMatches(chosen, match.scores[np.searchsorted(match.items, chosen)]) if len(chosen) else NO_MATCH


def _prefix_condition(column: str, prefix: str) -> tuple[str, tuple[object, ...]]:
    return f"{column} >= ? AND {column} < ?", (prefix, prefix + _LAST)


def wildcard_to_sqlite_glob(pattern: str) -> str:
    """The SQLite GLOB of a wildcard pattern."""
    parts = re.findall(r"\\.|[*?]|[^\\*?]+|\\", pattern, re.DOTALL)
    return "".join(part if part in ("*", "?") else _escape_glob_text(part) for part in parts)


def _escape_glob_text(part: str) -> str:
    text = part[1:] if len(part) == 2 and part[0] == "\\" else part
    return re.sub(r"[*?\[]", r"[\g<0>]", text)
