r"""Parser for regular expressions of the advanced query language, in Lucene's syntax.

Letters and signs, `.` any character, `[a-z]` `[^a-z]`, `\d \w \s` and their opposites, `( )`, `|`, `&` (both), `~`
(not), `? * + {2} {2,} {2,3}`, `"..."` (literal), `<1-20>` (a number), `@` (anything), `#` (nothing), `\` before a sign
makes it literal. An expression matches whole words only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from annotarium.search.query.lexer import LexicalError
from annotarium.search.query.limits import MAX_DEPTH, MAX_REGEX_LENGTH
from annotarium.search.text_analysis import fold_case_and_accents

LAST_CODE = sys.maxunicode
MAX_REPEATS = 1_000
_FOLDED_RANGE = 0x250
_SIGNS = '|&?*+{}~[].#@"()<>\\^-/'

Ranges = tuple[tuple[int, int], ...]
"""Ranges of code points, both ends included, ascending and not adjacent."""


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """One character of a set."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Concatenation:
    """The parts in order; without parts, the empty text."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """One of the parts; without parts it matches nothing."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Intersection:
    """A text that matches all of the parts."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Complement:
    """A text that does not match the part."""

    part: Expression


@dataclass(frozen=True, slots=True)
class Repeat:
    """The part `low` to `high` times (None: any number)."""

    part: Expression
    low: int
    high: int | None


Expression = CharacterSet | Concatenation | Alternation | Intersection | Complement | Repeat

_ANY = CharacterSet(((0, LAST_CODE),))
_SETS = {
    "d": ((ord("0"), ord("9")),),
    "s": ((9, 10), (13, 13), (32, 32)),
    "w": ((ord("0"), ord("9")), (ord("A"), ord("Z")), (ord("_"), ord("_")), (ord("a"), ord("z"))),
}


@lru_cache(maxsize=256)
def parse_regex(pattern: str, folded: bool) -> Expression:
    """Parse a regular expression.

    Args:
        pattern: the text between the slashes.
        folded: compare letters with words as indexed, without case and accents; else exactly.

    Raises:
        LexicalError: with the position in the pattern.
    """
    if len(pattern) > MAX_REGEX_LENGTH:
        raise LexicalError(f"a regular expression longer than {MAX_REGEX_LENGTH} characters", MAX_REGEX_LENGTH)
    return _RegexParser(pattern, folded).read()


class _RegexParser:
    """Recursive-descent parser over the characters."""

    def __init__(self, pattern: str, folded: bool) -> None:
        self._pattern = pattern
        self._folded = folded
        self._at = 0
        self._depth = 0

    def read(self) -> Expression:
        found = self._either()
        if self._at < len(self._pattern):
            raise LexicalError(f"'{self._peek()}' closes nothing in the regular expression", self._at)
        return found

    def _peek(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self, sign: str) -> bool:
        if self._peek() != sign:
            return False
        self._at += 1
        return True

    def _either(self) -> Expression:
        parts = [self._both()]
        while self._take("|"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Alternation(tuple(parts))

    def _both(self) -> Expression:
        parts = [self._sequence()]
        while self._take("&"):
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else Intersection(tuple(parts))

    def _sequence(self) -> Expression:
        parts: list[Expression] = []
        while self._peek() and self._peek() not in "|&)":
            parts.append(self._repeated())
        return parts[0] if len(parts) == 1 else Concatenation(tuple(parts))

    def _repeated(self) -> Expression:
        part, begun = self._negated(), self._at
        for times in range(MAX_DEPTH + 1):
            if not self._peek() or self._peek() not in "?*+{":
                return part
            if times == MAX_DEPTH:
                break
            low, high = self._times()
            part = Repeat(part, low, high)
        raise LexicalError("too many repetitions of one another", begun)

    def _times(self) -> tuple[int, int | None]:
        sign, begun = self._peek(), self._at
        self._at += 1
        if sign != "{":
            return {"?": (0, 1), "*": (0, None), "+": (1, None)}[sign]
        low = self._number()
        high: int | None = low
        if self._take(","):
            high = None if self._peek() == "}" else self._number()
        if not self._take("}"):
            raise LexicalError("a repetition is written {2}, {2,} or {2,3}", begun)
        if low > MAX_REPEATS or (high is not None and not low <= high <= MAX_REPEATS):
            raise LexicalError(f"a repetition has the smaller number first and goes up to {MAX_REPEATS}", begun)
        return low, high

    def _number(self) -> int:
        begun = self._at
        while self._peek() and self._peek() in "0123456789":
            self._at += 1
        if not 0 < self._at - begun < 10:
            raise LexicalError("a number is missing in the regular expression", begun)
        return int(self._pattern[begun : self._at])

    def _negated(self) -> Expression:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise LexicalError(f"more than {MAX_DEPTH} nested brackets", self._at)
        found: Expression = Complement(self._negated()) if self._take("~") else self._single()
        self._depth -= 1
        return found

    def _single(self) -> Expression:
        begun, sign = self._at, self._peek()
        if not sign or sign in "?*+{}":
            raise LexicalError(f"nothing stands before '{sign}' to be repeated" if sign else _ENDED, begun)
        self._at += 1
        if sign == ".":
            return _ANY
        if sign == "@":
            return Repeat(_ANY, 0, None)
        if sign == "#":
            return Alternation(())
        if sign == "(":
            return self._group(begun)
        if sign == "[":
            return self._set(begun)
        if sign == "<":
            return self._interval(begun)
        if sign == '"':
            return self._quoted(begun)
        if sign == "\\":
            return self._escaped(begun)
        return self._literal(sign)

    def _group(self, begun: int) -> Expression:
        found = self._either()
        if not self._take(")"):
            raise LexicalError("the bracket of the regular expression is never closed", begun)
        return found

    def _quoted(self, begun: int) -> Expression:
        end = self._pattern.find('"', self._at)
        if end < 0:
            raise LexicalError("the quote of the regular expression is never closed", begun)
        text, self._at = self._pattern[self._at : end], end + 1
        return Concatenation(tuple(map(self._literal, text)))

    def _escaped(self, begun: int) -> Expression:
        sign = self._peek()
        if not sign:
            raise LexicalError(_ENDED, begun)
        self._at += 1
        if sign.lower() in _SETS:
            ranges = _SETS[sign.lower()]
            return CharacterSet(_complement_ranges(ranges) if sign.isupper() else ranges)
        return self._literal(sign)

    def _literal(self, letter: str) -> Expression:
        kept = (fold_case_and_accents(letter) or letter) if self._folded else letter
        letters = tuple(CharacterSet(((ord(one), ord(one)),)) for one in kept)
        return letters[0] if len(letters) == 1 else Concatenation(letters)

    def _set(self, begun: int) -> Expression:
        opposite = self._take("^")
        ranges: list[tuple[int, int]] = []
        while self._peek() and (self._peek() != "]" or not ranges):
            ranges += self._span(begun)
        if not self._take("]"):
            raise LexicalError("the set of characters is never closed", begun)
        joined = _join_ranges(ranges)
        return CharacterSet(_complement_ranges(joined) if opposite else joined)

    def _span(self, begun: int) -> Iterable[tuple[int, int]]:
        if self._peek() == "\\" and self._pattern[self._at + 1 : self._at + 2].lower() in tuple(_SETS):
            self._at += 1
            found = self._escaped(begun)
            assert isinstance(found, CharacterSet)
            return found.ranges
        first = last = self._member(begun)
        if self._peek() == "-" and self._pattern[self._at + 1 : self._at + 2] not in ("]", ""):
            self._at += 1
            last = self._member(begun)
        if last < first:
            raise LexicalError("a range of characters goes from the smaller to the greater", begun)
        if not self._folded:
            return [(first, last)]
        if last - first > _FOLDED_RANGE:
            return [(first, last)]
        kept = (fold_case_and_accents(chr(code)) or chr(code) for code in range(first, last + 1))
        return [(ord(one), ord(one)) for one in kept if len(one) == 1]

    def _member(self, begun: int) -> int:
        self._take("\\")
        if not self._peek():
            raise LexicalError("the set of characters is never closed", begun)
        self._at += 1
        return ord(self._pattern[self._at - 1])

    def _interval(self, begun: int) -> Expression:
        low_text, dash, high_text = self._pattern[self._at :].partition(">")[0].partition("-")
        end = self._pattern.find(">", self._at)
        numbers = [text for text in (low_text, high_text) if text.isascii() and text.isdigit() and len(text) < 10]
        if end < 0 or not dash or len(numbers) != 2 or int(low_text) > int(high_text):
            raise LexicalError("a number between two is written <1-20>", begun)
        self._at = end + 1
        width = len(low_text) if len(low_text) == len(high_text) else 0
        return _number_range_expression(int(low_text), int(high_text), width)


_ENDED = "the regular expression ends too early"


def _number_range_expression(low: int, high: int, width: int) -> Expression:
    """Return an expression for numbers from `low` to `high` with `width` digits; 0 = any number of leading zeros."""
    blocks = []
    while low <= high:
        size = 1
        while low % (size * 10) == 0 and low + size * 10 - 1 <= high:
            size *= 10
        lead = low // size
        step = min(9 - lead % 10, (high + 1 - low) // size - 1)
        blocks.append((lead, step, len(str(size)) - 1))
        low += (step + 1) * size
    return Alternation(tuple(_digit_block_expression(lead, step, free, width) for lead, step, free in blocks))


def _digit_block_expression(lead: int, step: int, free: int, width: int) -> Expression:
    """Return an expression for `lead` and the `step` numbers after it, followed by `free` digits."""
    text = str(lead).rjust(max(0, width - free), "0")
    before = tuple(CharacterSet(((ord(one), ord(one)),)) for one in text[:-1])
    digit = CharacterSet(((ord(text[-1]), ord(text[-1]) + step),))
    zeros: tuple[Expression, ...] = () if width else (Repeat(CharacterSet(((48, 48),)), 0, None),)
    return Concatenation((*zeros, *before, digit, *([CharacterSet(_SETS["d"])] * free)))


def _join_ranges(ranges: Iterable[tuple[int, int]]) -> Ranges:
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(joined[-1][1], high)
        else:
            joined.append((low, high))
    return tuple(joined)


def _complement_ranges(ranges: Ranges) -> Ranges:
    """Return the ranges of all other characters."""
    ends = [(-1, -1), *_join_ranges(ranges), (LAST_CODE + 1, LAST_CODE + 1)]
    pairs = pairwise(ends)
    return tuple((high + 1, low - 1) for (_, high), (low, _) in pairs if high + 1 <= low - 1)


def to_lucene_regex(expression: Expression) -> str:
    """Return the expression in Lucene's syntax with all its options enabled; equal expressions give equal strings."""
    if isinstance(expression, CharacterSet):
        return _character_set_to_lucene(expression.ranges)
    if isinstance(expression, Concatenation):
        return "".join(map(to_lucene_regex, expression.parts)) if expression.parts else "()"
    if isinstance(expression, Alternation):
        return f"({'|'.join(map(to_lucene_regex, expression.parts))})" if expression.parts else "#"
    if isinstance(expression, Intersection):
        return f"({'&'.join(f'({to_lucene_regex(part)})' for part in expression.parts)})"
    if isinstance(expression, Complement):
        return f"(~({to_lucene_regex(expression.part)}))"
    high = "" if expression.high is None else str(expression.high)
    return f"({to_lucene_regex(expression.part)}){{{expression.low},{high}}}"


def _character_set_to_lucene(ranges: Ranges) -> str:
    if ranges == _ANY.ranges:
        return "."
    if not ranges:
        return "#"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return escape_letter_for_lucene(ranges[0][0])
    spans = (
        escape_letter_for_lucene(low) + (f"-{escape_letter_for_lucene(high)}" if high > low else "")
        for low, high in ranges
    )
    return f"[{''.join(spans)}]"


def escape_letter_for_lucene(code: int) -> str:
    """Return a character, escaped where it is an operator."""
    if 0xD800 <= code <= 0xDFFF:  # surrogates occur in no text and cannot be sent
        code = 0xE000
    letter = chr(code)
    return f"\\{letter}" if letter in _SIGNS else letter
