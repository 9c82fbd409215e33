"""Where else a text says the same: places that an annotation can be copied to."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any

from annotarium.search.analysis import is_paired

Span = tuple[int, int]
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class Wanted:
    """What is looked for: exactly this text; with `whole_words` not inside of longer words."""

    text: str
    whole_words: bool = True
    case_sensitive: bool = True

    def to_json(self) -> dict[str, Any]:
        """JSON values for the arguments of a job."""
        return asdict(self)


def occurrences(text: str, wanted: Wanted) -> Iterator[Span]:
    """The places in order, code points, none touching the one before; letters and signs are never cut in two."""
    flags = 0 if wanted.case_sensitive else re.IGNORECASE
    pattern = re.compile(re.escape(wanted.text), flags)
    at = 0
    while found := pattern.search(text, at):
        start, end = found.span()
        if _cuts_sign(text, start) or _cuts_sign(text, end) or (wanted.whole_words and _cuts_word(text, start, end)):
            at = start + 1
            continue
        yield start, end
        at = end


def _cuts_sign(text: str, at: int) -> bool:
    """Whether what is before and after belongs to one sign: a letter with its accents, joined emoji, CR LF."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if after.isascii():
        return before == "\u200d" or (before, after) == ("\r", "\n")
    return _extends(after) or before == "\u200d"


def _extends(sign: str) -> bool:
    return sign in _JOINERS or "\U0001f3fb" <= sign <= "\U0001f3ff" or unicodedata.category(sign) in ("Mn", "Me", "Mc")


def _cuts_word(text: str, start: int, end: int) -> bool:
    return _inside_word(text, start) or _inside_word(text, end)


def _inside_word(text: str, at: int) -> bool:
    """Whether a word goes on across this place; scripts written without spaces have no such places."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if not (_is_of_word(before) and _is_of_word(after)):
        return False
    return not (is_paired(before) or is_paired(after))


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_" or _extends(sign)


def uncovered(places: Iterable[Span], taken: Sequence[Span]) -> list[Span]:
    """Those of the places that no taken span covers as a whole."""
    ordered = sorted(taken)
    starts = [start for start, _ in ordered]
    ends = list(accumulate((end for _, end in ordered), max))
    found = []
    for start, end in places:
        before = bisect_right(starts, start)
        if before == 0 or ends[before - 1] < end:
            found.append((start, end))
    return found
