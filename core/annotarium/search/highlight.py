"""Finds where a text matches a query, with the analyser of the index. The result does not depend on the engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from annotarium.search.automaton import Automaton, TooManyStates, build_automaton
from annotarium.search.query.ast import Fuzzy, Node, Phrase, Prefix, Regex, Term, Wildcard, Worded, leaves
from annotarium.search.query.limits import MAX_QUERY_LENGTH
from annotarium.search.text_analysis import (
    Tokens,
    fold_case_and_accents,
    fold_words,
    get_analyser,
    is_unspaced_script,
    is_unspaced_sentence,
)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points in the original text."""

    start: int
    end: int


class Highlighter:
    """Finds matches of one query in texts. `field` is the field the texts come from (`text`, `title`).

    Leaves without a field match texts of any field; those under NOT are ignored.
    """

    def __init__(self, language: str, query: Node, field: str = "text") -> None:
        self._analyser = get_analyser(language)
        self._words: set[str] = set()
        self._phrases: list[tuple[list[str], int]] = []
        self._predicates: list[Callable[[str], bool]] = []
        self._starts: list[str] = []
        self._automata: list[Automaton] = []
        # Surface words of all texts so far, and those of them that match: each word is checked once.
        self._known: set[str] = {""}
        self._marked: set[str] = set()
        for leaf in leaves(query):
            if isinstance(leaf, Worded) and leaf.field in (None, field):
                self._add(leaf)

    def spans(self, text: str) -> list[Span]:
        """Return the matching spans, ascending. Adjacent and overlapping ones are merged; a phrase is one span."""
        if not (self._words or self._phrases or self._predicates or self._starts or self._automata):
            return []
        tokenized = self._analyser.tokens(text)
        return _join_spans([*self._word_spans(tokenized), *(self._phrase_spans(tokenized) if self._phrases else ())])

    def _word_spans(self, tokenized: Tokens) -> list[Span]:
        if self._predicates or self._starts or self._automata:
            self._check_new_words(tokenized)
            of, looked_for = tokenized.words, self._marked
        else:
            of, looked_for = tokenized.terms, self._words
        if looked_for.isdisjoint(of):
            return []
        places = zip(of, tokenized.starts, tokenized.words, strict=True)
        return [Span(start, start + len(word)) for one, start, word in places if one in looked_for]

    def _check_new_words(self, tokenized: Tokens) -> None:
        if self._known.issuperset(tokenized.words):
            return
        fresh = {
            word: term for word, term in zip(tokenized.words, tokenized.terms, strict=True) if word not in self._known
        }
        accepted = self._accepted({*map(fold_case_and_accents, fresh), *fresh.values()}) if self._automata else set()
        for word, term in fresh.items():
            accepted_by_automaton = term in accepted or (accepted and fold_case_and_accents(word) in accepted)
            if accepted_by_automaton or term in self._words or self._fits(term, word):
                self._marked.add(word)
        self._known.update(tokenized.words)

    def _accepted(self, words: set[str]) -> set[str]:
        """Return the words that a fuzzy word or a regular expression of the query accepts."""
        found: set[str] = set()
        for automaton in self._automata:
            with suppress(TooManyStates):
                found.update(automaton.fitting(list(words)))
        return found

    def _fits(self, term: str, word: str) -> bool:
        if term.startswith(tuple(self._starts)):
            return True
        folded = fold_case_and_accents(word) if self._predicates else ""
        return any(test(folded) for test in self._predicates)

    def _phrase_spans(self, tokenized: Tokens) -> list[Span]:
        tokens = [one for one in tokenized if one[0]]
        terms = [term for term, _, _, _ in tokens]
        return [
            Span(tokens[first][1], tokens[last][2])
            for phrase, slop in self._phrases
            for first, last in _phrase_positions(terms, phrase, slop)
        ]

    def _add(self, leaf: Worded) -> None:
        if isinstance(leaf, Wildcard):
            self._predicates.append(_glob_predicate(leaf.pattern))
        elif isinstance(leaf, (Fuzzy, Regex)):
            self._automata.append(build_automaton(leaf, folded=True))
        elif isinstance(leaf, Prefix):
            self._add_prefix(leaf.text)
        else:
            terms = self._analyser.terms(leaf.text)
            if len(terms) == 1 and len(leaf.text) == 1 and is_unspaced_script(leaf.text):
                self._starts.append(terms[0])
            elif len(terms) == 1 or (isinstance(leaf, Term) and is_unspaced_sentence(leaf.text)):
                self._words.update(terms)
            elif terms:
                self._phrases.append((terms, leaf.slop if isinstance(leaf, Phrase) else 0))

    def _add_prefix(self, text: str) -> None:
        words = fold_words(text)
        if len(words) == 1 and not (is_unspaced_script(words[0]) and len(words[0]) > 1):
            prefix = words[0]
            self._predicates.append(lambda folded: folded.startswith(prefix))
        elif words:
            self._phrases.append((self._analyser.terms(text), 0))


def insert_highlight_tags(text: str, spans: Sequence[Span], before: str = "<em>", after: str = "</em>") -> str:
    """Return the text with tags around its spans. The text itself is not escaped."""
    parts: list[str] = []
    position = 0
    for span in spans:
        parts += [text[position : span.start], before, text[span.start : span.end], after]
        position = span.end
    return "".join([*parts, text[position:]])


def _glob_predicate(pattern: str) -> Callable[[str], bool]:
    parts = re.findall(r"\\.|[*?]|[^\\*?]+|\\", pattern[:MAX_QUERY_LENGTH], re.DOTALL)
    glob_parts = [part if part in ("*", "?") else fold_case_and_accents(part) for part in parts]
    return lambda folded: _glob_matches(glob_parts, folded)


def _glob_matches(glob_parts: Sequence[str], word: str) -> bool:
    """Return whether a word matches; time is linear in word length times parts, however many stars there are."""
    reached = {0}
    for glob_part in glob_parts:
        if not reached:
            return False
        if glob_part == "*":
            reached = set(range(min(reached), len(word) + 1))
        elif glob_part == "?":
            reached = {at + 1 for at in reached if at < len(word)}
        else:
            reached = {at + len(glob_part) for at in reached if word.startswith(glob_part, at)}
    return len(word) in reached


def _phrase_positions(terms: Sequence[str], phrase: Sequence[str], slop: int) -> list[tuple[int, int]]:
    """Return the indexes of the first and last token of each occurrence of a phrase.

    With slop the words may be in any order within the window.
    """
    if not slop:
        size = len(phrase)
        first = phrase[0]
        return [
            (at, at + size - 1)
            for at, term in enumerate(terms)
            if term == first and list(terms[at : at + size]) == list(phrase)
        ]
    wanted = set(phrase)
    window = len(phrase) + slop
    latest: dict[str, int] = {}
    found: list[tuple[int, int]] = []
    for at, term in enumerate(terms):
        if term in wanted:
            latest[term] = at
            if len(latest) == len(wanted) and at - (start := min(latest.values())) < window:
                found.append((start, at))
    return found


def _join_spans(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined
