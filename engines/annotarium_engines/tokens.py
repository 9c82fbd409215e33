"""Tokens with code-point offsets, for any script, without a language model."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARKS = (  # combining marks that belong to the preceding letter; the `\w` of `re` does not match them
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    r"\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d"
)
_LETTERS = rf"(?:[^\W_][{_MARKS}]*)+"
_PATTERN = re.compile(
    rf"""
      (?: https?:// | www\. ) [^\s<>"']* [^\s<>"'.,;:!?)\]}}]   # web address, without the punctuation that follows it
    | [\w.+-]{{1,64}} @ [\w-]{{1,63}} (?: \. [\w-]{{1,63}} )+     # mail address, lengths bound the backtracking
    | [@\#] \w+                                                 # mention, hash tag
    | & \w{{2,6}} ;                                             # escaped character
    | [:;=] -? [()DPp] (?! \w )                                 # emoticon
    | \d+ (?: [.,:/] \d+ )+                                     # number, date, time
    | (?: [^\W\d_]{{1,2}} \. ){{2,}}                            # U.S., EE.UU.
    | {_LETTERS} (?: [._] (?= [a-z0-9] ) {_LETTERS} )*          # word, file and domain names
    | ([.!?*=~_-]) \1+                                          # run of one mark
    | [^\w\s] | _                                               # any other mark, symbol, emoji
    """,
    re.VERBOSE,
)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff]")


class Token(NamedTuple):
    """A token: `text == source[start:end]`."""

    start: int
    end: int
    text: str


def tokenize(text: str) -> list[Token]:
    """Return the tokens in order. In scripts written without spaces (Han, kana, Thai...) each character is a token."""
    tokens: list[Token] = []
    for match in _PATTERN.finditer(text):
        start, end = match.span()
        if _UNSPACED.match(match[0]):
            tokens.extend(Token(at, at + 1, text[at]) for at in range(start, end))
        else:
            tokens.append(Token(start, end, match[0]))
    return tokens


def starts_with_unspaced_script(text: str) -> bool:
    """Whether the first character belongs to a script written without spaces."""
    return _UNSPACED.match(text) is not None
