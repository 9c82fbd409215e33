"""Determines where a text may be split: between characters as readers see them (Unicode grapheme clusters), never
inside one.

`👩‍👩‍👧`, `e` with a combining accent, a flag, `क्ष` and a carriage return with its line feed are one character each.
Positions are code points.
"""

from __future__ import annotations

from unicodedata import category, combining

_JOINER = "\u200d"
_VIRAMA = 9
"""Canonical combining class of the signs that join two consonants of an Indic script."""
_FLAGS = ("\U0001f1e6", "\U0001f1ff")
_LONGEST_FLAGS = 64
"""Flags are paired from the start of their run. A longer run is not text, and counting it at each position would be
slow.
"""
_SPECIAL_JOINERS = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")


def is_border(text: str, position: int) -> bool:
    """Whether splitting before the code point at `position` leaves all characters whole."""
    if position <= 0 or position >= len(text):
        return True
    before, after = text[position - 1], text[position]
    if after.isascii():
        return after != "\n" or before != "\r"
    if before in "\r\n\u2028\u2029":
        return True
    if after in _SPECIAL_JOINERS or category(after)[0] == "M" or "\U0001f3fb" <= after <= "\U0001f3ff":
        return False
    if "\U000e0020" <= after <= "\U000e007f":  # letters of a regional flag
        return False
    if before == _JOINER:
        return after.isalpha() and not _is_after_conjunct_sign(text, position - 1)
    if combining(before) == _VIRAMA:
        return not after.isalpha()
    if _FLAGS[0] <= after <= _FLAGS[1] and _FLAGS[0] <= before <= _FLAGS[1]:
        return _count_flag_letters_before(text, position) % 2 == 0
    return not _is_hangul_syllable(before, after)


def next_border(text: str, position: int) -> int:
    """Return the first border at or after `position`."""
    while not is_border(text, position):
        position += 1
    return position


def previous_border(text: str, position: int) -> int:
    """Return the last border at or before `position`."""
    while not is_border(text, position):
        position -= 1
    return position


def _is_after_conjunct_sign(text: str, joiner: int) -> bool:
    """Whether the joiner follows a sign that joins consonants."""
    return joiner > 0 and combining(text[joiner - 1]) == _VIRAMA


def _count_flag_letters_before(text: str, position: int) -> int:
    count = 0
    while count < min(position, _LONGEST_FLAGS) and _FLAGS[0] <= text[position - 1 - count] <= _FLAGS[1]:
        count += 1
    return count


def _is_hangul_syllable(before: str, after: str) -> bool:
    """Whether two jamo, or a syllable and a jamo, belong to one syllable."""
    leading, vowel, trailing = (
        "\u1100" <= before <= "\u115f",
        "\u1160" <= after <= "\u11a7",
        "\u11a8" <= after <= "\u11ff",
    )
    if leading:
        return "\u1100" <= after <= "\u115f" or vowel or "\uac00" <= after <= "\ud7a3"
    if "\u1160" <= before <= "\u11a7":
        return vowel or trailing
    if "\uac00" <= before <= "\ud7a3":
        open_syllable = (ord(before) - 0xAC00) % 28 == 0
        return trailing or (vowel and open_syllable)
    return trailing and "\u11a8" <= before <= "\u11ff"
