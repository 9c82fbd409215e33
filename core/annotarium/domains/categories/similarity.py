"""Which sentences or documents say the same as another one, or nearly the same: where a category can be copied to."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from annotarium.search.query.limits import MAX_CLAUSES, MAX_QUERY_LENGTH
from annotarium.search.text_analysis import get_analyser

_ALL_OF = 6
"""Words that are asked for together where all must be there: more make the answer no shorter."""


@dataclass(frozen=True)
class SimilarityCriterion:
    """What is looked for.

    Without `share`, the same text but for white space and, unless `case_sensitive`, capitals. With it, texts that share
    so much of their words (0..1: words in both, of all words in either), whatever their order and inflection.
    """

    text: str
    language: str
    case_sensitive: bool = False
    share: float | None = None

    def to_json(self) -> dict[str, Any]:
        """JSON values for the arguments of a job."""
        return asdict(self)

    def matches(self, text: str) -> bool:
        """Whether a text is like the one looked for. Two texts without words are never similar."""
        if self.share is None:
            return self._normalized(text) == self._normalized_text
        terms = self._terms(text)
        both = len(terms & self._own_terms)
        return both > 0 and both >= self.share * len(terms | self._own_terms)

    def query(self) -> str | None:
        """A query in the index that finds every document that may hold such a text; None: only reading can tell."""
        words: dict[str, str] = {}
        for term, _, _, word in get_analyser(self.language).tokens(self.text):
            words.setdefault(term, word)
        # Long words are rare words, as a rule.
        longest = sorted(words.values(), key=lambda word: (-len(word), word))
        if self.share is None:
            query_words, link = longest[:_ALL_OF], " AND "
        else:
            # Of n words a similar text has at least the share: among any n + 1 less those is one that it has.
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
