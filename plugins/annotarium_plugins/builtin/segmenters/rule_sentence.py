"""Segmenter `rule_sentence`: splits sentences by rules, in one pass over the text, in all languages of C-056."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from pydantic import Field

from annotarium_plugins.base.segmenter import Segmenter
from annotarium_plugins.builtin.segmenters._abbreviations import (
    never_final,
    sentence_starters,
    sometimes_final,
    unit_abbreviations,
)
from annotarium_plugins.builtin.segmenters._ranges import Range, split_long_ranges
from annotarium_plugins.parameters import Parameters, advanced_number

_SPACED = ".!?…؟۔‼⁇⁈⁉"
_UNSPACED = "。！？．｡।॥"
_STYLE = "[\ufe00-\ufe0f\u0300-\u036f\u3099\u309a]"
"""Characters that may follow a punctuation mark and are part of it: `‼` displayed as an emoji."""
_BREAKS = {
    "always": r"[\r\n\u2028\u2029]++",
    "blank_line": r"(?:\r\n?|\n)[^\S\r\n]*+[\r\n]\s*+|\u2029",
    "never": r"(?!)",
}
_LIST_ITEM = r"\n(?=[^\S\n]{0,8}(?:\d{1,3}[.)]|[-•*–])[^\S\n])"
_AHEAD = re.compile(r"\s*+(?:['’][stn][ \u00a0])?[-–—•\"'“”‘’«»‹›„(\[{¿¡*]*+\s*+(\w*+)")
_ROMAN = re.compile(r"[IVXLC]+")
_QUOTED_SPEECH = {
    "zh": re.compile(r"[^。！？；，：“”\n]{0,8}?[说說问問道喊答叫嚷]|[的这這那一，、；]"),
    "ja": re.compile(r"[とはがをにのもや、，]|って"),
    "hi": re.compile(r"\s*(?:[\w\u0900-\u0963]+\s+){0,3}?(?:कहा|पूछा|बोल[ाीे]|चिल्लाय[ाी])"),
    "ur": re.compile(r"\s*(?:\w+\s+){0,3}?(?:کہا|پوچھا|بول[ایے])"),
    "fa": re.compile(r"\s*(?:\w+\s+){0,3}?(?:گفت|پرسید)"),
    "ar": re.compile(r"[\s،]*(?:قال|قالت|سأل|سألت)\b"),
}
"""Words after a closing quote when the sentence continues, in scripts without lower case: `"No." he said.`"""
_WORD = re.compile(r"\w")
_OPENING = "([{（「『【《〈"
_QUOTED_SPEECH_ANYWHERE = re.compile("|".join(pattern.pattern for pattern in _QUOTED_SPEECH.values()))
_CLOSING_QUOTES = "」』”’\"'"
_INITIAL = re.compile(r"\w\.")
_ELISION = re.compile(r"^\w{1,5}['’](?=\w{2})")
"""`l'art.`, `dell'avv.`: the article before the abbreviation."""
_BRACKET_REACH = 400
"""An opening bracket further back than this number of code points is taken as never closed."""


_BEGINS = re.compile(rf"[\r\n\u2028\u2029{_UNSPACED}{_SPACED}(\[{{（「『【《〈“)\]}}）」』】》〉”]")
"""The characters that `_boundary_pattern` can start with."""


@lru_cache(maxsize=6)
def _boundary_pattern(newlines: str, quotes_nest: bool) -> re.Pattern[str]:
    """Return the pattern of marks that may end a sentence. With `quotes_nest`, text in curly quotes is not split, as in
    brackets.
    """
    opening, closing = ("“", "”") if quotes_nest else ("", "")
    closers = r"[\"'’”»›«“‘)\]}]|[ \u00a0\u202f][»›]|\[[^\[\]\n]{1,40}+\]"
    return re.compile(
        rf"(?P<break>{_BREAKS[newlines]}|{_LIST_ITEM if newlines != 'never' else '(?!)'})"
        rf"|(?P<unspaced>[{_UNSPACED}](?:[{_UNSPACED}{_SPACED}]|{_STYLE})*+)(?P<after>[」』）】》〉”’\"')\]]*+(?:\[[^\[\]\n]{{1,40}}+\])*+)"
        rf"|(?P<spaced>[{_SPACED}](?:[{_SPACED}]|{_STYLE})*+)(?P<closers>(?:{closers})*+)(?=\s|\Z|[\[(])"
        rf"|(?P<open>[(\[{{（「『【《〈{opening}])|(?P<close>[)\]}}）」』】》〉{closing}])"
    )


class RuleSentenceSegmenterParameters(Parameters):
    """Parameters of `rule_sentence`."""

    newlines: Literal["blank_line", "always", "never"] = Field(
        "blank_line",
        title="Line breaks",
        description="Line breaks that end a sentence: those of empty lines, all, or none.",
    )
    max_length: int = advanced_number(
        10_000,
        50,
        1_000_000,
        title="Longest sentence",
        description="Longer sentences are divided at a space.",
        unit="characters",
    )


class RuleSentenceSegmenter(Segmenter[RuleSentenceSegmenterParameters]):
    """Does not split at full stops of abbreviations, initials, numbers or inside brackets."""

    title = "Sentences"
    description = "Each sentence is one segment. Fast, for all languages."
    parameters_model = RuleSentenceSegmenterParameters
    version = "2"

    def segment(self, text: str, language: str) -> list[tuple[int, int]]:
        """Return the ranges of the sentences, in time linear in the length of the text."""
        pieces = _merge_wordless(text, self._sentences(text, _SentenceEndRules.of(language)))
        return list(split_long_ranges(text, pieces, self.parameters.max_length))

    def _sentences(self, text: str, rules: _SentenceEndRules) -> Iterator[Range]:
        start = depth = opened = 0
        cased = not text.islower()
        for token in _find_boundaries(_boundary_pattern(self.parameters.newlines, rules.quotes_nest), text):
            kind = token.lastgroup
            if kind == "open":
                depth, opened = depth + 1, token.start()
            elif kind == "close":
                depth = max(0, depth - 1)
            else:
                end = token.end()
                if kind != "break":
                    depth = max(0, depth - _count_closed_brackets(token, rules.quotes_nest))
                    if depth and end - opened < _BRACKET_REACH:
                        continue
                    if not rules.ends(text, start, token, cased):
                        continue
                yield start, end
                start, depth = end, 0
        yield start, len(text)


def _find_boundaries(tokens: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `finditer` in a fifth of the time: it is tried only at characters where a match
    can begin.
    """
    position = 0
    while begin := _BEGINS.search(text, position):
        token = tokens.match(text, begin.start())
        if token:
            yield token
        position = (token or begin).end()


def _merge_wordless(text: str, pieces: Iterator[Range]) -> Iterator[Range]:
    """Merge a range of punctuation only (`...`, a quote) into the one before it when both are on the same line."""
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


def _count_closed_brackets(token: re.Match[str], quotes_nest: bool) -> int:
    closers: str = token["after"] or token["closers"] or ""
    if not closers:
        return 0
    opened = closers.count("[")
    return sum(mark in ")]}）」』】》〉" or (quotes_nest and mark == "”") for mark in closers) - opened


class _SentenceEndRules:
    """Decides whether a sentence ends at a mark."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.quotes_nest = language in ("zh", "ja")
        self.never = never_final(language)
        self.often = sometimes_final(language)
        self.units = unit_abbreviations(language)
        self.starters = sentence_starters(language)
        self.said = _QUOTED_SPEECH_ANYWHERE if language == "xx" else _QUOTED_SPEECH.get(language)

    @staticmethod
    @lru_cache(maxsize=32)
    def of(language: str) -> _SentenceEndRules:
        """Return the rules of a language code; created once per language."""
        return _SentenceEndRules(language[:2].lower())

    def ends(self, text: str, start: int, token: re.Match[str], cased: bool) -> bool:
        """Whether the mark ends the sentence that began at `start`. In a `cased` text a lower-case letter continues the
        sentence.
        """
        if token["unspaced"] is not None:
            return self._unspaced_ends(text, token)
        ahead = _AHEAD.match(text, token.end())
        word = ahead[1] if ahead else ""
        mark = token["spaced"]
        if mark == "." and text[token.start() - 1 : token.start()].isspace():
            return True  # already tokenised text, with blanks around punctuation
        if cased and word.islower():
            return False
        if token["closers"] and self._is_quoted_speech(text, token):
            return False
        if mark != "." or token["closers"]:
            return True
        follows = bool(word) or (ahead is not None and ahead.end() < len(text))
        return self._full_stop_ends(text, start, token.start(), word, follows)

    def _unspaced_ends(self, text: str, token: re.Match[str]) -> bool:
        after = token["after"]
        following = text[token.end() : token.end() + 1]
        if after[-1:] in ("", "]") or not following or following in _OPENING + "“‘\"'":
            return True
        if after[-1:] in _CLOSING_QUOTES:
            return not self._is_quoted_speech(text, token)
        return following.isspace()

    def _is_quoted_speech(self, text: str, token: re.Match[str]) -> bool:
        """Whether a quotation ended here and the sentence around it continues."""
        return self.said is not None and self.said.match(text, token.end(), token.end() + 60) is not None

    def _full_stop_ends(self, text: str, start: int, stop: int, word: str, follows: bool) -> bool:
        before = text[max(start, stop - 32) : stop]
        if not before:
            return True
        words = before.split()
        last = words[-1].lstrip("([{\"'«“„‘¿¡-–—")
        if last.isdigit():
            alone = stop - start <= len(before) and before.strip() == last
            return self._number_ends(last, word, alone=alone)
        last = _ELISION.sub("", last)
        lowered = last.lower()
        counted = word[:1].isdigit() or (len(word) > 1 and _ROMAN.fullmatch(word) is not None)
        if lowered in self.units and len(words) > 1 and words[-2][-1].isdigit():
            return not counted
        if lowered in self.never or (lowered.endswith("str") and self.language in ("de", "nl")):
            return not follows
        if _is_initial(last):
            alone = len(words) == 1 or not _INITIAL.fullmatch(words[-2])
            return not follows or (alone and last.islower() and not counted) or word.lower() in self.starters
        if last == "I" and len(word) == 1 and word not in ("I", "A"):
            return False
        if lowered in self.often or _is_dotted(lowered):
            return not follows or not (word or self.said) or (not counted and word.lower() in self.starters)
        return True

    def _number_ends(self, last: str, word: str, *, alone: bool) -> bool:
        """Whether a number with a full stop ends the sentence: `1. First point` and, in German, `am 3. Mai`
        continue.
        """
        if alone and len(last) <= 3:
            return False
        return not (
            self.language == "de" and len(last) <= 2 and word[:1].isalpha() and word.lower() not in self.starters
        )


def _is_initial(word: str) -> bool:
    """Whether a word is one letter with its vowel signs, and not a word such as `I`, `É`, `Y`."""
    if len(word) > 4 or word in ("I", "É", "Y", "О", "Я"):
        return False
    letters = [mark for mark in word if unicodedata.category(mark)[0] != "M"]
    return len(letters) == 1 and letters[0].isalpha()


def _is_dotted(word: str) -> bool:
    """Whether a word has full stops between letters: `u.s`, `z.b`, `j.-p`, but not `8.30`."""
    parts = word.replace("-", "").split(".")
    return len(parts) > 1 and all(len(part) <= 2 and part.isalpha() for part in parts)
