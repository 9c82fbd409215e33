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


def count_partial_matches(text: str, query: OccurrenceQuery, taken: Sequence[Span]) -> int:
    """Number of occurrences inside longer words that no taken span covers."""
    places = occurrences(text, replace(query, whole_words=False))
    return len(uncovered_spans((span for span in places if _splits_word(text, *span)), taken))


def occurrences(text: str, query: OccurrenceQuery) -> Iterator[Span]:
    """Yield the occurrences in order, in code points. They do not overlap and do not split grapheme clusters."""
    words, searched, kept = _searchable(text, query)
    position = 0
    while (found := searched.find(words, position)) >= 0:
        past = found + len(words)
        start, end = found, past
        if kept is not None:
            start, end = kept[found], kept[past] if past < len(kept) else len(text)
        if (
            _splits_character(text, start)
            or _splits_character(text, end)
            or (query.whole_words and _splits_word(text, start, end))
        ):
            position = found + 1
            continue
        yield start, end
        position = past


_ACCENTS = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
"""Accents of Latin, Greek and Cyrillic, points of Hebrew, harakat of Arabic: a range of a character class."""
_ACCENT = re.compile(f"[{_ACCENTS}]")
_ALIKE = ("'\u2018\u2019\u201b\u02bc", '"\u201c\u201d\u00ab\u00bb', "-\u2010\u2011\u2012\u2013\u2014")


def _without_accents(character: str) -> str:
    """The letter without its accents, empty for an accent; syllables and other marks stay as they are."""
    bare = _ACCENT.sub("", unicodedata.normalize("NFD", character))
    return bare if len(bare) <= 1 else character


_REMOVED = re.compile(f"[{_ACCENTS}\u00ad]|(?<=\\s)\\s")
_ONE_CASE = str.maketrans("\u0130\u0131\u017f\u03c2\u00b5", "iis\u03c3\u03bc")
"""Characters that are equal in another case, but that `str.lower` does not make equal."""


@cache
def _folded_characters() -> dict[int, str]:
    """What a character is compared as when accents, kinds of quotation marks and of white space do not count."""
    folded = {ord(character): group[0] for group in _ALIKE for character in group}
    for code in (*range(0xC0, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2000)):
        letter = _without_accents(chr(code))
        if len(letter) == 1 and letter != chr(code):
            folded[code] = letter
    return folded | {code: " " for code in range(0x3001) if chr(code).isspace()}


def _searchable(text: str, query: OccurrenceQuery) -> tuple[str, str, list[int] | None]:
    """The words and the text in a form in which equal means found, and the place of each of its characters in the text;
    None where both have the same places.

    A plain search takes a time that grows with the length of the text only, a regular expression one that grows with
    the product of both lengths.
    """
    words, searched = query.text, text
    kept: list[int] | None = None
    folded = _REMOVED.sub("", " ".join(words.split())) if query.fold_accents else ""
    if folded:
        words = "".join(map(_without_accents, folded)).translate(_folded_characters())
        removed = {match.start() for match in _REMOVED.finditer(text)}
        if removed:
            kept = [place for place in range(len(text)) if place not in removed]
            searched = "".join([text[place] for place in kept])
        searched = searched.translate(_folded_characters())
    if not query.case_sensitive:
        words, searched = words.translate(_ONE_CASE).lower(), searched.translate(_ONE_CASE).lower()
        words, searched = words.translate(_ONE_CASE), searched.translate(_ONE_CASE)
    return words, searched, kept


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
