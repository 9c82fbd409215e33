"""Splits texts into word pieces of uncased BERT models, like their own tokenizer."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_LONGEST_WORD = 100
_CACHED = 100_000
_IDEOGRAPHS = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2EBEF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))


class WordPieceTokenizer:
    """Splits texts with one vocabulary (piece -> number)."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._vocabulary = vocabulary
        self._unknown = vocabulary["[UNK]"]
        self._first, self._last = vocabulary["[CLS]"], vocabulary["[SEP]"]
        self._pieces = lru_cache(maxsize=_CACHED)(self._cut)

    def encode(self, text: str, longest: int) -> list[int]:
        """Return the word pieces of a text between start and end tokens, at most `longest` numbers."""
        found: list[int] = [self._first]
        for word in basic_tokenize(text):
            found += self._pieces(word)
            if len(found) >= longest:
                break
        return [*found[: longest - 1], self._last]

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        word_pieces: list[int] = []
        start = 0
        while start < len(word):
            end = len(word)
            while end > start:
                piece = word[start:end] if start == 0 else f"##{word[start:end]}"
                if piece in self._vocabulary:
                    word_pieces.append(self._vocabulary[piece])
                    break
                end -= 1
            if end == start:
                return (self._unknown,)
            start = end
        return tuple(word_pieces)


def basic_tokenize(text: str) -> list[str]:
    """Return lower-case words without accents; punctuation and ideographs are separate."""
    plain = unicodedata.normalize("NFD", text.lower())
    return "".join(map(_normalize_character, plain)).split()


@lru_cache(maxsize=50_000)
def _normalize_character(character: str) -> str:
    category = unicodedata.category(character)
    code = ord(character)
    if character.isspace():
        return " "
    if category == "Mn" or code in (0, 0xFFFD) or category.startswith("C"):
        return ""
    marks = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    if marks or category.startswith("P") or any(low <= code <= high for low, high in _IDEOGRAPHS):
        return f" {character} "
    return character
