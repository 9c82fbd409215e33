"""Which sentences or documents are equal or similar to another one, so that a category can be assigned to them."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from annotarium.search.query.limits import MAX_CLAUSES, MAX_QUERY_LENGTH
from annotarium.search.text_analysis import get_analyser

_ALL_OF = 6
"""Maximum number of words in an AND query: more words hardly reduce the hits."""


@dataclass(frozen=True)
class SimilarityCriterion:
    """What texts have to match.

    Without `share`, texts that are equal except for white space and, unless `case_sensitive`, case. With it, texts with
    at least this Jaccard similarity of their words (0..1), regardless of order and inflection.
    """

    text: str
    language: str
    case_sensitive: bool = False
    share: float | None = None

    def to_json(self) -> dict[str, Any]:
        """JSON values for the arguments of a job."""
        return asdict(self)

    def matches(self, text: str) -> bool:
        """Whether a text matches. With `share`, texts without words never match."""
        if self.share is None:
            return self._normalized(text) == self._normalized_text
        terms = self._terms(text)
        both = len(terms & self._own_terms)
        return both > 0 and both >= self.share * len(terms | self._own_terms)

    def query(self) -> str | None:
        """An index query that finds every document that may contain a match; None if the index cannot be used."""
        words: dict[str, str] = {}
        for term, _, _, word in get_analyser(self.language).tokens(self.text):
            words.setdefault(term, word)
        # As a rule, long words are rare words.
        longest = sorted(words.values(), key=lambda word: (-len(word), word))
        if self.share is None:
            query_words, link = longest[:_ALL_OF], " AND "
        else:
            # A match contains at least `needed` of the n words, so one of any n - needed + 1 words is in it.
            needed = math.ceil(self.share * len(longest) - 1e-9)
            query_words, link = longest[: len(longest) - max(1, needed) + 1], " OR "
        quoted = link.join('"' + word + '"' for word in query_words)
        query = f"text:({quoted})"
        fits = query_words and len(query_words) <= MAX_CLAUSES and len(query) <= MAX_QUERY_LENGTH
        return query if fits else None

    @cached_property
    def _normalized_text(self) -> str:
        return self._normalized(self.text)

    @cached_property
    def _own_terms(self) -> set[str]:
        return self._terms(self.text)

    def _normalized(self, text: str) -> str:
        joined = " ".join(text.split())
        return joined if self.case_sensitive else joined.casefold()

    def _terms(self, text: str) -> set[str]:
        return {term for term, *_ in get_analyser(self.language).tokens(text) if term}
