"""Derives a layout from Markdown without changing the text: headings, lists, quotes, tables, code, emphasis.

The Markdown syntax (`#`, `**`, `|`) stays in the text, marked as syntax. Lines are read once in order, and no pattern
backtracks over earlier lines, so that the time is linear for any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from annotarium.content.layouts.markdown_inline import inline_marks
from annotarium_schemas.documents import LayoutKind, LayoutMark

_LINE = re.compile(r"[^\n]*\n?")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t\r]*$")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}\r?$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_ITEM = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_DELIMITERS = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*$")
_PIPE = re.compile(r"(?<!\\)\|")


def markdown_layout(text: str) -> list[LayoutMark]:
    """Return the marks of a Markdown text, outer ones first; a text without markup has paragraphs."""
    return _Reader(text).read()


class _Reader:
    """Reads lines; `_lists` contains the open lists, `_paragraph` the lines of the open paragraph."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._marks: list[LayoutMark] = []
        self._paragraph: list[tuple[int, int]] = []
        self._lists: list[tuple[int, LayoutMark, LayoutMark]] = []
        self._quote: LayoutMark | None = None
        self._table: LayoutMark | None = None
        self._first = -1  # start of the text of the last item, which is not a paragraph of its own

    def read(self) -> list[LayoutMark]:
        """Return all marks."""
        lines = self._content_lines()
        for start, end in lines:
            fence = _FENCE.match(self._text, start, end)
            if fence:
                self._end_paragraph()
                self._code(start, end, fence[1], lines)
            else:
                self._line(start, end)
        self._end_blocks()
        return [one for one in self._marks if one.end > one.start]

    def _content_lines(self) -> Iterator[tuple[int, int]]:
        """Yield lines without their ends and without the quote signs before them."""
        for found in _LINE.finditer(self._text):
            start, end = found.start(), found.start() + len(found[0].rstrip("\r\n"))
            quote = _QUOTE.match(self._text, start, end)
            if quote is None:
                if self._quote is not None and not self._paragraph:
                    self._end_blocks()
                yield start, end
                continue
            if self._quote is None:
                self._end_blocks()
                self._quote = self._mark("quote", start, end)
            self._quote.end = end
            self._mark("syntax", start, quote.end())
            yield quote.end(), end

    def _mark(self, kind: LayoutKind, start: int, end: int) -> LayoutMark:
        mark = LayoutMark(kind=kind, start=start, end=end)
        self._marks.append(mark)
        return mark

    def _line(self, start: int, end: int) -> None:
        text = self._text
        if not text[start:end].strip():
            self._end_paragraph()
            self._table = None
            return
        heading = _HEADING.match(text, start, end)
        if heading:
            self._end_blocks(quote=False)
            self._mark("heading", start, end).level = len(heading[1])
            self._mark("syntax", start, heading.end())
            self._inline(heading.end(), end)
        elif self._paragraph and not self._lists and (under := _UNDERLINE.match(text, start, end)):
            self._end_paragraph(level=1 if under[1][0] == "=" else 2, underline=(start, end))
        elif _RULE.match(text, start, end):
            self._end_blocks(quote=False)
            self._mark("paragraph", start, end)
            self._mark("syntax", start, end)
        elif self._table is not None and "|" in text[start:end]:
            self._row(start, end)
        elif len(self._paragraph) == 1 and "|" in text[start:end] and _DELIMITERS.match(text, start, end):
            self._begin_table(start, end)
        elif item := _ITEM.match(text, start, end):
            self._item(item, start, end)
        else:
            if not self._paragraph and text[start] not in " \t":
                self._lists.clear()
            self._table = None
            self._continue(start, end)

    def _continue(self, start: int, end: int) -> None:
        for _, list_, item in self._lists:
            list_.end = item.end = end
        self._paragraph.append((start, end))

    def _item(self, found: re.Match[str], start: int, end: int) -> None:
        self._end_paragraph()
        self._table = None
        indent = len(found[1].expandtabs(4))
        ordered = found[2][0].isdigit()
        while self._lists and self._lists[-1][0] > indent:
            self._lists.pop()
        if self._lists and indent - self._lists[-1][0] < 2 and bool(self._lists[-1][1].ordered) != ordered:
            self._lists.pop()
        if self._lists and indent - self._lists[-1][0] < 2:
            list_ = self._lists.pop()[1]
        else:
            list_ = self._mark("list", start, end)
            list_.ordered = ordered or None
        self._lists.append((indent, list_, self._mark("item", start, end)))
        self._mark("syntax", start, found.end())
        self._first = found.end()
        self._continue(found.end(), end)

    def _begin_table(self, start: int, end: int) -> None:
        first = self._paragraph.pop()[0]
        self._table = self._mark("table", first, end)
        for at, until, head in ((first, self._line_end(first), True), (start, end, False)):
            self._row(at, until, head=head, syntax=not head)

    def _line_end(self, start: int) -> int:
        end = self._text.find("\n", start)
        return start + len(self._text[start : end if end >= 0 else None].rstrip("\r"))

    def _row(self, start: int, end: int, *, head: bool = False, syntax: bool = False) -> None:
        assert self._table is not None
        self._table.end = end
        row = self._mark("row", start, end)
        pipes = [one.start() for one in _PIPE.finditer(self._text, start, end)]
        inner = [place for place in pipes if self._text[start:place].strip() and self._text[place + 1 : end].strip()]
        edges = [start, *(place + 1 for place in inner), end]
        for at, until in pairwise(edges):
            self._mark("cell", at, until).header = head or None
            if syntax:
                self._mark("syntax", at, until)
        if not syntax:
            for place in pipes:
                self._mark("syntax", place, place + 1)
            self._inline(start, end)
        row.end = end

    def _code(self, start: int, end: int, fence: str, lines: Iterator[tuple[int, int]]) -> None:
        block = self._mark("preformatted", start, end)
        self._mark("syntax", start, end)
        for at, until in lines:
            block.end = until
            found = _FENCE.match(self._text, at, until)
            if found and found[1].startswith(fence) and not self._text[found.end() : until].strip():
                self._mark("syntax", at, until)
                return

    def _end_paragraph(self, level: int = 0, underline: tuple[int, int] | None = None) -> None:
        if not self._paragraph:
            return
        start, end = self._paragraph[0][0], self._paragraph[-1][1]
        self._paragraph = []
        if level:
            self._mark("heading", start, underline[1] if underline else end).level = level
        elif start != self._first:
            self._mark("paragraph", start, end)
        self._inline(start, end)
        if underline:
            self._mark("syntax", *underline)

    def _end_blocks(self, *, quote: bool = True) -> None:
        self._end_paragraph()
        self._lists.clear()
        self._table = None
        if quote:
            self._quote = None

    def _inline(self, start: int, end: int) -> None:
        self._marks += inline_marks(self._text, start, end)
