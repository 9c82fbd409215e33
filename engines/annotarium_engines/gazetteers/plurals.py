"""Rules that map a plural to its singular, by language. They need not give words: both sides are reduced alike."""

from __future__ import annotations

import re
from collections.abc import Callable

_SHORTEST = 4
"""Shorter words are left as they are: *gas*, *bus*, *os*."""
_Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(*pairs: tuple[str, str]) -> _Rules:
    return tuple((re.compile(f"(?:{ending})$"), singular) for ending, singular in pairs)


_RULES: dict[str, _Rules] = {
    "en": _rules(
        (r"(?<![ae])ies", "y"),
        (r"(?<=[rntg]i)uses|(?<=[rnt])uses", "us"),
        (r"(?<=ss|sh|ch|xx)es|(?<=[xz])es", ""),
        (r"(?<![aeo])es", "e"),
        (r"(?<=o)es", ""),
        (r"(?<![us])(?<!i)s", ""),
    ),
    "fr": _rules((r"eaux", "eau"), (r"aux", "al"), (r"(?<=eu)x", ""), (r"(?<![s])s", "")),
    "es": _rules((r"ces", "z"), (r"(?<=[dlnrsyj])es", ""), (r"(?<=[aeiouáéíóú])s", "")),
    "pt": _rules(
        (r"ões|ães", "ão"),
        (r"ais", "al"),
        (r"eis", "el"),
        (r"óis", "ol"),
        (r"(?<=[aeiou])ns", "m"),
        (r"(?<=[rzs])es", ""),
        (r"(?<=[aeiouáéíóúãõ])s", ""),
    ),
}


def singular_rule(language: str) -> Callable[[str], str] | None:
    """Return the function that maps a case-folded word to its singular; None for languages without rules."""
    rules = _RULES.get(language)
    if rules is None:
        return None

    def singular(word: str) -> str:
        if len(word) < _SHORTEST:
            return word
        for ending, replacement in rules:
            reduced, changed = ending.subn(replacement, word)
            if changed:
                return reduced
        return word

    return singular
