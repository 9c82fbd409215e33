"""Compiles the query tree to the server's query language. The trees come from our parsers; no user input is parsed
here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from annotarium.search.facet_values import column_range_ends, is_text_range, range_predicate, stored_facet_value
from annotarium.search.opensearch.index_and_field_names import (
    SEPARATOR,
    field_name,
    overflow_field_value,
    stored_facet_name,
)
from annotarium.search.opensearch.schema import OpenedIndex
from annotarium.search.query import ast
from annotarium.search.query.limits import MAX_EXPANSIONS
from annotarium.search.query.regex import escape_letter_for_lucene, parse_regex, to_lucene_regex
from annotarium.search.ranges import COUNT_RANGES, date_ranges, parse_number
from annotarium.search.text_analysis import (
    Analyser,
    fold_case_and_accents,
    fold_words,
    is_unspaced_script,
    is_unspaced_sentence,
)
from annotarium.search.wildcards_and_title_weight import TITLE_WEIGHT, wildcard_to_folded_glob

Query = dict[str, Any]
ALL: Query = {"match_all": {}}
NONE: Query = {"match_none": {}}

MANY_WORDS = 200
"""Number of alternatives above which words are searched as one set, without scores, as the server limits clauses."""

_AFTER_SEPARATOR = chr(ord(SEPARATOR) + 1)


def all_of(clauses: Iterable[Query], none_of: Iterable[Query] = ()) -> Query:
    """A filter: all of the clauses and none of the others."""
    return {"bool": {"filter": list(clauses) or [ALL], "must_not": list(none_of)}}


def any_of(clauses: Iterable[Query]) -> Query:
    """A query that matches when one of the clauses does."""
    found = list(clauses)
    if len(found) == 1:
        return found[0]
    return {"bool": {"should": found, "minimum_should_match": 1}} if found else NONE


class Compiler:
    """Compiles trees for one index, with the fields it has now."""

    def __init__(
        self,
        opened: OpenedIndex,
        analyser: Analyser,
        default_fields: Sequence[str],
        now_ms: float,
        values: Callable[[str], Sequence[str]],
    ) -> None:
        """`values` lists the values of a facet."""
        self._opened = opened
        self._values = values
        self._analyser = analyser
        self._now_ms = now_ms
        self._default = [field for field in ("title", "text") if field in default_fields] or ["text"]

    def query(self, node: ast.Node) -> Query:
        """The query of a tree. A text without any word matches nothing."""
        if isinstance(node, ast.MatchAll):
            return ALL
        if isinstance(node, ast.Boost):
            return {"bool": {"must": [self.query(node.node)], "boost": max(0.0, node.factor)}}
        if isinstance(node, ast.Boolean):
            return self._boolean(node)
        if isinstance(node, ast.Range):
            return _constant_score_query(self._range(node))
        if isinstance(node, ast.Exists):
            return _constant_score_query(self._exists(node.field))
        if node.field is None or node.field in ast.TEXT_FIELDS:
            return self._text(node) or NONE
        return _constant_score_query(self._value(node))

    def selected(self, facet: str, value: str) -> Query:
        """Return a query for a facet value. For number and date fields, a bucket key (C-070, C-071) or a number is
        accepted.
        """
        clauses = [self._term(facet, value)]
        for kind in "dn":
            if not self._opened.has(kind, facet):
                continue
            field = f"{kind}.{field_name(facet)}"
            ends = (date_ranges(self._now_ms) if kind == "d" else COUNT_RANGES).get(value)
            number = parse_number(value)
            if ends:
                clauses.append({"range": {field: _without_none(gte=ends[0], lt=ends[1])}})
            elif number is not None:
                clauses.append({"term": {field: number}})
        return any_of(clauses)

    # --- Boolean queries ----------------------------------------------------------------------------------------------

    def _boolean(self, node: ast.Boolean) -> Query:
        must = [child for child in node.must if not self._has_no_words(child)]
        should = [child for child in node.should if not self._has_no_words(child)]
        if not must and not should and (node.must or node.should):
            return NONE
        body: Query = {
            "must": [self.query(child) for child in must],
            "should": self._alternatives(should),
            "must_not": [self.query(child) for child in node.must_not],
            "minimum_should_match": 0 if must or not should else 1,
        }
        if not must and not should:
            body["must"] = [ALL]
        return {"bool": body}

    def _alternatives(self, nodes: Sequence[ast.Node]) -> list[Query]:
        if len(nodes) <= MANY_WORDS:
            return [self.query(node) for node in nodes]
        words: dict[str, set[str]] = {}
        others: list[Query] = []
        for node in nodes:
            term = self._single(node) if isinstance(node, ast.Term) else None
            if term is None or not isinstance(node, ast.Term):
                others.append(self.query(node))
                continue
            for field in self._fields(node):
                words.setdefault(field, set()).add(term)
        return [*({"terms": {field: sorted(terms)}} for field, terms in words.items()), *others]

    def _single(self, node: ast.Term) -> str | None:
        if node.field is not None and node.field not in ast.TEXT_FIELDS:
            return None
        terms = self._analyser.terms(node.text)
        return terms[0] if len(terms) == 1 and len(node.text) > 1 else None

    def _has_no_words(self, node: ast.Node) -> bool:
        """Whether a text-only tree holds no word at all (only punctuation): it neither asks nor forbids anything."""
        if isinstance(node, ast.Worded):
            return (node.field is None or node.field in ast.TEXT_FIELDS) and self._text(node) is None
        if isinstance(node, ast.Boolean) and bool(node.must) != bool(node.should):
            wanted = node.must or node.should
            return all(map(self._has_no_words, wanted)) and all(map(self._is_text, node.must_not))
        return False

    def _is_text(self, node: ast.Node) -> bool:
        if isinstance(node, ast.Worded):
            return node.field is None or node.field in ast.TEXT_FIELDS
        if isinstance(node, ast.Boolean) and bool(node.must) != bool(node.should):
            return all(map(self._is_text, (*node.must, *node.should, *node.must_not)))
        return False

    # --- text ---------------------------------------------------------------------------------------------------------

    def _fields(self, node: ast.Worded) -> list[str]:
        return [node.field] if node.field else self._default

    def _text(self, node: ast.Worded) -> Query | None:
        """The query of a text leaf; None when it holds no word."""
        clauses: list[Query] = []
        for field in self._fields(node):
            clause = self._leaf(node, field)
            if clause is None:
                return None
            clauses.append({"bool": {"must": [clause], "boost": TITLE_WEIGHT}} if field == "title" else clause)
        return any_of(clauses)

    def _leaf(self, node: ast.Worded, field: str) -> Query | None:
        if isinstance(node, ast.Prefix):
            return self._prefix(node.text, field)
        if isinstance(node, ast.Wildcard):
            pattern = wildcard_to_folded_glob(node.pattern)
            return any_of({"wildcard": {name: {"value": pattern}}} for name in (field, f"words.{field}"))
        if isinstance(node, ast.Regex):
            return any_of(
                _regex(name, to_lucene_regex(parse_regex(node.pattern, True))) for name in (field, f"words.{field}")
            )
        if isinstance(node, ast.Fuzzy):
            return self._fuzzy(node, field)
        terms = self._analyser.terms(node.text)
        if not terms:
            return None
        if len(terms) == 1 and len(node.text) == 1 and is_unspaced_script(node.text):
            return {"prefix": {field: {"value": terms[0]}}}
        if isinstance(node, ast.Term) and is_unspaced_sentence(node.text):
            return any_of(_phrase(field, [term]) for term in dict.fromkeys(terms))
        if isinstance(node, ast.Phrase) and node.slop:
            return _proximity_query(field, terms, node.slop)
        return _phrase(field, terms)

    def _fuzzy(self, node: ast.Fuzzy, field: str) -> Query | None:
        """Words that are alike; first those with the word itself."""
        word = fold_case_and_accents(node.text)
        if not word:
            return None
        alike = any_of(_fuzzy_query(name, word, node.edits) for name in (field, f"words.{field}"))
        exact = _phrase(field, self._analyser.terms(node.text) or [word])
        return {"bool": {"must": [alike], "should": [exact]}}

    def _prefix(self, text: str, field: str) -> Query | None:
        *before, last = fold_words(text) or [""]
        if not last:
            return None
        if is_unspaced_script(last) and len(last) > 1:
            return _phrase(field, self._analyser.terms(text))
        if before:
            words = " ".join([*self._analyser.terms(" ".join(before)), last])
            return {"match_phrase_prefix": {field: {"query": words, "max_expansions": MAX_EXPANSIONS}}}
        return any_of({"prefix": {name: {"value": last}}} for name in (field, f"words.{field}"))

    # --- values -------------------------------------------------------------------------------------------------------

    def _term(self, facet: str, value: str) -> Query:
        value = stored_facet_value(value)
        if self._opened.has("f", facet):
            return {"term": {f"f.{field_name(facet)}": value}}
        return {"term": {"more": overflow_field_value(facet, value)}}

    def _value(self, node: ast.Worded) -> Query:
        assert node.field is not None
        facet = ast.facet_name_of_field(node.field)
        if node.field == ast.IDENTIFIER:
            field, lead = "id", ""
        elif self._opened.has("f", facet):
            field, lead = f"f.{field_name(facet)}", ""
        else:
            field, lead = "more", overflow_field_value(facet)
        if isinstance(node, ast.Prefix):
            return {"prefix": {field: {"value": lead + node.text}}}
        if isinstance(node, ast.Wildcard):
            return {"wildcard": {field: {"value": _escape_wildcard_text(lead) + _wildcard_pattern(node.pattern)}}}
        if isinstance(node, ast.Fuzzy):
            return _fuzzy_query(field, lead + node.text, node.edits, lead)
        if isinstance(node, ast.Regex):
            before = "".join(map(escape_letter_for_lucene, map(ord, lead)))
            return _regex(field, before + to_lucene_regex(parse_regex(node.pattern, False)))
        return {"term": {"id": node.text}} if field == "id" else self.selected(facet, node.text)

    def _exists(self, field: str) -> Query:
        if field == ast.IDENTIFIER:
            return ALL
        if field in ast.TEXT_FIELDS:
            return {"exists": {"field": field}}
        facet = ast.facet_name_of_field(field)
        numbers: list[Query] = [{"exists": {"field": f"{kind}.{field_name(facet)}"}} for kind in "nd"]
        return any_of([{"term": {"names": stored_facet_name(facet)}}, *numbers])

    def _range(self, node: ast.Range) -> Query:
        facet = ast.facet_name_of_field(node.field)
        low, high = ("gte" if node.include_low else "gt"), ("lte" if node.include_high else "lt")
        for kind in "dn":
            if self._opened.has(kind, facet):
                begin, end = column_range_ends(node, kind, self._now_ms)
                return {"range": {f"{kind}.{field_name(facet)}": _without_none(**{low: begin, high: end})}}
        if not is_text_range(node):
            inside = range_predicate(node, self._now_ms)
            chosen = [value for value in self._values(facet) if inside(value)]
            if self._opened.has("f", facet):
                return {"terms": {f"f.{field_name(facet)}": chosen}}
            return {"terms": {"more": [overflow_field_value(facet, value) for value in chosen]}}
        if self._opened.has("f", facet):
            return {"range": {f"f.{field_name(facet)}": _without_none(**{low: node.low, high: node.high})}}
        lead = overflow_field_value(facet)
        ends = {low: lead + node.low} if node.low is not None else {"gte": lead}
        ends |= (
            {high: lead + node.high} if node.high is not None else {"lt": stored_facet_name(facet) + _AFTER_SEPARATOR}
        )
        return {"range": {"more": ends}}


def _constant_score_query(query: Query) -> Query:
    return {"constant_score": {"filter": query}}


def _phrase(field: str, terms: Sequence[str]) -> Query:
    if len(terms) == 1:
        return {"term": {field: {"value": terms[0]}}}
    return {"match_phrase": {field: {"query": " ".join(terms)}}}


def _fuzzy_query(field: str, word: str, edits: int, before: str = "") -> Query:
    """Return a query for all words within `edits` edits; `before` is a prefix that must match exactly."""
    asked = {"value": word, "fuzziness": edits, "prefix_length": len(before), "rewrite": "constant_score"}
    return {"fuzzy": {field: asked}}


def _regex(field: str, pattern: str) -> Query:
    return {"regexp": {field: {"value": pattern, "flags": "ALL"}}}


def _proximity_query(field: str, terms: Sequence[str], slop: int) -> Query:
    """Return a query for all words in any order, within a window of as many words as the phrase has plus `slop`."""
    distinct = list(dict.fromkeys(terms))
    if len(distinct) == 1:
        return _phrase(field, distinct)
    clauses = [{"span_term": {field: {"value": term}}} for term in distinct]
    return {"span_near": {"clauses": clauses, "slop": slop + len(terms) - len(distinct), "in_order": False}}


def _without_none(**ends: Any) -> Query:
    return {name: end for name, end in ends.items() if end is not None}


def _wildcard_pattern(pattern: str) -> str:
    """Convert a wildcard on facet values to the server's syntax."""
    parts = re.findall(r"\\.|[*?]|[^\\*?]+|\\", pattern, re.DOTALL)
    return "".join(part if part in ("*", "?") else _escape_wildcard_text(_unescaped(part)) for part in parts)


def _unescaped(part: str) -> str:
    return part[1:] if len(part) == 2 and part[0] == "\\" else part


def _escape_wildcard_text(text: str) -> str:
    return re.sub(r"[*?\\]", r"\\\g<0>", text)
