"""The advanced query language: Lucene's.

`field:value`, "phrase"~slop, prefix*, wild?c*rd, fuzzy~1, /regular exp[a-z]+/, [low TO high], {low TO high}, >=value,
field:* and _exists_:field (has a value), ^boost, *:* (everything), AND OR NOT && || ! + -, brackets, backslash escapes.
Words side by side are alternatives (OR). Regular expressions: see `regular`.
"""

from __future__ import annotations

import math
import re

from annotarium.errors import QuerySyntaxError
from annotarium.search.query import ast as nodes
from annotarium.search.query.lexer import LexicalError, Token, tokenize_query, unescape
from annotarium.search.query.limits import (
    MAX_CLAUSES,
    MAX_DEPTH,
    MAX_PATTERNS,
    MAX_QUERY_LENGTH,
    MAX_WILDCARDS,
    replace_lone_surrogates,
)
from annotarium.search.query.regex import parse_regex, to_lucene_regex
from annotarium.search.text_analysis import words_as_typed

MAX_SLOP = 1000
MAX_EDITS = 2
_HAS_FIELD = "_exists_"
_LONGEST_SENT = 1_000
"""Characters of a regular expression that a search server reads, by its default."""

_WILD = re.compile(r"(?<!\\)(?:\\\\)*[*?]")


def parse_advanced(text: str, field: str = "query") -> nodes.Node:
    """The tree of an advanced query; an empty one matches all. `field` is where the caller gave it.

    Raises:
        QuerySyntaxError: the message is `Failed to parse query ["<query>"]`, the cause says what and where
            (position in code points, from 0); so do the details, under the name of the field.
    """
    query = replace_lone_surrogates(text)
    try:
        if len(query) > MAX_QUERY_LENGTH:
            raise LexicalError(f"the query is longer than {MAX_QUERY_LENGTH} characters", MAX_QUERY_LENGTH)
        return _Parser(tokenize_query(query)).parse()
    except LexicalError as error:
        shown = query if len(query) <= 200 else query[:200] + "..."
        message = f'Failed to parse query ["{shown}"]'
        details = [{"field": field, "message": error.reason, "position": error.position}]
        cause = f"{error.reason} (position {error.position})"
        raise QuerySyntaxError(message, cause=cause, details=details) from error


class _Parser:
    """Recursive descent over the tokens; depth, clauses and wildcards are bounded."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self._depth = 0
        self._clauses = 0
        self._wildcards = 0
        self._patterns = 0

    def parse(self) -> nodes.Node:
        if self._peek().kind == "end":
            return nodes.MatchAll()
        node = self._alternatives(None)
        token = self._peek()
        if token.kind != "end":
            raise LexicalError(f"'{token.value}' closes nothing", token.start)
        return node

    def _peek(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _alternatives(self, field: str | None) -> nodes.Node:
        """`a b OR c AND d`: a sequence of conjunctions."""
        must: list[nodes.Node] = []
        should: list[nodes.Node] = []
        must_not: list[nodes.Node] = []
        while True:
            modifier, node = self._conjunction(field)
            {"+": must, "-": must_not}.get(modifier, should).append(node)
            if self._peek().kind == "or":
                self._take()
                self._expect_clause("OR")
            elif self._peek().kind in ("end", ")"):
                return nodes.combine_clauses(must, should, must_not)

    def _conjunction(self, field: str | None) -> tuple[str, nodes.Node]:
        """`a AND NOT b`; one clause keeps its own `+` or `-`."""
        modifier, node = self._clause(field)
        if self._peek().kind != "and":
            return modifier, node
        must: list[nodes.Node] = [] if modifier == "-" else [node]
        must_not: list[nodes.Node] = [node] if modifier == "-" else []
        while self._peek().kind == "and":
            self._take()
            self._expect_clause("AND")
            modifier, node = self._clause(field)
            (must_not if modifier == "-" else must).append(node)
        return "", nodes.combine_clauses(must, [], must_not)

    def _expect_clause(self, operator: str) -> None:
        if self._peek().kind in ("end", ")", "and", "or"):
            raise LexicalError(f"{operator} needs something on its right", self._peek().start)

    def _clause(self, field: str | None) -> tuple[str, nodes.Node]:
        modifier = ""
        while self._peek().kind in ("+", "-", "not"):
            kind = self._take().kind
            modifier = "+" if kind == "+" else ("" if modifier == "-" else "-")
        node = self._atom(field)
        while self._peek().kind == "^":
            token = self._take()
            factor = float(token.value) if token.value else math.nan
            if not 0 < factor <= 1e6:
                raise LexicalError("^ needs a number between 0 and 1000000", token.start)
            node = nodes.Boost(node, factor)
        return modifier, node

    def _atom(self, field: str | None) -> nodes.Node:
        token = self._take()
        if token.kind == "field":
            if field is not None:
                raise LexicalError("a field name inside a field's brackets", token.start)
            return self._atom(token.value)
        if token.kind == "(":
            return self._group(field, token)
        self._clauses += 1
        if self._clauses > MAX_CLAUSES:
            raise LexicalError(f"more than {MAX_CLAUSES} clauses", token.start)
        if field == _HAS_FIELD and token.kind in ("word", "phrase"):
            return nodes.Exists(unescape(token.value) if token.kind == "word" else token.value)
        if token.kind == "phrase":
            return self._phrase(token, field)
        if token.kind == "regex":
            return self._regex(token, field)
        if token.kind == "range":
            return _range(token, field)
        if token.kind == "word":
            return self._word(token, field)
        if token.kind == "end":
            raise LexicalError("something to search for is missing at the end", token.start)
        sign = token.kind if token.kind in ("^", "~") else ""
        raise LexicalError(f"something to search for is missing before '{sign}{token.value}'", token.start)

    def _group(self, field: str | None, opened: Token) -> nodes.Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise LexicalError(f"more than {MAX_DEPTH} nested brackets", opened.start)
        node = self._alternatives(field)
        if self._take().kind != ")":
            raise LexicalError("the bracket is never closed", opened.start)
        self._depth -= 1
        return node

    def _phrase(self, token: Token, field: str | None) -> nodes.Node:
        slop = 0
        if self._peek().kind == "~":
            mark = self._take()
            if not mark.value.isdigit() or int(mark.value[:9]) > MAX_SLOP:
                raise LexicalError(f"~ after a phrase needs a whole number up to {MAX_SLOP}", mark.start)
            slop = int(mark.value)
        return nodes.Phrase(token.value, slop, field)

    def _word(self, token: Token, field: str | None) -> nodes.Node:
        raw = token.value
        if self._peek().kind == "~":
            return self._fuzzy(token, field)
        if field is not None and raw.startswith(("<", ">")):
            raise LexicalError("a comparison is written >=value", token.start)
        if raw == "*":
            return nodes.MatchAll() if field is None else nodes.Exists(field)
        if not _WILD.search(raw):
            return nodes.Term(unescape(raw), field)
        self._wildcards += 1
        if self._wildcards > MAX_WILDCARDS:
            raise LexicalError(f"more than {MAX_WILDCARDS} wildcards", token.start)
        if raw.endswith("*") and not _WILD.search(raw[:-1]):
            return nodes.Prefix(unescape(raw[:-1]), field)
        return nodes.Wildcard(raw, field)

    def _fuzzy(self, token: Token, field: str | None) -> nodes.Node:
        mark = self._take()
        if _WILD.search(token.value):
            raise LexicalError("a word with * or ? cannot be fuzzy (~)", mark.start)
        text = unescape(token.value)
        edits = _parse_edit_distance(mark, len(text))
        words = words_as_typed(text) if field is None or field in nodes.TEXT_FIELDS else []
        self._count_pattern(token.start, max(1, len(words)))
        return nodes.combine_clauses([nodes.Fuzzy(word, edits, field) for word in words or [text]], [], [])

    def _regex(self, token: Token, field: str | None) -> nodes.Node:
        self._count_pattern(token.start, 1)
        try:
            expression = parse_regex(token.value, field is None or field in nodes.TEXT_FIELDS)
        except LexicalError as error:
            raise LexicalError(error.reason, token.start + 1 + error.position) from error
        if len(to_lucene_regex(expression)) > _LONGEST_SENT:
            raise LexicalError("the regular expression is too involved", token.start)
        return nodes.Regex(token.value, field)

    def _count_pattern(self, at: int, several: int) -> None:
        self._patterns += several
        if self._patterns > MAX_PATTERNS:
            raise LexicalError(f"more than {MAX_PATTERNS} fuzzy words and regular expressions", at)


def _parse_edit_distance(mark: Token, length: int) -> int:
    """The edits of a `~`, two without a number; below 1 it is how alike the words are, as older Lucenes have it."""
    number = float(mark.value) if mark.value else MAX_EDITS
    if 0 < number < 1:
        return min(MAX_EDITS, int(round((1 - number) * length, 6)))
    if number not in (0, 1, MAX_EDITS):
        raise LexicalError("~ after a word needs 0, 1 or 2: so many letters may differ", mark.start)
    return int(number)


def _range(token: Token, field: str | None) -> nodes.Node:
    if field is None or field in nodes.TEXT_FIELDS or field == nodes.IDENTIFIER:
        raise LexicalError(
            "a range needs the name of a field of values, like metadata.year:[2000 TO 2010]", token.start
        )
    opened, low, high, closed = token.parts
    return nodes.Range(
        field,
        None if low == "*" else unescape(low),
        None if high == "*" else unescape(high),
        include_low=opened == "[",
        include_high=closed == "]",
    )
