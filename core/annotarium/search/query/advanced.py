"""The advanced query language, a subset of Lucene's.

`field:value`, "phrase"~slop, prefix*, wild?c*rd, [low TO high], {low TO high}, >=value, field:* (exists), ^boost,
*:* (everything), AND OR NOT && || ! + -, brackets, backslash escapes. Words side by side are alternatives (OR).
"""

from __future__ import annotations

import math
import re

from annotarium.errors import QuerySyntaxError
from annotarium.search.query.ast import (
    IDENTIFIER,
    TEXT_FIELDS,
    Boost,
    Exists,
    MatchAll,
    Node,
    Phrase,
    Prefix,
    Range,
    Term,
    Wildcard,
    combine,
)
from annotarium.search.query.lexer import LexicalError, Token, tokens, unescape
from annotarium.search.query.limits import MAX_CLAUSES, MAX_DEPTH, MAX_QUERY_LENGTH, MAX_WILDCARDS, printable

MAX_SLOP = 1000

_WILD = re.compile(r"(?<!\\)(?:\\\\)*[*?]")


def parse_advanced(text: str, field: str = "query") -> Node:
    """The tree of an advanced query; an empty one matches all. `field` is where the caller gave it.

    Raises:
        QuerySyntaxError: the message is `Failed to parse query ["<query>"]`, the cause says what and where
            (position in code points, from 0); so do the details, under the name of the field.
    """
    query = printable(text)
    try:
        if len(query) > MAX_QUERY_LENGTH:
            raise LexicalError(f"the query is longer than {MAX_QUERY_LENGTH} characters", MAX_QUERY_LENGTH)
        return _Parser(tokens(query)).parse()
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

    def parse(self) -> Node:
        if self._peek().kind == "end":
            return MatchAll()
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

    def _alternatives(self, field: str | None) -> Node:
        """`a b OR c AND d`: a sequence of conjunctions."""
        must: list[Node] = []
        should: list[Node] = []
        must_not: list[Node] = []
        while True:
            modifier, node = self._conjunction(field)
            {"+": must, "-": must_not}.get(modifier, should).append(node)
            if self._peek().kind == "or":
                self._take()
                self._expect_clause("OR")
            elif self._peek().kind in ("end", ")"):
                return combine(must, should, must_not)

    def _conjunction(self, field: str | None) -> tuple[str, Node]:
        """`a AND NOT b`; one clause keeps its own `+` or `-`."""
        modifier, node = self._clause(field)
        if self._peek().kind != "and":
            return modifier, node
        must: list[Node] = [] if modifier == "-" else [node]
        must_not: list[Node] = [node] if modifier == "-" else []
        while self._peek().kind == "and":
            self._take()
            self._expect_clause("AND")
            modifier, node = self._clause(field)
            (must_not if modifier == "-" else must).append(node)
        return "", combine(must, [], must_not)

    def _expect_clause(self, operator: str) -> None:
        if self._peek().kind in ("end", ")", "and", "or"):
            raise LexicalError(f"{operator} needs something on its right", self._peek().start)

    def _clause(self, field: str | None) -> tuple[str, Node]:
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
            node = Boost(node, factor)
        return modifier, node

    def _atom(self, field: str | None) -> Node:
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
        if token.kind == "phrase":
            return self._phrase(token, field)
        if token.kind == "range":
            return _range(token, field)
        if token.kind == "word":
            return self._word(token, field)
        if token.kind == "end":
            raise LexicalError("something to search for is missing at the end", token.start)
        sign = token.kind if token.kind in ("^", "~") else ""
        raise LexicalError(f"something to search for is missing before '{sign}{token.value}'", token.start)

    def _group(self, field: str | None, opened: Token) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise LexicalError(f"more than {MAX_DEPTH} nested brackets", opened.start)
        node = self._alternatives(field)
        if self._take().kind != ")":
            raise LexicalError("the bracket is never closed", opened.start)
        self._depth -= 1
        return node

    def _phrase(self, token: Token, field: str | None) -> Node:
        slop = 0
        if self._peek().kind == "~":
            mark = self._take()
            if not mark.value.isdigit() or int(mark.value[:9]) > MAX_SLOP:
                raise LexicalError(f"~ after a phrase needs a whole number up to {MAX_SLOP}", mark.start)
            slop = int(mark.value)
        return Phrase(token.value, slop, field)

    def _word(self, token: Token, field: str | None) -> Node:
        if self._peek().kind == "~":
            raise LexicalError("fuzzy words (~) are not offered; use a wildcard", self._peek().start)
        raw = token.value
        if field is not None and raw.startswith(("<", ">")):
            raise LexicalError("a comparison is written >=value", token.start)
        if raw == "*":
            return MatchAll() if field is None else Exists(field)
        if not _WILD.search(raw):
            return Term(unescape(raw), field)
        self._wildcards += 1
        if self._wildcards > MAX_WILDCARDS:
            raise LexicalError(f"more than {MAX_WILDCARDS} wildcards", token.start)
        if raw.endswith("*") and not _WILD.search(raw[:-1]):
            return Prefix(unescape(raw[:-1]), field)
        return Wildcard(raw, field)


def _range(token: Token, field: str | None) -> Node:
    if field is None or field in TEXT_FIELDS or field == IDENTIFIER:
        raise LexicalError(
            "a range needs the name of a field of values, like metadata.year:[2000 TO 2010]", token.start
        )
    opened, low, high, closed = token.parts
    return Range(
        field,
        None if low == "*" else unescape(low),
        None if high == "*" else unescape(high),
        include_low=opened == "[",
        include_high=closed == "]",
    )
