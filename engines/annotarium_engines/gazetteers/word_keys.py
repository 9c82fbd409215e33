"""Keys of tokens: two tokens match if their keys are equal. Terms and texts go through the same function."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from annotarium_engines.gazetteers.plurals import singular_rule
from annotarium_engines.gazetteers.token_splitter import INVISIBLE, UNSPACED_SCRIPTS
from annotarium_engines.topics.vocabulary import STEMMERS

Variants = Literal["none", "plural", "stem"]
VARIANTS: tuple[Variants, ...] = ("none", "plural", "stem")

_INVISIBLE = re.compile(f"[\u200b{INVISIBLE}]")
_UNSPACED = re.compile(f"[{UNSPACED_SCRIPTS}]")
_DIACRITICS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
)
"""Marks that may be left out in writing; the vowel signs of Indic scripts and the marks of kana are none of them."""
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ħ": "h",
     "Ħ": "H", "ı": "i", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
)  # fmt: skip
_SAME_SIGNS = str.maketrans({"’": "'", "ʼ": "'", "‘": "'", "‐": "-", "‑": "-", "−": "-"})


class KeyRule(NamedTuple):
    """How words are compared."""

    case_sensitive: bool
    fold_diacritics: bool
    variants: Variants


class WordKeys:
    """Computes keys for one rule and language."""

    def __init__(self, rule: KeyRule, language: str) -> None:
        self.rule = rule
        self._reduce = _reduction(rule.variants, language)

    def key(self, token: str) -> str:
        """Return the key of a token, empty if the token is to be ignored."""
        written = normalize(token)
        if self.rule.fold_diacritics and not written.isascii():
            written = fold_diacritics(written)
        if not written or written.isspace():
            return ""
        if written in ("'s", "'S") and self._reduce is not None:
            return ""
        lowered = casefold(written)
        reduced = lowered
        if self._reduce is not None and lowered[0].isalpha() and not _UNSPACED.match(lowered):
            reduced = self._reduce(lowered) or lowered
        if not self.rule.case_sensitive:
            return reduced
        return written if is_upper(written) else _with_case(written, lowered, reduced)


def normalize(token: str) -> str:
    """Return a token in NFKC, without invisible characters, with plain apostrophes and hyphens."""
    if token.isascii():
        return token
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", token)).translate(_SAME_SIGNS)


def casefold(text: str) -> str:
    """Return normalised text without case; its length may differ from that of the text."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text.casefold())


def fold_diacritics(text: str) -> str:
    """Return text without diacritics. In scripts where a mark makes another letter, it stays."""
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFKD", text)).translate(_PLAIN_LETTERS)
    return unicodedata.normalize("NFKC", bare)


def is_upper(text: str) -> bool:
    """Whether the text has at least two cased letters and all of them are capitals."""
    return text.isupper() and sum(char.isupper() for char in text) > 1


def _with_case(written: str, lowered: str, reduced: str) -> str:
    """Return the reduced word with the capitals of the written one."""
    if reduced == lowered:
        return written
    if len(written) != len(lowered):
        return reduced
    same = next((at for at, (one, other) in enumerate(zip(lowered, reduced, strict=False)) if one != other), None)
    length = min(len(lowered), len(reduced)) if same is None else same
    return written[:length] + reduced[length:]


def _reduction(variants: Variants, language: str) -> Callable[[str], str] | None:
    """Return the function that maps a word to what its variants share; None if there is none for the language."""
    if variants == "none":
        return None
    if variants == "plural":
        singular = singular_rule(language)
        if singular is not None:
            return singular
    return stemmer(language)


def stemmer(language: str) -> Callable[[str], str] | None:
    """Return the stemmer of a language, None if there is none."""
    name = STEMMERS.get(language)
    if name is None:
        return None
    import Stemmer

    if name not in Stemmer.algorithms():
        return None
    made: Any = Stemmer.Stemmer(name, 0)
    stem: Callable[[str], str] = made.stemWord
    return stem
