"""Chooses among the terms that have the same form: by the words around it, compared with those of the definitions.

The method is the simplified one of Lesk (SIGDOC 1986; Kilgarriff and Rosenzweig, LREC 2000); the number of shared words
is divided by the square root of the number of words of the term, so that long definitions do not win by their length.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from annotarium_engines.gazetteers.token_splitter import SplitText, TokenSplitter
from annotarium_engines.gazetteers.word_keys import KeyRule, WordKeys
from annotarium_engines.topics.stop_words import stop_words
from annotarium_schemas.documents import Term

if TYPE_CHECKING:
    from annotarium_engines.gazetteers.token_trie import Numbers

_MOST_WORDS = 200
"""Words of a term's definitions that are used."""
_MOST_TEXT = 20_000
_WINDOW = 40
"""Tokens on each side of a match that are compared."""
_KNOWN_WORDS = 100_000


class WordHashes(dict[str, int]):
    """The hash of each word that tells something about a topic; 0 for stop words, numbers and punctuation."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._keys = WordKeys(KeyRule(case_sensitive=False, fold_diacritics=True, variants="stem"), language)
        self._stops = stop_words(language)

    def __missing__(self, word: str) -> int:
        if len(self) >= _KNOWN_WORDS:
            self.clear()
        plain = word.casefold()
        useful = len(plain) > 1 and plain.isalpha() and plain not in self._stops
        found = self[word] = crc32(self._keys.key(word).encode()) if useful else 0
        return found


class ContextCollector:
    """Collects the words that the definitions and forms of terms consist of, term by term."""

    def __init__(self, splitter: TokenSplitter, language: str) -> None:
        self._splitter, self._hashes = splitter, WordHashes(language)
        self._offsets = array("q", [0])
        self._words = array("I")

    def add(self, term: Term) -> None:
        """Add the words of the next term."""
        found: dict[int, None] = {}
        for text in _texts_about(term):
            for token in self._splitter.split(text[:_MOST_TEXT]).tokens:
                word = self._hashes[token]
                if word:
                    found[word] = None
            if len(found) >= _MOST_WORDS:
                break
        self._words.extend(list(found)[:_MOST_WORDS])
        self._offsets.append(len(self._words))

    def of_terms(self, terms: Collection[int]) -> TermContexts:
        """Return the words of some terms only."""
        import numpy as np

        order = sorted(terms)
        parts = [self._words[self._offsets[one] : self._offsets[one + 1]] for one in order]
        offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.uint32)
        words = np.fromiter((word for part in parts for word in part), np.uint32)
        return TermContexts(np.array(order, dtype=np.uint32), offsets, words)


class TermContexts:
    """Hashed words of ambiguous terms: those of `terms[i]` are `words[offsets[i] : offsets[i + 1]]`."""

    def __init__(self, terms: Numbers, offsets: Numbers, words: Numbers) -> None:
        self.terms, self.offsets, self.words = terms, offsets, words
        self._index = {term: index for index, term in enumerate(terms.tolist())}

    def best_term(self, terms: Sequence[int], around: Collection[int]) -> int:
        """Return the term that shares most words with those around the match; the first of equally good ones."""
        return max(terms, key=lambda term: self._score(term, around))

    def _score(self, term: int, around: Collection[int]) -> float:
        index = self._index.get(term)
        if index is None:
            return 0.0
        words = self.words[int(self.offsets[index]) : int(self.offsets[index + 1])].tolist()
        return sum(word in around for word in words) / math.sqrt(len(words)) if words else 0.0


def words_around(split: SplitText, first: int, past: int, hashes: WordHashes) -> set[int]:
    """Return the hashed words around the tokens `first <= index < past`."""
    tokens = [*split.tokens[max(0, first - _WINDOW) : first], *split.tokens[past : past + _WINDOW]]
    return {hashes[token] for token in tokens} - {0}


def _texts_about(term: Term) -> Iterable[str]:
    properties = term.properties or {}
    definitions = properties.get("definitions")
    for one in definitions if isinstance(definitions, list) else []:
        text = one.get("text") if isinstance(one, dict) else one
        if isinstance(text, str):
            yield text
    yield term.preferred_form or ""
    others = properties.get("altForms")
    yield from (one for one in (others if isinstance(others, list) else [])[:50] if isinstance(one, str))
