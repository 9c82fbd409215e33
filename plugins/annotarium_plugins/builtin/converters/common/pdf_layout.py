"""Recognises the layout of a PDF: headings by font size, lists by their markers, tables by the gaps between columns.

A PDF does not store this structure, so only what is certain is marked. The text is never changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise
from typing import Literal

from annotarium_plugins.builtin.converters.common.pdf_paragraphs import Paragraph, paragraphs_of
from annotarium_plugins.builtin.converters.common.pdf_text import MARK, Line, LinePart
from annotarium_plugins.builtin.converters.common.text_builder import Block, InlineMark, TextBuilder, count_non_blank
from annotarium_schemas.documents import LayoutKind

_LARGER = 1.12
"""Least multiple of the usual font size for a heading."""
_ALIKE = 1.05
"""Headings whose sizes differ by less than this factor have the same level."""
_LONGEST_HEADING = 200
_LEADERS = re.compile(r"(?:\.\s?){5,}")
"""Dots leading to a page number: a line of a table of contents."""
_BULLET = re.compile(r"[•▪◦‣·■●○]\s")
_DASH = re.compile(r"[–—*-]\s")
_NUMBER = re.compile(r"\(?(\d{1,3})[.)]\s")
_LETTER = re.compile(r"\(?([a-z])[.)]\s")
_WORDS_IN_CELL = 12
_FEWEST_CELLS, _MOST_COLUMNS = 6, 50
_APART = 0.9
"""Multiple of the font size: a wider gap separates two cells."""
_NARROW = 0.36
"""Multiple of the font size: a gap that separates two cells where the rows above have a gutter."""
_GUTTER = 0.3
"""Multiple of the font size: the least width that is empty between two columns on all rows."""
_SAME_BASE = 0.3
_WORD = re.compile(r"\S+")


Row = Sequence[LinePart]
"""The cells on one line of a table, from left to right."""


@dataclass(frozen=True)
class ParagraphGroup:
    """Paragraphs that belong together: a heading has one, a list has one per item, a table has `rows`."""

    kind: Literal["heading", "paragraph", "list", "table"]
    paragraphs: Sequence[Paragraph]
    level: int | None = None
    ordered: bool = False
    rows: Sequence[Row] = ()


class FontSizes:
    """The usual font size of a document and the sizes of its headings, largest first."""

    def __init__(self, lines: Iterable[Line]) -> None:
        letters: Counter[float] = Counter()
        for line in lines:
            letters[round(line.size, 1)] += len(line.text)
        self._usual = letters.most_common(1)[0][0] if letters else 0.0
        self._levels: list[float] = []
        for size in sorted((size for size in letters if size > self._usual * _LARGER), reverse=True):
            if not self._levels or self._levels[-1] > size * _ALIKE:
                self._levels.append(size)

    def level(self, size: float) -> int | None:
        """Return the level of a heading in that size, 1..6; None when the size is not larger than usual."""
        if not self._usual or size <= self._usual * _LARGER:
            return None
        return min(6, 1 + sum(1 for other in self._levels if other > size * _ALIKE))


def group_paragraphs(paragraphs: Sequence[Paragraph], sizes: FontSizes) -> Iterator[ParagraphGroup]:
    """Yield the paragraphs of a page in order, each in exactly one group."""
    lines = [(number, line) for number, one in enumerate(paragraphs) for line in one.lines]
    begins = list(accumulate((len(one.lines) for one in paragraphs), initial=0))
    place = 0
    while place < len(paragraphs):
        made = (
            _table(paragraphs, lines, begins[place])
            or _heading(paragraphs[place], sizes)
            or _list(paragraphs, place, sizes)
        )
        made = made or ParagraphGroup("paragraph", paragraphs[place : place + 1])
        place += len(made.paragraphs)
        yield made


def _heading(one: Paragraph, sizes: FontSizes) -> ParagraphGroup | None:
    level = sizes.level(min(line.size for line in one.lines))
    words = sum(sign.isalpha() for sign in one.text) > 1 and len(one.text) <= _LONGEST_HEADING
    if level is None or not words or _BULLET.match(one.text) or _LEADERS.search(one.text):
        return None
    return ParagraphGroup("heading", (one,), level)


def _list(paragraphs: Sequence[Paragraph], place: int, sizes: FontSizes) -> ParagraphGroup | None:
    """Return the list that starts at `place`. One bullet is enough; other markers need two items, and numbers and
    letters must be consecutive.
    """
    first = paragraphs[place]
    sign = next((one for one in (_BULLET, _DASH, _NUMBER, _LETTER) if one.match(first.text)), None)
    if sign is None or _LEADERS.search(first.text):
        return None
    items = [first]
    for number in range(place + 1, len(paragraphs)):
        one = paragraphs[number]
        if not _continues_list(sign, items[-1], one) or _heading(one, sizes):
            break
        items.append(one)
    if len(items) < 2 and sign is not _BULLET:
        return None
    return ParagraphGroup("list", items, ordered=sign in (_NUMBER, _LETTER))


def _continues_list(sign: re.Pattern[str], before: Paragraph, one: Paragraph) -> bool:
    last, found = sign.match(before.text), sign.match(one.text)
    if last is None or found is None or abs(one.lines[0].left - before.lines[0].left) > before.lines[0].size:
        return False
    if sign is _NUMBER:
        return int(found[1]) == int(last[1]) + 1
    return sign is not _LETTER or ord(found[1]) == ord(last[1]) + 1


def _table(paragraphs: Sequence[Paragraph], lines: Sequence[tuple[int, Line]], at: int) -> ParagraphGroup | None:
    """Return the table that starts at line `at`: rows with the same number of cells, separated by gaps on all of them.

    A line may be a paragraph, a part of one, or one of several in a row; a table consists of whole paragraphs.
    """
    rows: list[Row] = []
    columns: Sequence[LinePart] = ()
    place = lines[at][0]
    whole = (place, 0)
    while at < len(lines):
        count = _count_side_by_side([line for _, line in lines[at : at + _MOST_COLUMNS]])
        beside = [line for _, line in lines[at : at + count]]
        cells = _cells([part for line in beside for part in line.parts], columns, beside[0].size)
        if cells is None or not all(map(_has_word_positions, beside)):
            break
        columns = [_merge_line_parts(*pair) for pair in zip(columns, cells, strict=True)] if columns else cells
        rows.append(cells)
        at += count
        if at == len(lines) or lines[at][0] > lines[at - 1][0]:
            whole = (lines[at - 1][0] + 1, len(rows))
    taken, rows = paragraphs[place : whole[0]], rows[: whole[1]]
    enough = len(rows) > 1 and len(rows) * len(columns) >= _FEWEST_CELLS
    return ParagraphGroup("table", taken, rows=rows) if enough else None


def _has_word_positions(line: Line) -> bool:
    """Whether the position of every word of a line is known; a hyphenated word at the end of a line continues
    elsewhere.
    """
    return MARK not in line.text and sum(part.words for part in line.parts) == len(line.text.split())


def _count_side_by_side(lines: Sequence[Line]) -> int:
    """Return how many of the lines, from the first one on, are next to each other."""
    for count, (before, one) in enumerate(pairwise(lines), 1):
        if abs(before.base - one.base) > _SAME_BASE * before.height or one.left < before.right:
            return count
    return len(lines)


def _cells(parts: Sequence[LinePart], columns: Sequence[LinePart], size: float) -> list[LinePart] | None:
    """Return the cells of a line that continues a table with these columns (none = starts one); None when it
    does not.
    """
    cells = _cells_by_gaps(parts, size)
    if columns and len(cells) != len(columns):
        cells = _cells_by_columns(parts, columns, size)
    if len(cells) < 2 or any(cell.words > _WORDS_IN_CELL for cell in cells):
        return None
    if not columns:
        return cells
    return cells if len(cells) == len(columns) and _leaves_gutters_empty(columns, cells, size) else None


def _merge_line_parts(one: LinePart, other: LinePart) -> LinePart:
    return LinePart(one.words + other.words, min(one.left, other.left), max(one.right, other.right))


def _cells_by_gaps(parts: Sequence[LinePart], size: float) -> list[LinePart]:
    """Split a line into cells at wide gaps."""
    cells: list[LinePart] = []
    for part in parts:
        if cells and part.left - cells[-1].right < _APART * size:
            cells[-1] = _merge_line_parts(cells[-1], part)
        else:
            cells.append(part)
    return cells


def _cells_by_columns(parts: Sequence[LinePart], columns: Sequence[LinePart], size: float) -> list[LinePart]:
    """Split a line into cells at the gutters of the rows above: in a full column the gaps are narrow."""
    gutters = [(one.right, other.left) for one, other in pairwise(columns)]
    cells: list[LinePart] = []
    for part in parts:
        gap = (cells[-1].right, part.left) if cells else (0.0, 0.0)
        meets = any(gap[0] < right and left < gap[1] for left, right in gutters)
        if cells and not (meets and gap[1] - gap[0] >= _NARROW * size):
            cells[-1] = _merge_line_parts(cells[-1], part)
        else:
            cells.append(part)
    return cells


def _leaves_gutters_empty(columns: Sequence[LinePart], cells: Sequence[LinePart], size: float) -> bool:
    """Whether the gutters stay empty when these cells are added to the columns."""
    wider = [_merge_line_parts(*pair) for pair in zip(columns, cells, strict=True)]
    return all(other.left - one.right >= _GUTTER * size for one, other in pairwise(wider))


def write_page(
    builder: TextBuilder, lines: list[Line], sizes: FontSizes, mend: Callable[[str], str], page: int
) -> None:
    """Add a page with its layout; the text is that of its paragraphs.

    Args:
        mend: joins words that were hyphenated at line ends.
    """

    def add(one: Paragraph, look: LayoutKind | None = None, marks: Sequence[InlineMark] = ()) -> Block | None:
        text, gap = mend(one.text), one.gap or "\n\n"
        return builder.add(text, "paragraph", gap=gap, look=look, marks=marks, page=page)

    for group in group_paragraphs(list(paragraphs_of(lines)), sizes):
        if group.kind == "table":
            with builder.within("table"):
                _mark_rows(builder, group, [add(one) for one in group.paragraphs])
        elif group.kind == "list":
            with builder.within("list", ordered=group.ordered):
                for one in group.paragraphs:
                    with builder.within("item"):
                        add(one, marks=[InlineMark("syntax", 0, count_non_blank(one.text.split(maxsplit=1)[0]))])
        elif group.kind == "heading":
            one = group.paragraphs[0]
            builder.add(mend(one.text), "heading", gap=one.gap or "\n\n", level=group.level or 1, page=page)
        else:
            add(group.paragraphs[0], "paragraph")


def _mark_rows(builder: TextBuilder, table: ParagraphGroup, added: Sequence[Block | None]) -> None:
    words = (
        (block.start + word.start(), block.start + word.end())
        for one, block in zip(table.paragraphs, added, strict=True)
        for word in _WORD.finditer(one.text.strip())
        if block is not None
    )
    for row in table.rows:
        cells = [list(islice(words, cell.words)) for cell in row]
        builder.mark_cells([(cell[0][0], cell[-1][1]) for cell in cells])
