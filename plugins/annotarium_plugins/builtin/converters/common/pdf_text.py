"""The only reader of PDF: its lines with their places on the page, put together into paragraphs.

Order is the file's own, which is the order of reading in what programs write today.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.faults import EXTENSION, damaged, not_a, protected
from annotarium_plugins.builtin.converters.common.text_builder import clean
from annotarium_schemas.said import say

_HYPHENS = "\x02\ufffe\u00ad-\u2010"
_LINE_ENDS, _BREAKS = (10, 13), (2, 0xFFFE)
"""PDFium writes no line end after a word that one has cut: it puts a sign of its own in place of the hyphen."""
MARK = "\x02"
"""Stands for a hyphen at the end of a line until it is known whether the word goes on without it."""
_COLUMN = 24
"""Points within which lines start at the same place."""
_ITEM = re.compile(r"(?:[•▪◦‣·■●○–—*-]|\(?\d{1,3}[.)]|[a-z][.)])\s")
_DENSE = 0.52
"""Of the size: an average width of a sign beyond which a line may have wide gaps. Running text stays below."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_BROKEN = re.compile(rf"([^\W\d_]+){MARK}\s*([^\W\d_]+)")
_DIGITS = re.compile(r"\d+")


class Part(NamedTuple):
    """A part of a line: how many words it has, where it begins and ends, in points."""

    words: int
    left: float
    right: float


@dataclass(frozen=True)
class Line:
    """A line: its text, its box and its base in points, y upwards; `size` of the font.

    `parts` are its words when there may be wide gaps between them; a line of running text is one part.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    base: float
    size: float
    parts: tuple[Part, ...] = ()

    @property
    def height(self) -> float:
        """Of the box."""
        return max(1.0, self.top - self.bottom)


@contextmanager
def open_pdf(path: Path) -> Iterator[Any]:
    """A PDF, closed at the end.

    Raises:
        ComponentError: it is none, damaged, or protected by a password.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        words = str(error).lower()
        if "password" in words or "security" in words:
            raise protected() from error
        if "data format" in words:
            with path.open("rb") as file:
                if b"%PDF-" not in file.read(1024):
                    raise not_a(say("kind.pdf", "a PDF"), EXTENSION) from error
        raise damaged(say("damaged.objects", "Its table of objects cannot be read.")) from error
    try:
        yield document
    finally:
        document.close()


def page_lines(document: Any, number: int) -> list[Line]:
    """Lines of a page (from 0) in the order of the file.

    Raises:
        ComponentError: the page is damaged.
    """
    import pypdfium2

    try:
        page = document[number]
        try:
            text = page.get_textpage()
            try:
                return list(_lines(text))
            finally:
                text.close()
        finally:
            page.close()
    except pypdfium2.PdfiumError as error:
        raise damaged(say("damaged.page", "Page {number} cannot be read.", number=number + 1)) from error


def _lines(text: Any) -> Iterator[Line]:
    from pypdfium2.raw import FPDFText_GetUnicode

    characters: list[str] = []
    places: list[int] = []
    for index in range(text.count_chars()):
        code = FPDFText_GetUnicode(text, index)
        if code and code <= 0x10FFFF and code not in _LINE_ENDS:
            characters.append(chr(code))
            places.append(index)
        if code in _LINE_ENDS or code in _BREAKS:
            yield from _line(text, characters, places)
            characters.clear()
            places.clear()
    yield from _line(text, characters, places)


def _line(text: Any, characters: list[str], places: list[int]) -> Iterator[Line]:
    from pypdfium2.raw import FPDFText_GetFontSize

    shown = [place for place, char in zip(places, characters, strict=True) if not char.isspace()]
    if not shown:
        return
    boxes = [text.get_charbox(place, loose=True) for place in {shown[0], shown[len(shown) // 2], shown[-1]}]
    raw = "".join(characters).rstrip()
    ends_broken = raw[-1:] in _HYPHENS and raw[-2:-1].isalpha()
    content = clean(raw[:-1]) + MARK if ends_broken else clean(raw)
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    size = FPDFText_GetFontSize(text, shown[len(shown) // 2])
    wide = right - left > _DENSE * size * len(raw) and not ends_broken
    yield Line(
        content,
        left,
        right,
        min(box[1] for box in boxes),
        max(box[3] for box in boxes),
        _base(text, shown[0]),
        size,
        tuple(_parts(text, characters, places)) if wide else (Part(len(content.split()), left, right),),
    )


def _parts(text: Any, characters: list[str], places: list[int]) -> Iterator[Part]:
    """The words of a line, with their places."""
    for word, group in groupby(zip(characters, places, strict=True), key=lambda pair: not pair[0].isspace()):
        if word:
            within = [place for _, place in group]
            boxes = [text.get_charbox(place, loose=True) for place in (within[0], within[-1])]
            yield Part(1, boxes[0][0], boxes[1][2])


def _base(text: Any, index: int) -> float:
    """Where a character stands: boxes differ with the font, the base line does not."""
    from ctypes import c_double, pointer

    from pypdfium2.raw import FPDFText_GetCharOrigin

    x, y = c_double(), c_double()
    FPDFText_GetCharOrigin(text, index, pointer(x), pointer(y))
    return y.value


def without_running_lines(pages: list[list[Line]]) -> list[list[Line]]:
    """Pages without the lines that stand first or last on most of them: headers, footers, page numbers."""
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


class Paragraph(NamedTuple):
    """What stands before it (nothing, a line end or an empty line), its text, and the lines it was broken into."""

    gap: str
    text: str
    lines: list[Line]


def paragraphs_of(lines: list[Line]) -> Iterator[Paragraph]:
    """A page's blocks: lines that a paragraph was broken into stand in one, joined by blanks."""
    if not lines:
        return
    layout = _Layout(lines)
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


class _Layout:
    """What is usual on a page."""

    def __init__(self, lines: list[Line]) -> None:
        steps = [above.base - below.base for above, below in pairwise(lines)]
        self._step = median([step for step in steps if 0 < step < 60] or [lines[0].height])
        self._width = max(line.right for line in lines) - min(line.left for line in lines)
        self._margins: dict[int, float] = {}
        for line in lines:
            for column in (_column(line) - 1, _column(line), _column(line) + 1):
                self._margins[column] = max(self._margins.get(column, 0.0), line.right)

    def border(self, above: Line, below: Line) -> str:
        """What stands between two lines: nothing within a paragraph, a line end, or an empty line."""
        step = above.base - below.base
        goes_on = above.text.endswith(MARK) or (above.text[-1:].islower() and below.text[:1].islower())
        other_size = abs(above.size - below.size) > 0.12 * max(above.size, below.size)
        if other_size or step > 1.5 * max(self._step, 0.8 * above.height):
            return "\n\n"
        if step < -self._step:  # the next column
            return "" if goes_on else "\n\n"
        if abs(step) < 0.3 * above.height:  # another cell on the same line
            return "\n"
        indented = below.left - above.left > 0.8 * below.size and not _ITEM.match(above.text)
        if _ITEM.match(below.text) or indented:
            return "\n"
        return "" if above.text.endswith(MARK) or self._is_full(above, below, goes_on) else "\n"

    def _is_full(self, above: Line, below: Line, goes_on: bool) -> bool:
        """Whether the first word of the next line had no room left: else the line was ended on purpose."""
        width = above.right - above.left
        if width < 0.33 * self._width and not goes_on:
            return False
        word = below.text.split(maxsplit=1)[0]
        needed = (len(word) + 1) * width / max(1, len(above.text))
        return above.right + 0.9 * needed >= self._margins[_column(above)]


def _column(line: Line) -> int:
    return int(line.left // _COLUMN)


def known_compounds(lines: list[Line]) -> frozenset[str]:
    """Words that are written with a hyphen within a line, in lower case."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line.text))


def mend_hyphens(text: str, compounds: frozenset[str], *, join: bool) -> str:
    """Words that a line end has cut are whole again.

    Args:
        compounds: what keeps its hyphen (`known_compounds`).
        join: False = the hyphen stays, and the line end after it comes back.
    """
    if MARK not in text:
        return text
    if not join:
        return re.sub(rf"{MARK}\s*", "-\n", text).rstrip("\n")
    return _BROKEN.sub(lambda found: _mended(found, compounds), text).replace(MARK, "-")


def _mended(found: re.Match[str], compounds: frozenset[str]) -> str:
    first, second = found[1], found[2]
    if f"{first}-{second}".lower() in compounds or not second[0].islower():
        return f"{first}-{second}"
    return first + second


def require_characters(text: str) -> None:
    """Raise `ComponentError` when most of a text are signs without a meaning: fonts that name no characters."""
    sample = [char for char in text[:20_000] if not char.isspace()]
    strange = sum(1 for char in sample if "\ue000" <= char <= "\uf8ff" or char == "\ufffd" or char >= "\U000f0000")
    if sample and strange > 0.5 * len(sample):
        raise ComponentError(
            "The text of the PDF cannot be read.",
            cause=say("cause.signs", "Its fonts do not say which characters their signs are."),
            fix=say(
                "fix.pdfFonts", "Make the PDF again with its fonts embedded, or read it with a text recognition program"
            ),
        )
