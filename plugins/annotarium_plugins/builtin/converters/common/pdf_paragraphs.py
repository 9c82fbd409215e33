"""Joins the lines of a PDF into paragraphs, and words that were hyphenated at line ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from annotarium_plugins.builtin.converters.common.pdf_text import MARK, Line

_COLUMN = 24
"""In points: lines that start within this width belong to the same column."""
_ITEM = re.compile(r"(?:[•▪◦‣·■●○–—*-]|\(?\d{1,3}[.)]|[a-z][.)])\s")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_BROKEN = re.compile(rf"([^\W\d_]+){MARK}\s*([^\W\d_]+)")


class Paragraph(NamedTuple):
    """A paragraph: the gap before it (nothing, a line end or an empty line), its text, and the lines it was broken
    into.
    """

    gap: str
    text: str
    lines: list[Line]


def paragraphs_of(lines: list[Line]) -> Iterator[Paragraph]:
    """Yield the paragraphs of a page; the lines of one are joined with blanks."""
    if not lines:
        return
    layout = _PageMeasures(lines)
    made = Paragraph("", lines[0].text, lines[:1])
    for above, below in pairwise(lines):
        border = layout.border(above, below)
        if border:
            yield made
            made = Paragraph(border, below.text, [below])
        else:
            text = made.text + below.text if made.text.endswith(MARK) else f"{made.text} {below.text}"
            made = Paragraph(made.gap, text, [*made.lines, below])
    yield made


class _PageMeasures:
    """Line distance, text width and right margins of a page."""

    def __init__(self, lines: list[Line]) -> None:
        steps = [above.base - below.base for above, below in pairwise(lines)]
        self._step = median([step for step in steps if 0 < step < 60] or [lines[0].height])
        self._width = max(line.right for line in lines) - min(line.left for line in lines)
        self._margins: dict[int, float] = {}
        for line in lines:
            for column in (_column_number(line) - 1, _column_number(line), _column_number(line) + 1):
                self._margins[column] = max(self._margins.get(column, line.right), line.right)

    def border(self, above: Line, below: Line) -> str:
        """Return the separator of two lines: empty within a paragraph, a line end, or an empty line."""
        step = above.base - below.base
        goes_on = above.text.endswith(MARK) or (above.text[-1:].islower() and below.text[:1].islower())
        other_size = abs(above.size - below.size) > 0.12 * max(above.size, below.size)
        if other_size or step > 1.5 * max(self._step, 0.8 * above.height):
            return "\n\n"
        if step < -self._step:  # next column
            return "" if goes_on else "\n\n"
        if abs(step) < 0.3 * above.height:  # another cell in the same row
            return "\n"
        indented = below.left - above.left > 0.8 * below.size and not _ITEM.match(above.text)
        if _ITEM.match(below.text) or indented:
            return "\n"
        return "" if above.text.endswith(MARK) or self._is_full(above, below, goes_on) else "\n"

    def _is_full(self, above: Line, below: Line, goes_on: bool) -> bool:
        """Whether the first word of the next line did not fit on this line; otherwise the author ended the line."""
        width = above.right - above.left
        if width < 0.33 * self._width and not goes_on:
            return False
        word = below.text.split(maxsplit=1)[0]
        needed = (len(word) + 1) * width / max(1, len(above.text))
        return above.right + 0.9 * needed >= self._margins[_column_number(above)]


def _column_number(line: Line) -> int:
    return int(line.left // _COLUMN)


def hyphenated_compounds(lines: list[Line]) -> frozenset[str]:
    """Return the words that are written with a hyphen inside a line, in lower case."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line.text))


def join_hyphenated_line_ends(text: str, compounds: frozenset[str], *, join: bool) -> str:
    """Join words that were hyphenated at a line end.

    Args:
        compounds: words that keep their hyphen (`hyphenated_compounds`).
        join: False = the hyphen stays, and the line end after it is restored.
    """
    if MARK not in text:
        return text
    if not join:
        return re.sub(rf"{MARK}\s*", "-\n", text).rstrip("\n")
    return _BROKEN.sub(lambda found: _join_hyphenated_match(found, compounds), text).replace(MARK, "-")


def _join_hyphenated_match(found: re.Match[str], compounds: frozenset[str]) -> str:
    first, second = found[1], found[2]
    if f"{first}-{second}".lower() in compounds or not second[0].islower():
        return f"{first}-{second}"
    return first + second
