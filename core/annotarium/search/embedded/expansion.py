"""Expands a text leaf of a query (word, prefix, phrase, pattern) to terms that the index contains."""

from __future__ import annotations

import heapq
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from annotarium.search.automaton import Automaton, build_automaton
from annotarium.search.embedded.caches import VersionedCache
from annotarium.search.embedded.vocabulary import Vocabulary
from annotarium.search.query.ast import TEXT_FIELDS, Fuzzy, Node, Phrase, Prefix, Regex, Term, Wildcard, Worded
from annotarium.search.query.limits import MAX_EXPANSIONS
from annotarium.search.text_analysis import (
    Analyser,
    fold_case_and_accents,
    fold_words,
    is_unspaced_script,
    is_unspaced_sentence,
)
from annotarium.search.wildcards_and_title_weight import wildcard_to_folded_glob

_LAST = "\U0010ffff"
_ALL_SURFACES = "SELECT group_concat(surface, char(10)), group_concat(term, char(10)) FROM word"
_SURFACES = "SELECT surface, term FROM word WHERE surface >= ? AND surface < ?"


@dataclass(frozen=True, slots=True)
class TermSequence:
    """Consecutive terms, the last of which may be a prefix. With `near` they may be in any order within that distance.

    Terms come from the analyser and contain nothing that FTS5 would read as query syntax.
    """

    terms: tuple[str, ...]
    is_prefix: bool = False
    near: int | None = None

    @property
    def expression(self) -> str:
        """The sequence in FTS5 syntax."""
        quoted = [f'"{term}"' for term in self.terms]
        if self.near is not None:
            return f"NEAR({' '.join(quoted)}, {self.near})"
        return " + ".join(quoted) + (" *" if self.is_prefix else "")


@dataclass(frozen=True, slots=True)
class ExpandedTerms:
    """A leaf: the column (empty: title or text) must contain one of the parts.

    `without_words`: the leaf contains only punctuation. `truncated`: the leaf stands for more than `MAX_EXPANSIONS`
    terms, of which the rest is not searched.
    """

    parts: tuple[TermSequence, ...]
    column: str = ""
    without_words: bool = False
    truncated: bool = False

    @property
    def expression(self) -> str:
        """The leaf in FTS5 syntax; `parts` must not be empty."""
        either = " OR ".join(part.expression for part in self.parts)
        return f"{self.column} : ({either})" if self.column else f"({either})"


class TermExpander:
    """Expands leaves to the terms of one index, in a snapshot."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        vocabularies: VersionedCache[Vocabulary],
        index: int,
        analyser: Analyser,
        default_fields: Sequence[str],
    ) -> None:
        self._connection = connection
        self._vocabularies = vocabularies
        self._index = index
        self._analyser = analyser
        fields = [field for field in ("title", "text") if field in default_fields] or ["text"]
        self._default = "" if len(fields) == 2 else fields[0]
        self._known: dict[Node, ExpandedTerms | None] = {}

    def expansion(self, node: Node) -> ExpandedTerms | None:
        """Return the expansion of a leaf, None when it is not about texts."""
        if node not in self._known:
            self._known[node] = self._read(node)
        return self._known[node]

    @property
    def truncated(self) -> bool:
        """Whether any of the expansions so far was truncated."""
        return any(known.truncated for known in self._known.values() if known)

    def of_terms(self, terms: Sequence[str]) -> ExpandedTerms:
        """Return an expansion to one of the terms, in the default fields."""
        return ExpandedTerms(tuple(TermSequence((term,)) for term in terms), self._default)

    def _read(self, node: Node) -> ExpandedTerms | None:
        if not isinstance(node, Worded):
            return None
        if node.field is not None and node.field not in TEXT_FIELDS:
            return None
        column = node.field or self._default
        if isinstance(node, Wildcard):
            return self._of_wildcard(node.pattern, column)
        if isinstance(node, Prefix):
            return self._of_prefix(node.text, column)
        if isinstance(node, Fuzzy) and not fold_case_and_accents(node.text):
            return ExpandedTerms((), column, without_words=True)
        if isinstance(node, (Fuzzy, Regex)):
            return self._of_automaton(build_automaton(node, folded=True), column)
        parts = self._parts(node)
        return ExpandedTerms(parts, column, without_words=not parts)

    def _parts(self, node: Term | Phrase) -> tuple[TermSequence, ...]:
        terms = tuple(self._analyser.terms(node.text))
        if not terms:
            return ()
        if len(terms) == 1 and len(node.text) == 1 and is_unspaced_script(node.text):
            return (TermSequence(terms, is_prefix=True),)
        if isinstance(node, Term) and is_unspaced_sentence(node.text):
            return tuple(TermSequence((term,)) for term in dict.fromkeys(terms))
        if isinstance(node, Phrase) and node.slop and len(terms) > 1:
            return (TermSequence(terms, near=node.slop + len(terms) - 2),)
        return (TermSequence(terms),)

    def _of_prefix(self, text: str, column: str) -> ExpandedTerms:
        *before, last = fold_words(text) or [""]
        if not last:
            return ExpandedTerms((), column, without_words=True)
        if is_unspaced_script(last) and len(last) > 1:
            return ExpandedTerms((TermSequence(tuple(self._analyser.terms(text))),), column)
        if before:
            terms = self._analyser.terms(" ".join(before))
            return ExpandedTerms((TermSequence((*terms, last), is_prefix=True),), column)
        shown = self._connection.execute(_SURFACES, (last, last + _LAST)).fetchall()
        stems, truncated = _shortest_terms(shown)
        others = [TermSequence((stem,)) for stem in stems if not stem.startswith(last)]
        return ExpandedTerms((TermSequence((last,), is_prefix=True), *others), column, truncated=truncated)

    def _of_automaton(self, automaton: Automaton, column: str) -> ExpandedTerms:
        terms = self._vocabularies.of(self._connection, self._index).fitting(automaton)
        lines = self._connection.execute(_ALL_SURFACES).fetchone()
        surfaces, shown = ((line or "").split("\n") for line in lines)
        fit = set(automaton.fitting(surfaces))
        pairs = (pair for pair in zip(surfaces, shown, strict=True) if pair[0] in fit)
        found, truncated = _shortest_terms([*((term, term) for term in terms), *pairs])
        return ExpandedTerms(tuple(TermSequence((term,)) for term in found), column, truncated=truncated)

    def _of_wildcard(self, pattern: str, column: str) -> ExpandedTerms:
        shape = wildcard_to_folded_glob(pattern)
        start = re.split(r"[*?]", shape, maxsplit=1)[0]
        terms = self._vocabularies.of(self._connection, self._index).like(shape)
        shown = self._connection.execute(f"{_SURFACES} AND surface GLOB ?", (start, start + _LAST, shape)).fetchall()
        found, truncated = _shortest_terms([*((term, term) for term in terms), *shown])
        return ExpandedTerms(tuple(TermSequence((term,)) for term in found), column, truncated=truncated)


def _shortest_terms(shown: Sequence[tuple[str, str]]) -> tuple[list[str], bool]:
    """Return at most `MAX_EXPANSIONS` terms of pairs (surface form, term), and whether there are more.

    The shortest surface forms come first: they are nearest to the query, and mostly the frequent ones.
    """
    lengths: dict[str, int] = {}
    for surface, term in shown:
        if term:
            lengths[term] = min(len(surface), lengths.get(term, len(surface)))
    found = heapq.nsmallest(MAX_EXPANSIONS, lengths, key=lambda term: (lengths[term], term))
    return found, len(lengths) > MAX_EXPANSIONS
