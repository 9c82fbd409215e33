"""The simple query language: words, "phrases", prefix*, wild?ards, + - | ( ), AND OR NOT. Any input is valid."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from annotarium.search.query.ast import MatchAll, Node, Phrase, Prefix, Term, Wildcard, combine_clauses
from annotarium.search.query.limits import (
    MAX_CLAUSES,
    MAX_DEPTH,
    MAX_QUERY_LENGTH,
    MAX_WILDCARDS,
    replace_lone_surrogates,
)
from annotarium.search.text_analysis import has_words

Operator = Literal["or", "and"]

_TOKEN = re.compile(r'\s+|"[^"]*"?|[()|]|(?P<sign>[+\-])(?=[^\s+\-|)])|[^\s"()|]+')
_SIGN = re.compile(r"""[^\s"'()|+\-~*?!&\\]""")
_WORDS = {"AND": "and", "&&": "and", "OR": "or", "||": "or", "NOT": "not", "+": "and", "-": "", "!": "not"}


@dataclass(slots=True)
class _Group:
    """The clauses within one pair of brackets, grouped by alternative."""

    modifier: str = ""
    alternatives: list[Node] = field(default_factory=list)
    must: list[Node] = field(default_factory=list)
    plain: list[Node] = field(default_factory=list)
    must_not: list[Node] = field(default_factory=list)
    next_modifier: str = ""
    last: tuple[list[Node], Node] | None = None

    def add(self, node: Node) -> None:
        modifier, self.next_modifier = self.next_modifier, ""
        target = {"and": self.must, "must": self.must, "not": self.must_not}.get(modifier, self.plain)
        target.append(node)
        self.last = (target, node)

    def join(self, modifier: str) -> None:
        """Handle an operator between two clauses."""
        if modifier == "and" and self.last and self.last[0] is self.plain:
            self.plain.pop()
            self.must.append(self.last[1])
            self.last = (self.must, self.last[1])
        if modifier == "or":
            self.split()
        elif modifier:
            self.next_modifier = modifier

    def split(self) -> None:
        """Close the current alternative."""
        if self.must or self.plain or self.must_not:
            self.alternatives.append(combine_clauses(self.must, self.plain, self.must_not))
        self.must, self.plain, self.must_not = [], [], []
        self.next_modifier, self.last = "", None

    def node(self, default: Operator) -> Node | None:
        if not self.alternatives:
            if default == "and":
                self.must, self.plain = self.must + self.plain, []
            if not (self.must or self.plain or self.must_not):
                return None
            return combine_clauses(self.must, self.plain, self.must_not)
        self.split()
        return combine_clauses([], self.alternatives, [])


def parse_simple(text: str, default_operator: Operator = "or") -> Node:
    """Parse a simple query; any input is valid.

    An empty query, or operators only (`"`, `(`), match everything. Other signs without a word (an arrow) are searched
    for, and not found because the index contains only words: a bulk action on the hits must not act on everything then.

    Queries over the limits are read up to the limit. Words without operator are joined by `default_operator`.
    """
    text = replace_lone_surrogates(text)[:MAX_QUERY_LENGTH]
    stack = [_Group()]
    clauses = wildcards = 0
    glued = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        was_glued, glued = glued, not (token.isspace() or token in "(|")
        if token.isspace() or clauses >= MAX_CLAUSES:
            continue
        if token == "(":
            _open(stack)
        elif token == ")":
            _close(stack, default_operator)
        elif token == "|":
            stack[-1].join("or")
        elif match["sign"] and not was_glued:
            stack[-1].next_modifier = "must" if token == "+" else "not"
            glued = False
        elif token in _WORDS:
            stack[-1].join(_WORDS[token])
        else:
            node = _leaf(token, wildcards < MAX_WILDCARDS)
            wildcards += isinstance(node, (Prefix, Wildcard))
            if node is not None:
                stack[-1].add(node)
                clauses += 1
    while len(stack) > 1:
        _close(stack, default_operator)
    return stack[0].node(default_operator) or (Term(text.strip()) if _SIGN.search(text) else MatchAll())


def _open(stack: list[_Group]) -> None:
    if len(stack) <= MAX_DEPTH:
        group = _Group(modifier=stack[-1].next_modifier)
        stack[-1].next_modifier = ""
        stack.append(group)


def _close(stack: list[_Group], default: Operator) -> None:
    if len(stack) > 1:
        group = stack.pop()
        node = group.node(default)
        if node is not None:
            stack[-1].next_modifier = group.modifier
            stack[-1].add(node)


def _leaf(token: str, may_expand: bool) -> Node | None:
    if token.startswith('"'):
        phrase = token.strip('"').strip()
        return Phrase(phrase) if phrase else None
    wild = token.rstrip("*")
    if not has_words(token):
        return None
    if may_expand and ("*" in wild or "?" in wild[:-1]):
        return Wildcard(token)
    if may_expand and wild != token:
        return Prefix(wild)
    return Term(token)
