"""Where a text matches a query, with the analyser the index uses: the same marks whatever engine found the hit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from annotarium.search.analysis import Tokens, analyser, fold, fold_words, is_paired, is_sentence
from annotarium.search.automaton import Automaton, TooInvolved, automaton_of
from annotarium.search.query.ast import Fuzzy, Node, Phrase, Prefix, Regex, Term, Wildcard, Worded, leaves
from annotarium.search.query.limits import MAX_QUERY_LENGTH


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Code points of the original text, half-open."""

    start: int
    end: int


class Highlighter:
    """Marks texts for one query. `field` is the field the texts come from (`text`, `title`).

    Leaves without a field mark texts of any field; those under NOT mark nothing.
    """

    def __init__(self, language: str, query: Node, field: str = "text") -> None:
        self._analyser = analyser(language)
        self._words: set[str] = set()
        self._phrases: list[tuple[list[str], int]] = []
        self._tests: list[Callable[[str], bool]] = []
        self._starts: list[str] = []
        self._automata: list[Automaton] = []
        # Words as written of all texts so far, and those of them that are marked: each is looked at once.
        self._known: set[str] = {""}
        self._marked: set[str] = set()
        for leaf in leaves(query):
            if isinstance(leaf, Worded) and leaf.field in (None, field):
                self._add(leaf)

    def spans(self, text: str) -> list[Span]:
        """The marked spans, ascending, touching and overlapping ones joined; a phrase is one span."""
        if not (self._words or self._phrases or self._tests or self._starts or self._automata):
            return []
        cut = self._analyser.tokens(text)
        return _joined([*self._word_spans(cut), *(self._phrase_spans(cut) if self._phrases else ())])

    def _word_spans(self, cut: Tokens) -> list[Span]:
        if self._tests or self._starts or self._automata:
            self._get_to_know(cut)
            of, looked_for = cut.words, self._marked
        else:
            of, looked_for = cut.terms, self._words
        if looked_for.isdisjoint(of):
            return []
        places = zip(of, cut.starts, cut.words, strict=True)
        return [Span(start, start + len(word)) for one, start, word in places if one in looked_for]

    def _get_to_know(self, cut: Tokens) -> None:
        if self._known.issuperset(cut.words):
            return
        fresh = {word: term for word, term in zip(cut.words, cut.terms, strict=True) if word not in self._known}
        accepted = self._accepted({*map(fold, fresh), *fresh.values()}) if self._automata else set()
        for word, term in fresh.items():
            alike = term in accepted or (accepted and fold(word) in accepted)
            if alike or term in self._words or self._fits(term, word):
                self._marked.add(word)
        self._known.update(cut.words)

    def _accepted(self, words: set[str]) -> set[str]:
        """Those of the words that a fuzzy word or a regular expression accepts."""
        found: set[str] = set()
        for automaton in self._automata:
            with suppress(TooInvolved):
                found.update(automaton.fitting(list(words)))
        return found

    def _fits(self, term: str, word: str) -> bool:
        if term.startswith(tuple(self._starts)):
            return True
        folded = fold(word) if self._tests else ""
        return any(test(folded) for test in self._tests)

    def _phrase_spans(self, cut: Tokens) -> list[Span]:
        tokens = [one for one in cut if one[0]]
        terms = [term for term, _, _, _ in tokens]
        return [
            Span(tokens[first][1], tokens[last][2])
            for phrase, slop in self._phrases
            for first, last in _places(terms, phrase, slop)
        ]

    def _add(self, leaf: Worded) -> None:
        if isinstance(leaf, Wildcard):
            self._tests.append(_glob(leaf.pattern))
        elif isinstance(leaf, (Fuzzy, Regex)):
            self._automata.append(automaton_of(leaf, folded=True))
        elif isinstance(leaf, Prefix):
            self._add_prefix(leaf.text)
        else:
            terms = self._analyser.terms(leaf.text)
            if len(terms) == 1 and len(leaf.text) == 1 and is_paired(leaf.text):
                self._starts.append(terms[0])
            elif len(terms) == 1 or (isinstance(leaf, Term) and is_sentence(leaf.text)):
                self._words.update(terms)
            elif terms:
                self._phrases.append((terms, leaf.slop if isinstance(leaf, Phrase) else 0))

    def _add_prefix(self, text: str) -> None:
        words = fold_words(text)
        if len(words) == 1 and not (is_paired(words[0]) and len(words[0]) > 1):
            prefix = words[0]
            self._tests.append(lambda folded: folded.startswith(prefix))
        elif words:
            self._phrases.append((self._analyser.terms(text), 0))


def mark(text: str, spans: Sequence[Span], before: str = "<em>", after: str = "</em>") -> str:
    """The text with marks around its spans (the text itself is not escaped)."""
    parts: list[str] = []
    position = 0
    for span in spans:
        parts += [text[position : span.start], before, text[span.start : span.end], after]
        position = span.end
    return "".join([*parts, text[position:]])


def _glob(pattern: str) -> Callable[[str], bool]:
    parts = re.findall(r"\\.|[*?]|[^\\*?]+|\\", pattern[:MAX_QUERY_LENGTH], re.DOTALL)
    pieces = [part if part in ("*", "?") else fold(part) for part in parts]
    return lambda folded: _glob_matches(pieces, folded)


def _glob_matches(pieces: Sequence[str], word: str) -> bool:
    """Whether a word fits; time grows with word length times pieces, however many stars there are."""
    reached = {0}
    for piece in pieces:
        if not reached:
            return False
        if piece == "*":
            reached = set(range(min(reached), len(word) + 1))
        elif piece == "?":
            reached = {at + 1 for at in reached if at < len(word)}
        else:
            reached = {at + len(piece) for at in reached if word.startswith(piece, at)}
    return len(word) in reached


def _places(terms: Sequence[str], phrase: Sequence[str], slop: int) -> list[tuple[int, int]]:
    """(first, last) token of each place of a phrase. With slop the words may change places within the window."""
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


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined
