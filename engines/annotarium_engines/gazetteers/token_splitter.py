"""Splits terms and texts into the tokens that a dictionary compares; offsets are code points of the source text.

A token is a run of letters, digits and combining marks; a character, with its marks, of a script written without spaces
(Han, kana, Thai...); or any other visible character. `'s` and an empty line are one token each: an empty line belongs
to no term, so that no match crosses it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import accumulate
from typing import NamedTuple

UNSPACED_SCRIPTS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U000323af"
)
"""Ranges of a character class."""
INVISIBLE = "\u00ad\u034f\u200c\u200d\u2060\ufe00-\ufe0f\ufeff"
"""Characters without a shape of their own that may stand within a word."""
BREAK = "\n\n"
"""An empty line as a token: any token that begins with a line end stands for it."""


class SplitText(NamedTuple):
    """Token number `i` is `text[borders[2 * i] : borders[2 * i + 1]]`."""

    tokens: list[str]
    borders: list[int]


class TokenSplitter:
    """Splits texts.

    Attributes:
        ignore_hyphens: a hyphen between two words is no token, so that `T-cell` and `T cell` have the same tokens.
    """

    def __init__(self, *, ignore_hyphens: bool) -> None:
        self.ignore_hyphens = ignore_hyphens
        self._ascii, self._any = _patterns(ignore_hyphens)

    def split(self, text: str) -> SplitText:
        """Return the tokens of a text in order."""
        pattern = self._ascii if text.isascii() else self._any
        parts = pattern.split(text)
        return SplitText(parts[1::2], list(accumulate(map(len, parts))))


@cache
def _patterns(ignore_hyphens: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns for ASCII texts and for others; each has one group, the token."""
    marks = _combining_marks() + INVISIBLE
    no_hyphen = rf"(?!(?<=[\w{marks}])[-\u2010\u2011\u2013](?=\w)|(?<=\w )-(?= \w))" if ignore_hyphens else ""
    word = rf"(?:[^\W_{UNSPACED_SCRIPTS}]+|[{marks}]+)+"
    unspaced = rf"[{UNSPACED_SCRIPTS}][\uff9e\uff9f{marks}]*"
    return (
        re.compile(rf"(\n\s*\n|[A-Za-z0-9]+|'s(?!\w)|{no_hyphen}[^\w\s]|_)"),
        re.compile(rf"(\n\s*\n|\u2029|{unspaced}|{word}|['’]s(?!\w)|{no_hyphen}[^\w\s]|_)"),
    )


def _combining_marks() -> str:
    """Return the combining marks of the basic plane as ranges of a character class."""
    ranges: list[str] = []
    start = previous = -2
    for code in (*range(0x300, 0x3100), *range(0xA66F, 0xABEE), *range(0xFB1E, 0xFB1F), *range(0xFE20, 0xFE30)):
        if unicodedata.category(chr(code))[0] != "M":
            continue
        if code != previous + 1:
            if start >= 0:
                ranges.append(f"{chr(start)}-{chr(previous)}")
            start = code
        previous = code
    ranges.append(f"{chr(start)}-{chr(previous)}")
    return "".join(ranges)
