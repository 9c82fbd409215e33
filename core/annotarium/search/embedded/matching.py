"""From the query tree to matching items: text through FTS5, values through bitmaps, joined outside SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
from pyroaring import BitMap

from annotarium.errors import InvalidInput
from annotarium.search.analysis import Analyser, fold, is_paired, is_sentence
from annotarium.search.embedded.bitmaps import Bitmaps, Numbers, to_bitmap, to_numbers
from annotarium.search.embedded.catalogue import facet_value
from annotarium.search.embedded.columns import Column, ColumnCache
from annotarium.search.query.ast import (
    IDENTIFIER,
    TEXT_FIELDS,
    Boolean,
    Boost,
    Exists,
    MatchAll,
    Node,
    Phrase,
    Prefix,
    Range,
    Term,
    Wildcard,
    facet_of,
)
from annotarium.search.query.limits import MAX_EXPANSIONS
from annotarium.search.ranges import COUNT_RANGES, date_ranges, parse_date, parse_number
from annotarium.search.values import is_of_text, within

TITLE_WEIGHT = 2.0

_FTS = "SELECT rowid, -bm25(fts, ?, 1.0) FROM fts WHERE fts MATCH ?"
_FTS_SET = "SELECT rowid FROM fts WHERE fts MATCH ?"
_LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Match:
    """Matching items, ascending, and their scores."""

    items: Numbers
    scores: npt.NDArray[np.float64]


class Matcher:
    """Evaluates trees on one snapshot."""

    def __init__(
        self, bitmaps: Bitmaps, columns: ColumnCache, analyser: Analyser, default_fields: Sequence[str], now_ms: float
    ) -> None:
        self._bitmaps = bitmaps
        self._columns = columns
        self._analyser = analyser
        self._connection = bitmaps.connection
        self._now_ms = now_ms
        fields = [field for field in ("title", "text") if field in default_fields] or ["text"]
        self._default = "" if len(fields) == 2 else f"{fields[0]} : "
        self.everything = bitmaps.everything()

    def column(self, field: str, kind: str) -> Column | None:
        """The column of a number (`n`) or date (`d`) field."""
        known = self._bitmaps.fields.get((field, kind))
        return known and self._columns.column(self._connection, self._bitmaps.index, known[0], known[1])

    # --- sets -------------------------------------------------------------------------------------------------------

    def items(self, node: Node) -> BitMap:
        """Items that match, without scores."""
        if isinstance(node, MatchAll):
            return self.everything
        expression = self._expression(node)
        if expression is not None:
            return self._run_set(expression) & self.everything if expression else BitMap()
        if isinstance(node, Boost):
            return self.items(node.node)
        if isinstance(node, Boolean):
            return self._boolean_items(node)
        return self._value_items(node) & self.everything

    def _boolean_items(self, node: Boolean) -> BitMap:
        must = [child for child in node.must if not self._says_nothing(child)]
        should = [child for child in node.should if not self._says_nothing(child)]
        if not must and not should and (node.must or node.should):
            return BitMap()
        found = self.everything
        for child in must:
            found = found & self.items(child)
        if not must and should:
            found = BitMap.union(*[self.items(child) for child in should])
        for child in node.must_not:
            found = found - self.items(child)
        return found

    def _says_nothing(self, node: Node) -> bool:
        """Whether a text leaf holds no word at all (only punctuation): it neither asks nor forbids anything."""
        return self._expression(node) == ""

    def _value_items(self, node: Node) -> BitMap:
        if isinstance(node, Range):
            return self._range(node)
        if isinstance(node, Exists):
            return self._exists(node.field)
        if isinstance(node, (Term, Phrase, Prefix, Wildcard)) and node.field:
            if node.field == IDENTIFIER:
                return self._identifiers(node)
            return self._facet_items(facet_of(node.field), node)
        return BitMap()

    def _facet_items(self, facet: str, node: Term | Phrase | Prefix | Wildcard) -> BitMap:
        if isinstance(node, Prefix):
            return self._bitmaps.matching(facet, *_starts("text", node.text), limit=MAX_EXPANSIONS)
        if isinstance(node, Wildcard):
            return self._bitmaps.matching(facet, "text GLOB ?", (glob(node.pattern),), limit=MAX_EXPANSIONS)
        return self.selected(facet, node.text)

    def selected(self, facet: str, value: str) -> BitMap:
        """Items with a facet value; of number and date fields a bucket key (C-070, C-071) or a number will do."""
        found = self._bitmaps.value(facet, facet_value(value))
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

    def _identifiers(self, node: Term | Phrase | Prefix | Wildcard) -> BitMap:
        if isinstance(node, Prefix):
            condition, parameters = _starts("id", node.text)
        elif isinstance(node, Wildcard):
            condition, parameters = "id GLOB ?", (glob(node.pattern),)
        else:
            condition, parameters = "id = ?", (node.text,)
        return BitMap([n for (n,) in self._connection.execute(f"SELECT n FROM doc WHERE {condition}", parameters)])

    def _exists(self, field: str) -> BitMap:
        if field == IDENTIFIER:
            return self.everything
        if field in TEXT_FIELDS:
            rows = self._connection.execute(f"SELECT rowid FROM fts WHERE {field} <> ''")
            return BitMap([n for (n,) in rows])
        facet = facet_of(field)
        found = self._bitmaps.matching(facet, "1", (), limit=-1)
        for kind in ("n", "d"):
            column = self.column(facet, kind)
            if column is not None:
                found |= to_bitmap(column.items)
        return found

    def _range(self, node: Range) -> BitMap:
        facet = facet_of(node.field)
        for kind in ("d", "n"):
            column = self.column(facet, kind)
            if column is not None:
                low = self._end(node, node.low, kind, last=not node.include_low)
                ends = low, self._end(node, node.high, kind, last=node.include_high)
                return column.between(ends, include_to=node.include_high, exclude_from=not node.include_low)
        if not is_of_text(node):
            holds = within(node, self._now_ms)
            return BitMap.union(BitMap(), *(items for text, items in self._bitmaps.each(facet) if holds(text)))
        conditions: list[str] = ["1"]
        parameters: list[object] = []
        for end, sign, include in ((node.low, ">", node.include_low), (node.high, "<", node.include_high)):
            if end is not None:
                conditions.append(f"text {sign}{'=' if include else ''} ?")
                parameters.append(end)
        return self._bitmaps.matching(facet, " AND ".join(conditions), tuple(parameters), limit=-1)

    def _end(self, node: Range, text: str | None, kind: str, *, last: bool) -> float | None:
        if text is None:
            return None
        end = parse_date(text, self._now_ms, end=last) if kind == "d" else parse_number(text)
        if end is None:
            wanted = "a date like 2020-05-31" if kind == "d" else "a number"
            raise InvalidInput(f"The field {node.field} holds {wanted[2:]}s: '{text}' is not {wanted}")
        return end

    # --- scores -----------------------------------------------------------------------------------------------------

    def scored(self, node: Node) -> Match:
        """Items that match, with scores: bm25 of the words, 1 for each matched value."""
        expression = self._expression(node)
        if expression is not None:
            return self.run(expression)
        if isinstance(node, Boost):
            match = self.scored(node.node)
            return Match(match.items, match.scores * node.factor)
        if isinstance(node, Boolean) and (node.must or node.should):
            return self._boolean_scores(node)
        return _constant(self.items(node))

    def _boolean_scores(self, node: Boolean) -> Match:
        items = to_numbers(self._boolean_items(node))
        scores = np.zeros(len(items))
        for child in (*node.must, *node.should):
            match = self.scored(child)
            if not len(match.items) or not len(items):
                continue
            places = np.searchsorted(items, match.items)
            places[places == len(items)] = 0
            shared = items[places] == match.items
            scores[places[shared]] += match.scores[shared]
        return Match(items, scores)

    def run(self, expression: str) -> Match:
        """Items that match an FTS5 expression (made by us from terms, never from a user's text); empty: none."""
        if not expression:
            return _constant(BitMap())
        rows = self._connection.execute(_FTS, (TITLE_WEIGHT, expression)).fetchall()
        table = np.fromiter(chain.from_iterable(rows), np.float64, 2 * len(rows)).reshape(-1, 2)
        return Match(table[:, 0].astype(np.uint32), table[:, 1].copy())

    def _run_set(self, expression: str) -> BitMap:
        return BitMap([n for (n,) in self._connection.execute(_FTS_SET, (expression,))])

    # --- FTS5 expressions ---------------------------------------------------------------------------------------------

    def _expression(self, node: Node) -> str | None:
        """The FTS5 expression of a text-only tree; None when it needs more than that; empty when it holds no word."""
        if isinstance(node, (Term, Phrase, Prefix, Wildcard)):
            if node.field is not None and node.field not in TEXT_FIELDS:
                return None
            expression = self._leaf(node)
            return expression and (f"{node.field} : " if node.field else self._default) + f"({expression})"
        if isinstance(node, Boolean) and bool(node.must) != bool(node.should):
            return self._boolean_expression(node)
        return None

    def _boolean_expression(self, node: Boolean) -> str | None:
        wanted = [self._expression(child) for child in node.must or node.should]
        unwanted = [self._expression(child) for child in node.must_not]
        if None in wanted or None in unwanted:
            return None
        positive = [part for part in wanted if part]
        negative = [part for part in unwanted if part]
        if not positive:
            return ""
        expression = (" AND " if node.must else " OR ").join(positive)
        return f"(({expression}) NOT ({' OR '.join(negative)}))" if negative else f"({expression})"

    def _leaf(self, node: Term | Phrase | Prefix | Wildcard) -> str:
        if isinstance(node, Prefix):
            return self._prefix(node.text)
        if isinstance(node, Wildcard):
            pattern = wildcard_glob(node.pattern)
            start = re.split(r"[*?]", pattern, maxsplit=1)[0]
            return _any(
                self._expand("df", *_also(_starts("term", start), "term GLOB ?", pattern))
                + self._expand("word", *_also(_starts("surface", start), "surface GLOB ?", pattern))
            )
        terms = self._analyser.terms(node.text)
        if len(terms) == 1 and len(node.text) == 1 and is_paired(node.text):
            return f'"{terms[0]}" *'
        if isinstance(node, Term) and is_sentence(node.text):
            return " OR ".join(map(_quoted, dict.fromkeys(terms)))
        if isinstance(node, Phrase) and node.slop and len(terms) > 1:
            return f"NEAR({' '.join(map(_quoted, terms))}, {node.slop + len(terms) - 2})"
        return " + ".join(map(_quoted, terms))

    def _prefix(self, text: str) -> str:
        *before, last = fold_words(text) or [""]
        if not last:
            return ""
        if is_paired(last) and len(last) > 1:
            return " + ".join(map(_quoted, self._analyser.terms(text)))
        if before:
            return " + ".join([*(_quoted(term) for term in self._analyser.terms(" ".join(before))), f'"{last}" *'])
        stems = self._expand("word", *_starts("surface", last))
        return " OR ".join([f'"{last}" *', *(_quoted(term) for term in stems if not term.startswith(last))])

    def _expand(self, table: str, condition: str, parameters: tuple[object, ...]) -> list[str]:
        """Terms of the index (`df`) or of words that stemming changed (`word`)."""
        query = f"SELECT DISTINCT term FROM {table} WHERE term <> '' AND {condition} LIMIT {MAX_EXPANSIONS}"
        return [term for (term,) in self._connection.execute(query, parameters)]


def _constant(bitmap: BitMap) -> Match:
    return Match(to_numbers(bitmap), np.ones(len(bitmap)))


def _quoted(term: str) -> str:
    return f'"{term}"'


def _any(terms: list[str]) -> str:
    """A word that no text has when there are none: the wildcard asks for something that is not there."""
    return " OR ".join(map(_quoted, terms)) or '"\ue000"'


def _starts(column: str, prefix: str) -> tuple[str, tuple[object, ...]]:
    return f"{column} >= ? AND {column} < ?", (prefix, prefix + _LAST)


def _also(first: tuple[str, tuple[object, ...]], condition: str, parameter: object) -> tuple[str, tuple[object, ...]]:
    return f"{first[0]} AND {condition}", (*first[1], parameter)


def fold_words(text: str) -> list[str]:
    """The folded words of a text, unstemmed."""
    return [folded for word in re.findall(r"\w+", text) if (folded := fold(word))]


def glob(pattern: str) -> str:
    """The SQLite GLOB of a wildcard pattern."""
    parts = re.findall(r"\\.|[*?]|[^\\*?]+|\\", pattern, re.DOTALL)
    return "".join(part if part in ("*", "?") else _literal(part) for part in parts)


def wildcard_glob(pattern: str) -> str:
    """The GLOB of a wildcard on folded words."""
    parts = re.findall(r"\\.|[*?]|[^\\*?]+|\\", pattern, re.DOTALL)
    return "".join(part if part in ("*", "?") else fold(part) for part in parts)


def _literal(part: str) -> str:
    text = part[1:] if len(part) == 2 and part[0] == "\\" else part
    return re.sub(r"[*?\[]", r"[\g<0>]", text)
