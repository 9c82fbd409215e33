"""Segmenter `rule_sentence`: sentences by rules, in one pass over the text, for all languages of the studio."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from pydantic import Field

from annotarium_plugins.base.segmenter import Segmenter
from annotarium_plugins.builtin.segmenters._abbreviations import never_final, often_inside, starters
from annotarium_plugins.builtin.segmenters._ranges import Range, limited
from annotarium_plugins.parameters import Parameters, hint

_SPACED = ".!?…؟۔‼⁇⁈⁉"
_UNSPACED = "。！？．｡।॥"
_BREAKS = {
    "always": r"[\r\n\u2028\u2029]++",
    "blank_line": r"(?:\r\n?|\n)[^\S\r\n]*+[\r\n]\s*+|\u2029",
    "never": r"(?!)",
}
_LIST_ITEM = r"\n(?=[^\S\n]{0,8}(?:\d{1,3}[.)]|[-•*–])[^\S\n])"
_AHEAD = re.compile(r"\s*+[-–—•\"'“”‘’«»‹›„(\[{¿¡*]*+\s*+(\w*+)")
_WORD = re.compile(r"\w")
_OPENING = "([{（「『【《〈"
_BRACKET_REACH = 400
"""An opening bracket further back than this was not meant to be closed."""


@lru_cache(maxsize=6)
def _tokens(newlines: str, quotes_nest: bool) -> re.Pattern[str]:
    """The marks a sentence may end at. Where `quotes_nest`, curly quotes hold sentences together as brackets do."""
    opening, closing = ("“", "”") if quotes_nest else ("", "")
    closers = r"[\"'’”»›«“‘)\]}]|[ \u00a0\u202f][»›]|\[[^\[\]\n]{1,40}+\]"
    return re.compile(
        rf"(?P<break>{_BREAKS[newlines]}|{_LIST_ITEM if newlines != 'never' else '(?!)'})"
        rf"|(?P<unspaced>[{_UNSPACED}][{_UNSPACED}{_SPACED}]*+)(?P<after>[」』）】》〉”’\"')\]]*+(?:\[[^\[\]\n]{{1,40}}+\])*+)"
        rf"|(?P<spaced>[{_SPACED}]++)(?P<closers>(?:{closers})*+)(?=\s|\Z|[\[(])"
        rf"|(?P<open>[(\[{{（「『【《〈{opening}])|(?P<close>[)\]}}）」』】》〉{closing}])"
    )


class RuleSentenceSegmenterParameters(Parameters):
    """Parameters of `rule_sentence`."""

    newlines: Literal["blank_line", "always", "never"] = Field(
        "blank_line",
        title="Line breaks",
        description="Which line breaks end a sentence: those of an empty line, all, or none.",
    )
    max_length: int = Field(
        10_000,
        ge=50,
        le=1_000_000,
        title="Longest sentence",
        description="A longer one is cut at white space.",
        json_schema_extra=hint(advanced=True, unit="characters"),
    )


class RuleSentenceSegmenter(Segmenter[RuleSentenceSegmenterParameters]):
    """Full stops that belong to abbreviations, initials, numbers or brackets do not end a sentence."""

    title = "Sentences"
    description = "Each sentence is one segment. Fast, for all languages."
    parameters_model = RuleSentenceSegmenterParameters
    version = "1"

    def segment(self, text: str, language: str) -> list[tuple[int, int]]:
        """Ranges of the sentences. Linear in the length of the text."""
        pieces = _with_words(text, self._pieces(text, _Rules.of(language)))
        return list(limited(text, pieces, self.parameters.max_length))

    def _pieces(self, text: str, rules: _Rules) -> Iterator[Range]:
        start = depth = opened = 0
        cased = not text.islower()
        for token in _tokens(self.parameters.newlines, rules.quotes_nest).finditer(text):
            kind = token.lastgroup
            if kind == "open":
                depth, opened = depth + 1, token.start()
            elif kind == "close":
                depth = max(0, depth - 1)
            else:
                end = token.end()
                if kind != "break":
                    depth = max(0, depth - _closed(token, rules.quotes_nest))
                    if depth and end - opened < _BRACKET_REACH:
                        continue
                    if not rules.ends(text, start, token, cased):
                        continue
                yield start, end
                start, depth = end, 0
        yield start, len(text)


def _with_words(text: str, pieces: Iterator[Range]) -> Iterator[Range]:
    """A piece of marks only (`...`, a quote) belongs to the one before it, when that is on the same line."""
    held: Range | None = None
    for start, end in pieces:
        if held and not _WORD.search(text, start, end) and "\n" not in text[held[1] - 1 : end]:
            held = (held[0], end)
            continue
        if held:
            yield held
        held = (start, end)
    if held:
        yield held


def _closed(token: re.Match[str], quotes_nest: bool) -> int:
    closers: str = token["after"] or token["closers"] or ""
    if not closers:
        return 0
    opened = closers.count("[")
    return sum(mark in ")]}）」』】》〉" or (quotes_nest and mark == "”") for mark in closers) - opened


class _Rules:
    """Decides at a mark whether a sentence ends there."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.quotes_nest = language in ("zh", "ja")
        self.never = never_final(language)
        self.often = often_inside(language)
        self.starters = starters(language)

    @staticmethod
    @lru_cache(maxsize=32)
    def of(language: str) -> _Rules:
        """The rules of a language code, made once."""
        return _Rules(language[:2].lower())

    def ends(self, text: str, start: int, token: re.Match[str], cased: bool) -> bool:
        """Whether the mark ends the sentence that began at `start`. In a `cased` text a small letter goes on."""
        if token["unspaced"] is not None:
            following = text[token.end() : token.end() + 1]
            return (
                token["after"][-1:] in ("", "]")
                or not following
                or following.isspace()
                or following in _OPENING + "“‘\"'"
            )
        ahead = _AHEAD.match(text, token.end())
        word = ahead[1] if ahead else ""
        mark = token["spaced"]
        if mark == "." and text[token.start() - 1 : token.start()].isspace():
            return True  # tokenised text
        if cased and word[:1].islower():
            return False
        if mark != "." or token["closers"]:
            return True
        return self._full_stop_ends(text, start, token.start(), word)

    def _full_stop_ends(self, text: str, start: int, stop: int, word: str) -> bool:
        before = text[max(start, stop - 32) : stop]
        if not before:
            return True
        last = before.split()[-1].lstrip("([{\"'«“„‘¿¡-–—")
        lowered = last.lower()
        if lowered in self.never and (word or last[:1].isupper()):
            return not word
        if last.isdigit():
            return self._number_ends(before, last, text[start:stop].strip(), word)
        if len(last) == 1 and last.isupper() and last not in "IÉYОЯ":
            return not word or word.lower() in self.starters
        if lowered in self.often or ("." in last and all(len(part) <= 2 for part in lowered.split("."))):
            return not word or not word[:1].isalpha() or word.lower() in self.starters
        return True

    def _number_ends(self, before: str, last: str, sentence: str, word: str) -> bool:
        """`1. First point` and, in German, `am 3. Mai` go on."""
        if sentence == last and len(last) <= 3:
            return False
        return not (
            self.language == "de" and len(last) <= 2 and word[:1].isalpha() and word.lower() not in self.starters
        )
