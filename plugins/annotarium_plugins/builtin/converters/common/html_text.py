"""HTML as a person reads it: blocks of text in order, tables as rows, what the page says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from annotarium_plugins.builtin.converters.common.html_reader import parse_html, words
from annotarium_plugins.builtin.converters.common.reading import one_line
from annotarium_plugins.builtin.converters.common.text_builder import InlineMark, TextBuilder, clean, ink
from annotarium_plugins.builtin.converters.common.xml_reader import Element
from annotarium_schemas.documents import LayoutKind, LayoutMark
from annotarium_schemas.layout import INLINE_ELEMENTS

_BLOCKS = words(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary "
    "table tbody td tfoot th thead tr ul"
)
_TIGHT = words("li dd dt tr td th div summary legend")
"""Follow each other line by line; other blocks are set apart by an empty line."""
_LISTS = ("ul", "ol", "menu", "dir")
_PREFORMATTED = ("pre", "textarea", "listing", "xmp")
_PASSED = words(
    "script style template noscript svg iframe object embed head datalist audio video canvas map applet frameset "
    "select input"
)
_NAVIGATION = words("nav aside footer header menu")
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_BLANKS_BUT_LINES = re.compile(r"[ \t\r\f]+")
_SPAN_LIMIT = 60
_BLANKS_AT_LEAST, _BLANKS_A_CELL = 1_000, 4
"""Empty cells of a table: any table, and more for each cell it has."""


@dataclass(frozen=True)
class HtmlOptions:
    """What is taken for text.

    Attributes:
        navigation: menus, page headers and footers too.
        images: the alternative texts of images too.
        separator: between the cells of a row.
    """

    navigation: bool = True
    images: bool = False
    separator: str = "\t"


@dataclass
class Page:
    """A page: `metadata` by the names of its meta elements, in lower case; `builder` holds text and blocks."""

    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    builder: TextBuilder = field(default_factory=TextBuilder)


def read_page(html: str, options: HtmlOptions) -> Page:
    """Text and facts of a page; a page without elements has none.

    Raises:
        ComponentError: it is nested too deep, or its text too large.
    """
    page = Page()
    root = parse_html(html)
    if root is None:
        return page
    _read_facts(root, page)
    _Writer(page.builder, options).write(root)
    if not page.title:
        first = next((one for one in page.builder.blocks if one.kind == "heading"), None)
        if first:
            page.title = one_line(page.builder.text[first.start : first.end])
    return page


def _name(element: Element) -> str:
    return element.tag if isinstance(element.tag, str) else ""


def _read_facts(root: Element, page: Page) -> None:
    for element in root.iter("title", "meta", "html", "link"):
        if element.tag == "title" and not page.title and _name(element.getparent()) != "svg":
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


class _Writer:
    """Writes the text of a tree, without recursion: depth is the page's business."""

    def __init__(self, builder: TextBuilder, options: HtmlOptions) -> None:
        self._builder, self._options = builder, options
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
        """All of it."""
        stack: list[tuple[Element, bool]] = [(root, False)]
        while stack:
            element, closing = stack.pop()
            if closing:
                self._end(_name(element))
                self._tail(element)
                continue
            name = _name(element)
            if not name or self._is_passed(name, element):
                self._tail(element)
                continue
            if name == "table" and _is_data_table(element):
                self._table(element)
                self._tail(element)
                continue
            self._start(name, element)
            self._add(element.text)
            stack.append((element, True))
            stack.extend((child, False) for child in reversed(element))
        self._flush()
        for one in self._styled:
            self._builder.add_image(one.alt or "")

    def _tail(self, element: Element) -> None:
        self._add(element.tail)

    def _is_passed(self, name: str, element: Element) -> bool:
        if name in _PASSED or "hidden" in element.attrib or _HIDDEN.search(element.get("style") or ""):
            return True
        if self._options.navigation:
            return False
        return name in _NAVIGATION or element.get("role") in ("navigation", "banner", "contentinfo", "menu")

    def _add(self, text: str | None) -> None:
        if text:
            text = clean(text)
            self._inline.append(text if self._preformatted else _BLANKS.sub(" ", text))
            self._ink += ink(text)

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
        elif name in _BLOCKS:
            self._flush(name, inner=bool(self._lists))
            self._hold(name)
            if name[0] == "h" and name[1:].isdigit():
                self._kind = ("heading", {"level": int(name[1])})
            elif name in _LISTS:
                self._lists.append(_first_number(element) if name == "ol" else None)
            elif name == "li":
                self._item()
        if name in _PREFORMATTED:
            self._preformatted += 1

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
        if name in _BLOCKS:
            ends_list = name in _LISTS and bool(self._lists)
            self._flush(name, inner=len(self._lists) > ends_list)
            if self._holders and self._holders[-1][0] == name:
                self._builder.close(self._holders.pop()[1])
            if ends_list:
                self._lists.pop()
            self._mark = "" if name == "li" else self._mark
        if name in _PREFORMATTED:
            self._preformatted = max(0, self._preformatted - 1)

    def _item(self) -> None:
        number = self._lists[-1] if self._lists else None
        indent = "  " * max(0, len(self._lists) - 1)
        self._mark = f"{indent}- " if number is None else f"{indent}{number}. "
        if number is not None:
            self._lists[-1] = number + 1

    def _flush(self, border: str = "", *, inner: bool = False) -> None:
        """End the block that is being written.

        Args:
            border: the element whose edge ends it.
            inner: it is within a list, whose items stand close together.
        """
        text = _joined(self._inline) if self._preformatted else _collapsed(self._inline)
        self._inline.clear()
        kind, facts = self._kind
        if text.strip():
            marker = self._mark.lstrip()
            look: LayoutKind | None = None if marker else "preformatted" if self._preformatted else "paragraph"
            self._builder.add(
                marker + text, kind, gap=self._gap_with_indent(), look=look, marks=self._marks(ink(marker)), **facts
            )
            self._mark, self._gap = "", "\n"
            self._ink, self._styled = 0, []
            self._styles = [(name, style, 0, href) for name, style, _, href in self._styles]
        if border and border not in _TIGHT and not inner:
            self._gap = "\n\n"
        self._kind = ("paragraph", {})

    def _marks(self, before: int) -> list[InlineMark]:
        """Styles of the block, those that go on included; `before` = ink of the sign before an item."""
        going_on = [InlineMark(kind, first, self._ink, href) for _, kind, first, href in self._styles]
        moved = [
            InlineMark(kind, first + before, past + before, href, alt)
            for kind, first, past, href, alt in sorted((*going_on, *self._styled), key=lambda one: (one[1], -one[2]))
        ]
        return [InlineMark("syntax", 0, before), *moved] if before else moved

    def _gap_with_indent(self) -> str:
        """Items of inner lists stand further in; the indent belongs to the gap, not to the block."""
        return self._gap + " " * (len(self._mark) - len(self._mark.lstrip()))

    def _table(self, table: Element) -> None:
        self._flush("table")
        for caption in table.iterchildren("caption"):
            self._builder.add(_cell_text(caption), "paragraph", gap="\n\n")
        found = list(table.iter("tr"))
        heads = takewhile(lambda row: all(_name(one) == "th" for one in row.iterchildren("td", "th")), found)
        cells = sum(1 for row in found for _ in row.iterchildren("td", "th"))
        blanks = _Blanks(_BLANKS_AT_LEAST + _BLANKS_A_CELL * cells)
        rows = [list(_cells(row, blanks)) for row in found]
        self._builder.add_table(rows, self._options.separator, headers=sum(1 for _ in heads))
        self._gap = "\n\n"


def _first_number(element: Element) -> int:
    start = (element.get("start") or "1").strip()
    return int(start) if re.fullmatch(r"-?\d{1,9}", start) else 1


def _collapsed(parts: list[str]) -> str:
    lines = _BLANKS_BUT_LINES.sub(" ", "".join(parts)).split("\n")
    return "\n".join(line.strip(" ") for line in lines).strip("\n")


def _joined(parts: list[str]) -> str:
    return "".join(parts).strip("\n")


def _is_data_table(table: Element) -> bool:
    """Rows of cells, not a grid that lays a page out: no table in it, more than one column, no page in a cell."""
    if table.get("role") in ("presentation", "none"):
        return False
    columns = 0
    for element in table.iter("table", "tr", "ul", "ol", "h1", "h2", "h3", "pre", "blockquote"):
        if element is table:
            continue
        if element.tag != "tr":
            return False
        columns = max(columns, sum(1 for child in element if _name(child) in ("td", "th")))
    return columns > 1


@dataclass
class _Blanks:
    """Empty cells that a table may still have for cells that span columns: a short tag asks for many."""

    left: int

    def take(self, count: int) -> int:
        """As many of them as are left."""
        taken = max(0, min(count, self.left))
        self.left -= taken
        return taken


def _cells(row: Element, blanks: _Blanks) -> Iterator[str]:
    for cell in row.iterchildren("td", "th"):
        yield _cell_text(cell)
        span = cell.get("colspan") or "1"
        for _ in range(blanks.take(min(int(span), _SPAN_LIMIT) - 1) if span.isdecimal() and len(span) < 10 else 0):
            yield ""


def _cell_text(cell: Element) -> str:
    """Text of a cell on one line."""
    parts = []
    stack: list[tuple[Element, bool]] = [(cell, False)]
    while stack:
        element, closing = stack.pop()
        name = _name(element)
        if closing:
            parts.append(" " if name in _BLOCKS or name == "br" else "")
            parts.append((element.tail or "") if element is not cell else "")
            continue
        hidden = "hidden" in element.attrib or _HIDDEN.search(element.get("style") or "")
        stack.append((element, True))
        if name and name not in _PASSED and not hidden:
            parts.append(element.text or "")
            stack.extend((child, False) for child in reversed(element))
    return _BLANKS.sub(" ", "".join(parts)).strip(" ")
