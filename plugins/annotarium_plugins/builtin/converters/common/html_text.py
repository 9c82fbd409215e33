"""Extracts the text of HTML as a reader sees it: blocks in order, tables as rows, and the metadata of the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from annotarium_plugins.builtin.converters.common.converter_helpers import one_line
from annotarium_plugins.builtin.converters.common.html_display_rules import (
    BLOCKS,
    TIGHT,
    cells_of,
    is_data_table,
    is_shown,
    left_out_reason,
    name_of,
    word_count,
)
from annotarium_plugins.builtin.converters.common.html_parsing import parse_html
from annotarium_plugins.builtin.converters.common.text_builder import InlineMark, TextBuilder, clean, count_non_blank
from annotarium_plugins.builtin.converters.common.xml_reader import Element
from annotarium_schemas.documents import LayoutKind, LayoutMark
from annotarium_schemas.layout import INLINE_ELEMENTS
from annotarium_schemas.messages import message

_LISTS = ("ul", "ol", "menu", "dir")
_PREFORMATTED = ("pre", "textarea", "listing", "xmp", "plaintext")
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_BLANKS_BUT_LINES = re.compile(r"[ \t\r\f]+")
_SPAN_LIMIT = 60
_BLANKS_AT_LEAST, _BLANKS_A_CELL = 1_000, 4
"""Limits of the empty cells that a table may get from `colspan`: a minimum, and more for each cell it has."""


@dataclass(frozen=True)
class HtmlOptions:
    """What counts as text.

    Attributes:
        navigation: include menus, page headers and footers.
        images: include the alternative texts of images.
        separator: between the cells of a row.
    """

    navigation: bool = True
    images: bool = False
    separator: str = "\t"


@dataclass
class Page:
    """A page that was read: `metadata` by lower-case name of the meta element; `builder` contains text and blocks.

    Attributes:
        left_out: number of words that were left out, by the element that contained them, or `hidden`.
    """

    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    builder: TextBuilder = field(default_factory=TextBuilder)
    left_out: Counter[str] = field(default_factory=Counter)

    def unshown(self) -> str | None:
        """Return a sentence about the words in `left_out`, None when there are none."""
        count = self.left_out.total()
        if not count:
            return None
        text = "{count:,} words that browsers do not show were left out ({names})"
        one = "One word that browsers do not show was left out ({names})"
        names = ", ".join(name for name, words in self.left_out.most_common() if words)
        return message("note.unshown", text, one=one, count=count, names=names)


def read_page(html: str, options: HtmlOptions) -> Page:
    """Return text, title and metadata of a page; a text without elements gives an empty page.

    Raises:
        ComponentError: it is nested too deep, or its text is too large.
    """
    page = Page()
    root = parse_html(html)
    if root is None:
        return page
    _read_page_metadata(root, page)
    _PageTextWriter(page, options).write(root)
    if not page.title:
        first = next((one for one in page.builder.blocks if one.kind == "heading"), None)
        if first:
            page.title = one_line(page.builder.text[first.start : first.end])
    return page


def _read_page_metadata(root: Element, page: Page) -> None:
    for element in root.iter("title", "meta", "html", "link"):
        if element.tag == "title" and not page.title and name_of(element.getparent()) != "svg":
            page.title = one_line("".join(element.itertext()))
        elif element.tag == "html":
            page.metadata["language"] = element.get("lang") or element.get("{*}lang") or element.get("xml:lang") or ""
        elif element.tag == "link" and (element.get("rel") or "").lower() == "canonical":
            page.metadata["url"] = element.get("href") or ""
        elif element.tag == "meta":
            name = (element.get("name") or element.get("property") or element.get("itemprop") or "").strip().lower()
            value = (element.get("content") or "").strip()
            if name and value:
                page.metadata.setdefault(name, value)
    page.title = page.title or one_line(str(page.metadata.get("og:title", "")))


class _PageTextWriter:
    """Writes the text of an element tree. It does not recurse, because the nesting depth depends on the page."""

    def __init__(self, page: Page, options: HtmlOptions) -> None:
        self._builder, self._left_out, self._options = page.builder, page.left_out, options
        self._drawings = 0
        self._inline: list[str] = []
        self._kind: tuple[str, dict[str, Any]] = ("paragraph", {})
        self._gap = "\n\n"
        self._lists: list[int | None] = []
        self._mark = ""
        self._preformatted = 0
        self._ink = 0
        self._styles: list[tuple[str, LayoutKind, int, str | None]] = []
        self._styled: list[InlineMark] = []
        self._holders: list[tuple[str, LayoutMark]] = []

    def write(self, root: Element) -> None:
        """Write the text of the whole tree."""
        stack: list[tuple[Element, bool, bool]] = [(root, True, False)]
        while stack:
            element, shown, closing = stack.pop()
            name = name_of(element)
            if closing:
                self._end(name)
                self._add(element.tail, shown)
                continue
            if not name or self._is_left_out(name, element):
                self._add(element.tail, shown)
                continue
            if name == "table" and shown and is_data_table(element):
                self._table(element)
                self._add(element.tail, shown)
                continue
            self._start(name, element)
            stack.append((element, shown, True))
            shown = is_shown(name, element, shown)
            self._add(element.text, shown)
            stack.extend((child, shown, False) for child in reversed(element))
        self._flush()
        for one in self._styled:
            self._builder.add_image(one.alt or "")

    def _is_left_out(self, name: str, element: Element) -> bool:
        why = left_out_reason(name, element, navigation=self._options.navigation, in_svg=self._drawings > 0)
        if why:
            self._left_out[why] += word_count(element)
        return why is not None

    def _add(self, text: str | None, shown: bool = True) -> None:
        if not text:
            return
        if not shown:
            self._left_out["hidden"] += len(text.split())
            return
        text = clean(text)
        self._inline.append(text if self._preformatted else _BLANKS.sub(" ", text))
        self._ink += count_non_blank(text)

    def _is_block(self, name: str) -> bool:
        return name in BLOCKS or (self._drawings > 0 and name in ("text", "foreignobject"))

    def _start(self, name: str, element: Element) -> None:
        if name == "br":
            self._inline.append("\n")
        elif name == "img":
            words = one_line(element.get("alt") or "")
            if self._options.images:
                self._add(f" {words} ")
            elif words:
                self._styled.append(InlineMark("image", self._ink, self._ink, alt=words))
        elif name in INLINE_ELEMENTS:
            self._styles.append((name, INLINE_ELEMENTS[name], self._ink, element.get("href")))
        elif self._is_block(name):
            self._flush(name, inner=bool(self._lists))
            self._hold(name)
            if name[0] == "h" and name[1:].isdigit():
                self._kind = ("heading", {"level": int(name[1])})
            elif name in _LISTS:
                self._lists.append(_first_list_number(element) if name == "ol" else None)
            elif name == "li":
                self._item()
        if name in _PREFORMATTED:
            self._preformatted += 1
        self._drawings += name == "svg"

    def _hold(self, name: str) -> None:
        kind: LayoutKind
        if name in _LISTS:
            kind = "list"
        elif name == "li" and self._lists:
            kind = "item"
        elif name == "blockquote":
            kind = "quote"
        else:
            return
        self._holders.append((name, self._builder.open(kind, ordered=name == "ol")))

    def _end_style(self, name: str) -> None:
        _, kind, first, href = self._styles.pop()
        if first < self._ink:
            self._styled.append(InlineMark(kind, first, self._ink, href))

    def _end(self, name: str) -> None:
        if self._styles and self._styles[-1][0] == name:
            self._end_style(name)
        if self._is_block(name):
            ends_list = name in _LISTS and bool(self._lists)
            self._flush(name, inner=len(self._lists) > ends_list)
            if self._holders and self._holders[-1][0] == name:
                self._builder.close(self._holders.pop()[1])
            if ends_list:
                self._lists.pop()
            self._mark = "" if name == "li" else self._mark
        if name in _PREFORMATTED:
            self._preformatted = max(0, self._preformatted - 1)
        self._drawings -= name == "svg"

    def _item(self) -> None:
        number = self._lists[-1] if self._lists else None
        indent = "  " * max(0, len(self._lists) - 1)
        self._mark = f"{indent}- " if number is None else f"{indent}{number}. "
        if number is not None:
            self._lists[-1] = number + 1

    def _flush(self, border: str = "", *, inner: bool = False) -> None:
        """End the current block.

        Args:
            border: name of the element that starts or ends here.
            inner: within a list, where items are not separated by empty lines.
        """
        text = _join_preformatted(self._inline) if self._preformatted else _collapse_blanks(self._inline)
        self._inline.clear()
        kind, facts = self._kind
        if text.strip():
            marker = self._mark.lstrip()
            look: LayoutKind | None = None if marker else "preformatted" if self._preformatted else "paragraph"
            self._builder.add(
                marker + text,
                kind,
                gap=self._gap_with_indent(),
                look=look,
                marks=self._marks(count_non_blank(marker)),
                **facts,
            )
            self._mark, self._gap = "", "\n"
            self._ink, self._styled = 0, []
            self._styles = [(name, style, 0, href) for name, style, _, href in self._styles]
        if border and border not in TIGHT and not inner:
            self._gap = "\n\n"
        self._kind = ("paragraph", {})

    def _marks(self, before: int) -> list[InlineMark]:
        """Return the inline marks of the block, including styles that continue after it; `before` = non-blank
        characters of the list marker.
        """
        going_on = [InlineMark(kind, first, self._ink, href) for _, kind, first, href in self._styles]
        moved = [
            InlineMark(kind, first + before, past + before, href, alt)
            for kind, first, past, href, alt in sorted((*going_on, *self._styled), key=lambda one: (one[1], -one[2]))
        ]
        return [InlineMark("syntax", 0, before), *moved] if before else moved

    def _gap_with_indent(self) -> str:
        """Return the gap before the block, with the indent of nested list items: the indent is not part of
        the block.
        """
        return self._gap + " " * (len(self._mark) - len(self._mark.lstrip()))

    def _table(self, table: Element) -> None:
        self._flush("table")
        for caption in table.iterchildren("caption"):
            self._builder.add(_cell_text(caption, self._left_out), "paragraph", gap="\n\n")
        found = list(table.iter("tr"))
        heads = takewhile(lambda row: all(name_of(one) == "th" for one in cells_of(row)), found)
        cells = sum(1 for row in found for _ in cells_of(row))
        blanks = _BlankCellBudget(_BLANKS_AT_LEAST + _BLANKS_A_CELL * cells)
        rows = [list(_cells(row, blanks, self._left_out)) for row in found]
        self._builder.add_table(rows, self._options.separator, headers=sum(1 for _ in heads))
        self._gap = "\n\n"


def _first_list_number(element: Element) -> int:
    start = (element.get("start") or "1").strip()
    return int(start) if re.fullmatch(r"-?\d{1,9}", start) else 1


def _collapse_blanks(parts: list[str]) -> str:
    lines = _BLANKS_BUT_LINES.sub(" ", "".join(parts)).split("\n")
    return "\n".join(line.strip(" ") for line in lines).strip("\n")


def _join_preformatted(parts: list[str]) -> str:
    return "".join(parts).strip("\n")


@dataclass
class _BlankCellBudget:
    """Number of empty cells that a table may still get from `colspan`: a short tag can ask for very many."""

    left: int

    def take(self, count: int) -> int:
        """Take up to `count` cells and return how many were left."""
        taken = max(0, min(count, self.left))
        self.left -= taken
        return taken


def _cells(row: Element, blanks: _BlankCellBudget, outside: Counter[str]) -> Iterator[str]:
    for cell in cells_of(row):
        yield _cell_text(cell, outside)
        span = cell.get("colspan") or "1"
        for _ in range(blanks.take(min(int(span), _SPAN_LIMIT) - 1) if span.isdecimal() and len(span) < 10 else 0):
            yield ""


def _cell_text(cell: Element, outside: Counter[str]) -> str:
    """Return the text of a cell on one line.

    Args:
        outside: incremented by the words that are left out, by the element that contained them.
    """
    parts: list[str] = []
    drawings = 0
    stack: list[tuple[Element, bool, bool]] = [(cell, True, False)]

    def add(text: str | None, shown: bool) -> None:
        if text and shown:
            parts.append(text)
        elif text:
            outside["hidden"] += len(text.split())

    while stack:
        element, shown, closing = stack.pop()
        name = name_of(element)
        separates = name in BLOCKS or name == "br" or (drawings and name == "text")
        parts.append(" " if separates else "")
        if closing:
            drawings -= name == "svg"
            add(element.tail if element is not cell else None, shown)
            continue
        why = left_out_reason(name, element, in_svg=drawings > 0) if name else ""
        if why is not None:
            outside[why] += word_count(element) if why else 0
            add(element.tail if element is not cell else None, shown)
            continue
        stack.append((element, shown, True))
        drawings += name == "svg"
        shown = is_shown(name, element, shown)
        add(element.text, shown)
        stack.extend((child, shown, False) for child in reversed(element))
    return _BLANKS.sub(" ", "".join(parts)).strip(" ")
