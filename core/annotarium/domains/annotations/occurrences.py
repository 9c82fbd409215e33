"""Occurrences of a text to which an annotation can be copied."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import accumulate
from typing import Any

from annotarium.search.text_analysis import is_unspaced_script

Span = tuple[int, int]
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class OccurrenceQuery:
    """The text to look for, exactly or ignoring case; with `whole_words` not inside longer words.

    With `fold_accents`, accents and kinds of quotation marks are ignored, and any white space equals any other.
    """

    text: str
    whole_words: bool = True
    case_sensitive: bool = True
    fold_accents: bool = False

    def to_json(self) -> dict[str, Any]:
        """JSON values for the arguments of a job."""
        return asdict(self)


def count_inside_words(text: str, query: OccurrenceQuery, taken: Sequence[Span]) -> int:
    """Number of occurrences inside longer words that no taken span covers."""
    places = occurrences(text, replace(query, whole_words=False))
    return len(uncovered_spans((span for span in places if _splits_word(text, *span)), taken))


def occurrences(text: str, query: OccurrenceQuery) -> Iterator[Span]:
    """Yield the occurrences in order, in code points. They do not overlap and do not split grapheme clusters."""
    flags = 0 if query.case_sensitive else re.IGNORECASE
    folded = _folding_pattern(query.text) if query.fold_accents else ""
    pattern = re.compile(folded or re.escape(query.text), flags)
    position = 0
    while found := pattern.search(text, position):
        start, end = found.span()
        if (
            _splits_character(text, start)
            or _splits_character(text, end)
            or (query.whole_words and _splits_word(text, start, end))
        ):
            position = start + 1
            continue
        yield start, end
        position = end


_ACCENTS = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
"""Accents of Latin, Greek and Cyrillic, points of Hebrew, harakat of Arabic: a range of a character class."""
_ACCENT = re.compile(f"[{_ACCENTS}]")
_ALIKE = ("'\u2018\u2019\u201b\u02bc", '"\u201c\u201d\u00ab\u00bb', "-\u2010\u2011\u2012\u2013\u2014")
_SAME = {character: group for group in _ALIKE for character in group}
"""Characters that people type for each other."""


def _without_accents(character: str) -> str:
    """The letter without its accents, empty for an accent; syllables and other marks stay as they are."""
    bare = _ACCENT.sub("", unicodedata.normalize("NFD", character))
    return bare if len(bare) <= 1 else character


@cache
def _accented_variants() -> dict[str, str]:
    """The precomposed characters of a letter without accents."""
    variants: dict[str, str] = {}
    for code in (*range(0xC0, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2000)):
        letter = _without_accents(chr(code))
        if len(letter) == 1 and letter != chr(code):
            variants[letter] = variants.get(letter, "") + chr(code)
    return variants


def _folding_pattern(text: str) -> str:
    parts: list[str] = []
    for word in text.split():
        letters = []
        for character in "".join(map(_without_accents, word)):
            same = _SAME.get(character, character) + _accented_variants().get(character, "")
            letters.append(f"[{re.escape(same)}][{_ACCENTS}\u00ad]*")
        parts.append("".join(letters))
    return r"\s+".join(parts)


def _splits_character(text: str, position: int) -> bool:
    """Whether the position is inside a grapheme cluster: a letter with its accents, joined emoji, CR LF."""
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    if after.isascii():
        return before == "\u200d" or (before, after) == ("\r", "\n")
    return _extends_previous_character(after) or before == "\u200d"


def _extends_previous_character(character: str) -> bool:
    return (
        character in _JOINERS
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or unicodedata.category(character) in ("Mn", "Me", "Mc")
    )


def _splits_word(text: str, start: int, end: int) -> bool:
    return _inside_word(text, start) or _inside_word(text, end)


def _inside_word(text: str, position: int) -> bool:
    """Whether the position is inside a word; never in scripts written without spaces."""
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    if not (_is_word_character(before) and _is_word_character(after)):
        return False
    return not (is_unspaced_script(before) or is_unspaced_script(after))


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_" or _extends_previous_character(character)


def uncovered_spans(positions: Iterable[Span], taken: Sequence[Span]) -> list[Span]:
    """The spans that no taken span covers entirely."""
    ordered = sorted(taken)
    starts = [start for start, _ in ordered]
    ends = list(accumulate((end for _, end in ordered), max))
    found = []
    for start, end in positions:
        before = bisect_right(starts, start)
        if before == 0 or ends[before - 1] < end:
            found.append((start, end))
    return found
