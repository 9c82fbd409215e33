"""Tokens of the advanced language, with their positions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "phrase", "range", "regex", "field", "(", ")", "+", "-", "and", "or", "not", "^", "~", "end"]

_FIELD = re.compile(r"((?:[^\W]|[.\-$@/]|\\.)+(?:\([^()\s:\"]*\))?):(?=\S)", re.DOTALL)
_RANGE = re.compile(r"([\[{])\s*(\"[^\"]*\"|\S+?)\s+TO\s+(\"[^\"]*\"|\S+?)\s*([\]}])")
_EVERYTHING = re.compile(r"\*:\*(?![^\s()^])")
_MISSING = re.compile(r"[^\s()\":\\]+:(?=\s|\)|$)")
_COMPARE = re.compile(r"(>=|<=|>(?!=)|<(?!=))(\"[^\"]*\"|[^\s()\"^~]+)")
_PHRASE = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_REGEX = re.compile(r"/((?:[^/\\]|\\.)*)/", re.DOTALL)
_WORD = re.compile(r'(?:\\.|[^\s()"\[\]{}^~\\:])+', re.DOTALL)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_OPERATORS: dict[str, Kind] = {"AND": "and", "&&": "and", "OR": "or", "||": "or", "NOT": "not", "!": "not"}


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `value` is raw (escapes included) for words and expressions; `parts` = (open, low, high, close)."""

    kind: Kind
    value: str
    start: int
    parts: tuple[str, str, str, str] = ("", "", "", "")


class LexicalError(ValueError):
    """The query contains something that is not a token, or breaks a rule, at a position."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


def unescape(raw: str) -> str:
    """Return the text without escaping backslashes."""
    return re.sub(r"\\(.)", r"\1", raw, flags=re.DOTALL)


def tokenize_query(query: str) -> list[Token]:
    """Return the tokens of an advanced query, followed by an `end` token.

    Raises:
        LexicalError: an unclosed quote, range or regular expression, or an unmatched bracket.
    """
    found: list[Token] = []
    position = 0
    while position < len(query):
        if query[position].isspace():
            position += 1
            continue
        token, position = _next(query, position, found[-1].kind if found else "end")
        found.append(token)
    found.append(Token("end", "", len(query)))
    return found


def _next(query: str, at: int, before: Kind) -> tuple[Token, int]:
    letter = query[at]
    if letter == '"':
        return _phrase(query, at)
    if letter == "/":
        return _regex(query, at)
    if letter in "[{":
        return _range(query, at)
    if before == "field" and letter in "<>" and (match := _COMPARE.match(query, at)):
        return _comparison(match, at), match.end()
    if letter in "()":
        return Token("(" if letter == "(" else ")", letter, at), at + 1
    if letter in "^~":
        match = _NUMBER.match(query, at + 1)
        return Token(
            "^" if letter == "^" else "~", match.group() if match else "", at
        ), match.end() if match else at + 1
    if letter in "+-!" and query[at + 1 : at + 2].strip():
        return Token("not" if letter == "!" else ("+" if letter == "+" else "-"), letter, at), at + 1
    if before != "field" and (match := _FIELD.match(query, at)):
        return Token("field", unescape(match.group(1)), at), match.end()
    if before != "field" and (match := _EVERYTHING.match(query, at)):
        return Token("word", "*", at), match.end()
    if before != "field" and (match := _MISSING.match(query, at)):
        raise LexicalError(f"a value is missing after {match.group()}", match.end())
    return _word(query, at)


def _word(query: str, at: int) -> tuple[Token, int]:
    match = _WORD.match(query, at)
    if not match:
        raise LexicalError(f"'{query[at]}' cannot stand here; write \\{query[at]} to search for it", at)
    raw = match.group()
    return Token(_OPERATORS.get(raw, "word"), raw, at), match.end()


def _phrase(query: str, at: int) -> tuple[Token, int]:
    match = _PHRASE.match(query, at)
    if not match:
        raise LexicalError("the quote is never closed", at)
    return Token("phrase", unescape(match.group(1)), at), match.end()


def _regex(query: str, at: int) -> tuple[Token, int]:
    match = _REGEX.match(query, at)
    if not match:
        raise LexicalError("the regular expression is never closed; write \\/ to search for a slash", at)
    if query[match.end() : match.end() + 1].strip(" \t\r\n)^"):
        raise LexicalError("a regular expression ends at its second /; write \\/ for a slash", match.end())
    return Token("regex", match.group(1), at), match.end()


def _range(query: str, at: int) -> tuple[Token, int]:
    match = _RANGE.match(query, at)
    if not match:
        raise LexicalError("a range is written [low TO high]", at)
    opened, low, high, closed = match.groups()
    return Token("range", match.group(), at, (opened, low.strip('"'), high.strip('"'), closed)), match.end()


def _comparison(match: re.Match[str], at: int) -> Token:
    sign, value = match.group(1), match.group(2).strip('"')
    bracket = "[" if "=" in sign else "{"
    close = "]" if "=" in sign else "}"
    parts = (bracket, value, "*", "]") if sign[0] == ">" else ("[", "*", value, close)
    return Token("range", match.group(), at, parts)
