"""Words of questions and passages: case-folded, stemmed, without question words and stop words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from annotarium_engines.tokens import starts_with_unspaced_script, tokenize
from annotarium_engines.topics.stop_words import stop_words

LONGEST_QUESTION = 2000
"""Code points of a question that are read."""
_STEMMERS = {
    "ar": "arabic", "de": "german", "en": "english", "es": "spanish", "fr": "french", "hi": "hindi", "it": "italian",
    "nl": "dutch", "pt": "portuguese", "ru": "russian",
}  # fmt: skip


@lru_cache(maxsize=16)
def _stemmer(language: str) -> Callable[[str], str]:
    name = _STEMMERS.get(language[:2].lower())
    if name is None:
        return str
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer(name, 0).stemWord
    return stem if name in Stemmer.algorithms() else str


def words(text: str, language: str) -> list[str]:
    """Return the stems of a text in order; scripts without spaces give pairs of characters."""
    stem = _stemmer(language)
    found: list[str] = []
    before, end = "", -1
    for token in tokenize(text):
        if starts_with_unspaced_script(token.text):
            if end == token.start:
                found.append(before + token.text)
            before, end = token.text, token.end
        elif token.text[0].isalnum():
            found.append(stem(token.text.casefold()))
    return found


def content_tokens(question: str, language: str) -> list[str]:
    """Return the words of a question as they are written, without stop words; all words if nothing is left."""
    ignored = stop_words(language[:2].lower())
    tokens = [token.text for token in tokenize(question[:LONGEST_QUESTION]) if token.text[0].isalnum()]
    return [token for token in tokens if token.casefold() not in ignored] or tokens


def content_words(question: str, language: str) -> list[str]:
    """Return the distinct stems of the content words of a question, in order."""
    if any(starts_with_unspaced_script(char) for char in question[:LONGEST_QUESTION]):
        return list(dict.fromkeys(words(question[:LONGEST_QUESTION], language)))
    return list(dict.fromkeys(words(" ".join(content_tokens(question, language)), language)))


def weights(question: Sequence[str], texts: Iterable[set[str]]) -> dict[str, float]:
    """Return the inverse document frequency of each question word within `texts`."""
    given = list(texts)
    return {word: math.log(1 + (len(given) + 1) / (0.5 + sum(word in text for text in given))) for word in question}


def share(weight: dict[str, float], text: set[str]) -> float:
    """Return the weighted share (0..1) of the question words that `text` contains."""
    total = sum(weight.values())
    return sum(value for word, value in weight.items() if word in text) / total if total else 0.0
