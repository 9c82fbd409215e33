"""Finds the forms of many terms in texts: one trie of token keys per rule of comparison."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from annotarium_engines.gazetteers.overlaps import Candidate
from annotarium_engines.gazetteers.token_splitter import BREAK, SplitText, TokenSplitter
from annotarium_engines.gazetteers.token_trie import IGNORED, UNKNOWN, TokenTrie
from annotarium_engines.gazetteers.word_keys import WordKeys

if TYPE_CHECKING:
    import numpy.typing as npt

    from annotarium_engines.gazetteers.token_trie import Numbers, TokenIds

    Array = npt.NDArray[Any]

_KNOWN_SPELLINGS = 200_000
"""Spellings whose numbers are remembered between texts."""
_MOST_TERMS = 50
"""Terms of one match; further ones are left out."""


class TermNames:
    """Identifiers and preferred forms of many terms, as UTF-8 in one array.

    The identifier of term `t` is at `offsets[2 * t]`, its preferred form at `offsets[2 * t + 1]`.
    """

    def __init__(self, content: Array, offsets: Array) -> None:
        self.content, self.offsets = content, offsets

    def identifier(self, term: int) -> str:
        """Return the identifier of a term."""
        return self._text(2 * term)

    def preferred_form(self, term: int) -> str | None:
        """Return the preferred form of a term, None if it has none."""
        return self._text(2 * term + 1) or None

    def _text(self, index: int) -> str:
        part = self.content[int(self.offsets[index]) : int(self.offsets[index + 1])]
        return bytes(part).decode("utf-8", errors="replace")


@dataclass
class TermTable:
    """What is known of each term: parallel arrays, and the names their numbers stand for."""

    names: TermNames
    lexicon_numbers: Numbers
    label_numbers: Numbers
    lexicons: list[str]
    """In the order of preference."""
    labels: list[str]

    def __len__(self) -> int:
        return len(self.lexicon_numbers)


class Layer:
    """The forms that are compared by one rule.

    Attributes:
        vocabulary: numbers of the keys of tokens, from 1.
    """

    def __init__(self, keys: WordKeys, vocabulary: dict[str, int], trie: TokenTrie) -> None:
        self.keys, self.vocabulary, self.trie = keys, vocabulary, trie

    def token_number(self, token: str) -> int:
        """Return the number of a token of a text."""
        if token[0] in "\n\u2029":
            return UNKNOWN
        key = self.keys.key(token)
        return self.vocabulary.get(key, UNKNOWN) if key else IGNORED


class _SpellingNumbers(dict[str, int]):
    """Numbers spellings as they are met, and looks each up once in every layer."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        import numpy as np

        super().__init__()
        self._layers = layers
        self.tokens: list[TokenIds] = [np.zeros(1024, dtype=np.int32) for _ in layers]

    def __missing__(self, spelling: str) -> int:
        import numpy as np

        number = len(self)
        for index, layer in enumerate(self._layers):
            if number >= len(self.tokens[index]):
                self.tokens[index] = np.concatenate([self.tokens[index], np.zeros_like(self.tokens[index])])
            self.tokens[index][number] = layer.token_number(spelling)
        self[spelling] = number
        return number


class MatchedText(NamedTuple):
    """A text, its tokens, and the matches in it, which may overlap, with the terms of each, best first."""

    text: str
    split: SplitText
    matches: dict[tuple[int, int], tuple[int, ...]]

    def token_at(self, offset: int) -> int:
        """Return the number of the first token that ends after an offset."""
        return bisect_right(self.split.borders, offset) // 2


class TermMatcher:
    """Finds terms in texts; may be used by several threads."""

    def __init__(self, splitter: TokenSplitter, layers: Sequence[Layer], table: TermTable, *, language: str) -> None:
        self.splitter, self.layers, self.table, self.language = splitter, list(layers), table, language
        self._spellings = _SpellingNumbers(self.layers)
        self._lock = Lock()

    def match(self, texts: Sequence[str]) -> list[MatchedText]:
        """Return the matches of texts, which are read together: memory grows with their length."""
        import numpy as np

        split = self.splitter.split
        matched = [MatchedText(text, split(text), {}) for text in texts]
        sequences = [one.split.tokens for one in matched]
        starts = [0]
        for tokens in sequences:
            starts.append(starts[-1] + len(tokens) + 1)
        with self._lock:
            if len(self._spellings) > _KNOWN_SPELLINGS:
                self._spellings = _SpellingNumbers(self.layers)
            spellings = self._spellings
            tokens_and_breaks = chain.from_iterable((*tokens, BREAK) for tokens in sequences)
            numbers = np.fromiter(map(spellings.__getitem__, tokens_and_breaks), np.int32, starts[-1])
            layers = [tokens[numbers] for tokens in spellings.tokens]
        for layer, tokens_of_layer in zip(self.layers, layers, strict=True):
            found = layer.trie.find(tokens_of_layer)
            terms_of_state: dict[int, tuple[int, ...]] = {}
            columns = (found.first.tolist(), found.past.tolist(), found.states.tolist())
            for first, past, state in zip(*columns, strict=True):
                text_number = bisect_right(starts, first) - 1
                one, base = matched[text_number], 2 * starts[text_number]
                borders = one.split.borders
                place = (borders[2 * first - base], borders[2 * past - base - 1])
                terms = terms_of_state.get(state)
                if terms is None:
                    terms = terms_of_state[state] = self._best_first(layer.trie.entries_of(state))
                known = one.matches.setdefault(place, terms)
                if known is not terms:
                    one.matches[place] = self._best_first({*known, *terms})
        return matched

    def _best_first(self, terms: Collection[int]) -> tuple[int, ...]:
        """Return terms in the order of preference: by lexicon, then as they were given."""
        if len(terms) > 1:
            lexicons = self.table.lexicon_numbers
            terms = sorted(terms, key=lambda term: (int(lexicons[term]), term))[:_MOST_TERMS]
        return tuple(terms)

    def candidates(self, matches: dict[tuple[int, int], tuple[int, ...]]) -> Iterator[Candidate]:
        """Yield the matches as candidates."""
        lexicons = self.table.lexicon_numbers
        for (start, end), terms in matches.items():
            yield Candidate(start, end, int(lexicons[terms[0]]), terms)
