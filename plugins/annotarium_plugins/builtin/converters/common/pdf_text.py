"""Reads the lines of a PDF with their positions on the page.

The lines are in the order of the file, which is the reading order in files of current programs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import (
    EXTENSION,
    damaged_file,
    password_protected,
    wrong_format,
)
from annotarium_plugins.builtin.converters.common.text_builder import clean
from annotarium_schemas.messages import message

_HYPHENS = "\x02\ufffe\u00ad-\u2010"
_LINE_ENDS, _BREAKS = (10, 13), (2, 0xFFFE)
"""PDFium writes no line end after a hyphenated word: it writes a special character instead of the hyphen."""
MARK = "\x02"
"""Represents a hyphen at the end of a line until it is known whether the word is joined without it."""
_BULLETS = {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "‣", "\uf076": "•", "\uf0fc": "✓"}
"""Item markers that word processors take from symbol fonts: private-use characters without a glyph in other fonts."""
_DENSE = 0.52
"""Multiple of the font size: average character width above which a line may contain wide gaps. Running text stays
below.
"""
_NEAR, _GLUED, _WITHIN = 0.5, 0.1, 0.3
"""Multiples of the font size: a narrower gap separates words, or is inside a word; how far boxes may overlap
horizontally, and the share of the height that they must have in common.
"""
_DIGITS = re.compile(r"\d+")


class LinePart(NamedTuple):
    """A part of a line: its number of words, its left and right edge in points."""

    words: int
    left: float
    right: float


@dataclass(frozen=True)
class Line:
    """A line: its text, its box and its base line in points, y upwards; `size` of the font.

    `parts` are its words when it may contain wide gaps; a line of running text is one part.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    base: float
    size: float
    parts: tuple[LinePart, ...] = ()

    @property
    def height(self) -> float:
        """Height of the box, at least 1."""
        return max(1.0, self.top - self.bottom)


@contextmanager
def open_pdf(path: Path) -> Iterator[Any]:
    """Open a PDF and close it afterwards.

    Raises:
        ComponentError: it is not a PDF, damaged, or protected by a password.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        words = str(error).lower()
        if "password" in words or "security" in words:
            raise password_protected() from error
        if "data format" in words:
            with path.open("rb") as file:
                if b"%PDF-" not in file.read(1024):
                    raise wrong_format(message("kind.pdf", "a PDF"), EXTENSION) from error
        raise damaged_file(message("damaged.objects", "Its table of objects cannot be read.")) from error
    try:
        yield document
    finally:
        document.close()


def page_lines(document: Any, number: int) -> list[Line]:
    """Return the lines of a page (`number` from 0) in the order of the file.

    Raises:
        ComponentError: the page is damaged.
    """
    import pypdfium2

    try:
        page = document[number]
        try:
            text = page.get_textpage()
            try:
                return join_side_by_side(_lines(_PageCharacters(text, page.get_rotation())))
            finally:
                text.close()
        finally:
            page.close()
    except pypdfium2.PdfiumError as error:
        raise damaged_file(message("damaged.page", "Page {number} cannot be read.", number=number + 1)) from error


class _PageCharacters:
    """The characters of a page and their positions as displayed, when the page is rotated clockwise by `rotation`
    degrees.

    The origin of the positions on a rotated page is arbitrary: only differences are meaningful.
    """

    def __init__(self, text: Any, rotation: int) -> None:
        self.text, self._rotation = text, rotation

    def box(self, index: int) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top of a character, in points, y upwards."""
        left, bottom, right, top = self.text.get_charbox(index, loose=True)
        (x, y), (other_x, other_y) = self._rotated(left, bottom), self._rotated(right, top)
        return min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y)

    def base(self, index: int) -> float:
        """Return the base line of a character; unlike boxes it does not depend on the font."""
        from ctypes import c_double, pointer

        from pypdfium2.raw import FPDFText_GetCharOrigin

        x, y = c_double(), c_double()
        FPDFText_GetCharOrigin(self.text, index, pointer(x), pointer(y))
        return self._rotated(x.value, y.value)[1]

    def _rotated(self, x: float, y: float) -> tuple[float, float]:
        return {90: (y, -x), 180: (-x, -y), 270: (-y, x)}.get(self._rotation, (x, y))


def _lines(page: _PageCharacters) -> Iterator[Line]:
    from pypdfium2.raw import FPDFText_GetUnicode

    characters: list[str] = []
    places: list[int] = []
    for index in range(page.text.count_chars()):
        code = FPDFText_GetUnicode(page.text, index)
        if code and code <= 0x10FFFF and code not in _LINE_ENDS:
            characters.append(chr(code))
            places.append(index)
        if code in _LINE_ENDS or code in _BREAKS:
            yield from _line(page, characters, places)
            characters.clear()
            places.clear()
    yield from _line(page, characters, places)


def _line(page: _PageCharacters, characters: list[str], places: list[int]) -> Iterator[Line]:
    from pypdfium2.raw import FPDFText_GetFontSize

    shown = [place for place, char in zip(places, characters, strict=True) if not char.isspace()]
    if not shown:
        return
    boxes = [page.box(place) for place in {shown[0], shown[len(shown) // 2], shown[-1]}]
    raw = "".join(characters).rstrip()
    raw = _BULLETS.get(raw[:1], raw[:1]) + raw[1:]
    ends_broken = raw[-1:] in _HYPHENS and raw[-2:-1].isalpha()
    content = clean(raw[:-1]) + MARK if ends_broken else clean(raw)
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    size = FPDFText_GetFontSize(page.text, shown[len(shown) // 2])
    wide = right - left > _DENSE * size * len(raw) and not ends_broken
    yield Line(
        content,
        left,
        right,
        min(box[1] for box in boxes),
        max(box[3] for box in boxes),
        page.base(shown[0]),
        size,
        tuple(_parts(page, characters, places)) if wide else (LinePart(len(content.split()), left, right),),
    )


def _parts(page: _PageCharacters, characters: list[str], places: list[int]) -> Iterator[LinePart]:
    """Yield the words of a line with their positions."""
    for word, group in groupby(zip(characters, places, strict=True), key=lambda pair: not pair[0].isspace()):
        if word:
            within = [place for _, place in group]
            yield LinePart(1, page.box(within[0])[0], page.box(within[-1])[2])


def join_side_by_side(lines: Iterable[Line]) -> list[Line]:
    """Return the lines in order; lines that a superscript or subscript has split (`E = mc²`, a note reference) are
    joined.
    """
    made: list[Line] = []
    for line in lines:
        if made and _continues_on_the_right(made[-1], line):
            made[-1] = _merge_lines(made[-1], line)
        else:
            made.append(line)
    return made


def _continues_on_the_right(before: Line, line: Line) -> bool:
    """Whether a line begins where the one before ends, at most a word gap away."""
    shared = min(before.top, line.top) - max(before.bottom, line.bottom)
    size = max(before.size, line.size)
    near = -_WITHIN * size <= line.left - before.right < _NEAR * size
    return near and shared > _WITHIN * min(before.height, line.height) and not before.text.endswith(MARK)


def _merge_lines(before: Line, line: Line) -> Line:
    main = line if line.size > before.size else before
    glued = line.left - before.right < _GLUED * main.size
    parts = [*before.parts, *line.parts]
    if glued:
        place = len(before.parts)
        last, first = parts[place - 1 : place + 1]
        parts[place - 1 : place + 1] = [LinePart(last.words + first.words - 1, last.left, first.right)]
    return Line(
        before.text + ("" if glued else " ") + line.text.lstrip(),
        before.left,
        line.right,
        min(before.bottom, line.bottom),
        max(before.top, line.top),
        main.base,
        main.size,
        tuple(parts),
    )


def without_headers_and_footers(pages: list[list[Line]]) -> list[list[Line]]:
    """Remove lines that are among the first two or last two of most pages: headers, footers, page numbers."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({_DIGITS.sub("#", line.text) for line in (*page[:2], *page[-2:])})
    most = max(3, 0.6 * len(pages))
    running = {text for text, count in counts.items() if count >= most}
    kept = []
    for page in pages:
        edge = {0, 1, len(page) - 2, len(page) - 1}
        kept.append(
            [
                line
                for number, line in enumerate(page)
                if number not in edge or _DIGITS.sub("#", line.text) not in running
            ]
        )
    return kept


def require_readable_text(text: str) -> None:
    """Raise `ComponentError` when most characters of a text have no meaning, because its fonts do not map them to
    Unicode.
    """
    sample = [char for char in text[:20_000] if not char.isspace()]
    strange = sum(1 for char in sample if "\ue000" <= char <= "\uf8ff" or char == "\ufffd" or char >= "\U000f0000")
    if sample and strange > 0.5 * len(sample):
        raise ComponentError(
            message("file.pdfSigns", "The text of the PDF cannot be read."),
            cause=message("cause.signs", "Its fonts do not state which characters their glyphs are."),
            fix=message(
                "fix.pdfFonts",
                "Create the PDF again with embedded fonts, or process it with a text recognition (OCR) program",
            ),
        )
