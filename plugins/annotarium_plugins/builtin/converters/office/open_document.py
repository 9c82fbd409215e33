"""Shared by the OpenDocument readers: opening, blocks, tables, the text within a paragraph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from annotarium_plugins.builtin.converters.common.errors import (
    EXTENSION,
    damaged_file,
    password_protected,
    wrong_format,
)
from annotarium_plugins.builtin.converters.common.xml_reader import Element, attribute, child, local_name
from annotarium_plugins.builtin.converters.common.zip_package import Package
from annotarium_plugins.builtin.converters.office.model import (
    Paragraph,
    Properties,
    StyledText,
    Table,
    text_and_inline_marks,
)
from annotarium_plugins.builtin.converters.office.properties import open_document_properties
from annotarium_schemas.documents import LayoutKind
from annotarium_schemas.messages import message

_BLANKS = re.compile(r"[ \t\r\n]+")
_PASSED = {
    "tracked-changes",
    "sequence-decls",
    "forms",
    "variable-decls",
    "user-field-decls",
    "note-citation",
    "ruby-text",
}
_ROW_HOLDERS = ("table-header-rows", "table-rows", "table-row-group")
_TABLE_COLUMNS = 256
_MOST_SPACES = 10_000
_DEEPEST_LIST = 9


def open_body(package: Package, kind: str, what: str) -> tuple[Element, Element]:
    """Return the root of the content and its body of a kind (`text`, `spreadsheet`, `presentation`).

    Args:
        what: the expected format, for the error message.

    Raises:
        ComponentError: it is encrypted, damaged, or another kind of OpenDocument.
    """
    manifest = package.optional_xml("META-INF/manifest.xml")
    for element in manifest.iter() if manifest is not None else ():
        if local_name(element) == "encryption-data":
            raise password_protected()
    root = package.xml("content.xml")
    body = child(root, "body")
    if body is None:
        raise damaged_file(message("damaged.noBody", "content.xml has no body."))
    inside = child(body, kind)
    if inside is None:
        raise wrong_format(what, EXTENSION)
    return root, inside


def properties_with_language(package: Package) -> Properties:
    """Return the properties, with the language of the default style when they do not contain one."""
    found = open_document_properties(package)
    styles = package.optional_xml("styles.xml") if not found.language else None
    for element in styles.iter() if styles is not None else ():
        if local_name(element) == "default-style" and attribute(element, "family") == "paragraph":
            properties = child(element, "text-properties")
            if properties is not None:
                language, country = attribute(properties, "language"), attribute(properties, "country")
                parts = [part for part in (language, country) if part and part != "none"]
                found.language = "-".join(parts)
            break
    return found


def title_styles(root: Element) -> set[str]:
    """Return the names of the title paragraph style and of the styles derived from it."""
    names = {"Title"}
    styles = child(root, "automatic-styles")
    for element in styles if styles is not None else ():
        if attribute(element, "parent-style-name") == "Title":
            names.add(attribute(element, "name") or "Title")
    return names


def hidden_styles(root: Element) -> frozenset[str]:
    """Return the names of automatic styles whose text is hidden."""
    styles = child(root, "automatic-styles")
    return frozenset(
        attribute(element, "name") or ""
        for element in (styles if styles is not None else ())
        if (looks := child(element, "text-properties")) is not None and attribute(looks, "display") == "none"
    )


def emphases_by_style(root: Element) -> dict[str, tuple[LayoutKind, ...]]:
    """Return the emphasis of automatic character styles by style name."""
    found: dict[str, tuple[LayoutKind, ...]] = {}
    styles = child(root, "automatic-styles")
    for element in styles if styles is not None else ():
        properties = child(element, "text-properties")
        if attribute(element, "family") == "text" and properties is not None:
            kinds = tuple(kind for kind, says in _LOOKS.items() if says(properties))
            found[attribute(element, "name") or ""] = kinds
    return found


def _property_starts_with(name: str, *wanted: str) -> Callable[[Element], bool]:
    return lambda properties: (attribute(properties, name) or "").startswith(wanted)


def _has_line_property(name: str) -> Callable[[Element], bool]:
    return lambda properties: attribute(properties, name) not in (None, "", "none")


_LOOKS: dict[LayoutKind, Callable[[Element], bool]] = {
    "strong": _property_starts_with("font-weight", "bold", "6", "7", "8", "9"),
    "emphasis": _property_starts_with("font-style", "italic", "oblique"),
    "underline": _has_line_property("text-underline-style"),
    "strike": _has_line_property("text-line-through-style"),
    "superscript": _property_starts_with("text-position", "super"),
    "subscript": _property_starts_with("text-position", "sub"),
}


@dataclass
class BlockReader:
    """Reads blocks. Notes and comments inside them are collected and returned by `rest`."""

    titles: set[str]
    emphases: dict[str, tuple[LayoutKind, ...]] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    aside: list[Paragraph] = field(default_factory=list)
    _depth: int = 0

    def blocks(self, holder: Element) -> Iterator[Paragraph | Table]:
        """Yield the blocks of a body, a section, a text box or a list."""
        for element in holder:
            name = local_name(element)
            if name in ("p", "h"):
                if attribute(element, "style-name") not in self.hidden:
                    yield from self._paragraph(element, name)
            elif name == "table":
                yield self.table(element)
            elif name == "list":
                self._depth += 1
                yield from self.blocks(element)
                self._depth -= 1
            elif name not in _PASSED:
                yield from self.blocks(element)

    def rest(self) -> list[Paragraph]:
        """Return the collected notes and comments in the order of the text."""
        return self.aside

    def table(self, element: Element) -> Table:
        """Return a table with the texts of its cells."""
        made: list[list[str]] = []
        for row in _rows(element):
            cells: list[str] = []
            for cell, count in repeated_cells(row, _TABLE_COLUMNS):
                cells += [self.flat(cell)] * count
            made.append(cells)
        return Table(made)

    def flat(self, holder: Element) -> str:
        """Return the text of a cell on one line."""
        parts = []
        for block in self.blocks(holder):
            parts += [block.text] if isinstance(block, Paragraph) else [" ".join(row) for row in block.rows]
        return " ".join(part for part in parts if part)

    def text(self, element: Element, boxes: list[Element] | None = None) -> str:
        """Return the text of a paragraph; frames within it are added to `boxes`."""
        return text_and_inline_marks(self._inline(element, boxes if boxes is not None else []))[0]

    def _paragraph(self, element: Element, name: str) -> Iterator[Paragraph | Table]:
        boxes: list[Element] = []
        text, marks = text_and_inline_marks(self._inline(element, boxes))
        level = 0
        if name == "h":
            given = attribute(element, "outline-level") or "1"
            level = int(given) if given.isdigit() else 1
        elif attribute(element, "style-name") in self.titles:
            level = 1
        depth = 0 if level else min(self._depth, _DEEPEST_LIST)
        yield Paragraph(text, "heading" if level else "paragraph", level, marks, depth)
        for box in boxes:
            yield from self.blocks(box)

    def _inline(self, element: Element, boxes: list[Element]) -> Iterator[str | StyledText]:
        yield _BLANKS.sub(" ", element.text or "")
        for one in element:
            name = local_name(one)
            if name == "s":
                count = attribute(one, "c") or "1"
                yield " " * (min(int(count), _MOST_SPACES) if count.isdigit() else 1)
            elif name == "tab":
                yield "\t"
            elif name == "line-break":
                yield "\n"
            elif name in ("note", "annotation"):
                self._collect(one, "note" if name == "note" else "comment")
            elif name in ("frame", "custom-shape", "g"):
                boxes.append(one)
            elif name == "span":
                yield from self._span(one, boxes)
            elif name not in _PASSED and name != "annotation-end":
                yield from self._inline(one, boxes)
            yield _BLANKS.sub(" ", one.tail or "")

    def _span(self, element: Element, boxes: list[Element]) -> Iterator[str | StyledText]:
        style = attribute(element, "style-name") or ""
        kinds = self.emphases.get(style)
        for piece in self._inline(element, boxes) if style not in self.hidden else ():
            yield StyledText(piece, kinds) if kinds and isinstance(piece, str) else piece

    def _collect(self, element: Element, kind: str) -> None:
        body = child(element, "note-body") if kind == "note" else element
        if body is None:
            return
        text = "\n".join(self.text(one) for one in body.iter() if local_name(one) in ("p", "h"))
        self.aside.append(Paragraph(text, kind))


def _rows(element: Element) -> Iterator[Element]:
    for one in element:
        if local_name(one) == "table-row":
            yield one
        elif local_name(one) in _ROW_HOLDERS:
            yield from _rows(one)


def repeated_rows(element: Element) -> Iterator[tuple[Element, int]]:
    """Yield the rows of a table, each with its number of repetitions."""
    for row in _rows(element):
        yield row, _repeat_count(row, "number-rows-repeated")


def repeated_cells(row: Element, most: int) -> Iterator[tuple[Element, int]]:
    """Yield the cells of a row, each with its number of repetitions; at most `most` columns in total."""
    left = most
    for cell in row:
        if local_name(cell) not in ("table-cell", "covered-table-cell"):
            continue
        count = min(_repeat_count(cell, "number-columns-repeated"), left)
        if count <= 0:
            return
        left -= count
        yield cell, count


def _repeat_count(element: Element, name: str) -> int:
    value = attribute(element, name) or "1"
    return max(1, int(value)) if value.isdigit() and len(value) < 12 else 1
