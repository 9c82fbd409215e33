"""Reads Word files (docx): paragraphs, headings, tables, text boxes, notes. Deleted revisions are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotarium_plugins.builtin.converters.common.errors import EXTENSION, WORD, wrong_format
from annotarium_plugins.builtin.converters.common.xml_reader import Element, attribute, child, local_name
from annotarium_plugins.builtin.converters.common.zip_package import Package, open_package
from annotarium_plugins.builtin.converters.office.model import (
    Paragraph,
    StyledText,
    Table,
    WordProcessorDocument,
    text_and_inline_marks,
)
from annotarium_plugins.builtin.converters.office.properties import ooxml_properties
from annotarium_schemas.documents import LayoutKind

_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_PASSED = {"del", "moveFrom", "instrText", "delText", "pPr", "rPr", "Fallback", "rPh", "annotationRef", "object"}
"""Deleted and moved text, field codes, and the fallback of content that is stored twice."""
_CELL_CONTENT = ("p", "tbl")
_EMPHASES: dict[str, LayoutKind] = {"b": "strong", "i": "emphasis", "u": "underline", "strike": "strike"}
_OFF = ("0", "false", "off", "none")
_DEEPEST_LIST = 9


@dataclass
class _Style:
    name: str
    level: int | None
    based_on: str


def read_docx(path: Path) -> WordProcessorDocument:
    """Return the blocks of a docx. Notes, comments and headers follow the body, with their kind.

    Raises:
        ComponentError: it is damaged, or not a docx.
    """
    with open_package(path) as package:
        name = package.part("", "officeDocument") or "word/document.xml"
        if name not in package.names:
            raise wrong_format(WORD, EXTENSION)
        root = package.xml(name)
        body = child(root, "body")
        if local_name(root) != "document" or body is None:
            raise wrong_format(WORD, EXTENSION)
        styles_name = package.part(name, "styles")
        styles_root = package.xml(styles_name) if styles_name else None
        properties = ooxml_properties(package)
        properties.language = properties.language or _default_language(styles_root)
        reader = _Reader(_styles(styles_root))
        blocks = list(reader.blocks(body))
        blocks += _notes_comments_and_headers(package, name, reader)
        return WordProcessorDocument(properties, blocks)


def _notes_comments_and_headers(package: Package, main: str, reader: _Reader) -> Iterator[Paragraph | Table]:
    seen = set()
    kinds = {"footnotes": "note", "endnotes": "note", "comments": "comment", "header": "header", "footer": "header"}
    for kind, target in package.related(main).values():
        if kind not in kinds or target not in package.names or target in seen:
            continue
        seen.add(target)
        root = package.xml(target)
        holders = (
            [root] if kinds[kind] == "header" else [one for one in root if attribute(one, "type") in (None, "normal")]
        )
        for holder in holders:
            text = "\n".join(_texts_of_blocks(reader.blocks(holder)))
            yield Paragraph(text, kinds[kind])


def _texts_of_blocks(blocks: Iterator[Paragraph | Table]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Paragraph):
            yield block.text
        else:
            yield from (" ".join(row) for row in block.rows)


def _styles(root: Element | None) -> dict[str, _Style]:
    found = {}
    for style in root if root is not None else ():
        if local_name(style) != "style" or attribute(style, "type") != "paragraph":
            continue
        name, based, properties = child(style, "name"), child(style, "basedOn"), child(style, "pPr")
        found[attribute(style, "styleId") or ""] = _Style(
            (attribute(name, "val") or "").lower() if name is not None else "",
            _outline_level(properties),
            (attribute(based, "val") or "") if based is not None else "",
        )
    return found


def _outline_level(properties: Element | None) -> int | None:
    """Return the outline level of a paragraph from 1; 0 = body text, None = not specified."""
    element = child(properties, "outlineLvl") if properties is not None else None
    value = attribute(element, "val") if element is not None else None
    if value is None or not value.isdigit():
        return None
    return int(value) + 1 if int(value) < 9 else 0


def _default_language(root: Element | None) -> str:
    for element in root.iter() if root is not None else ():
        if local_name(element) == "docDefaults":
            return next((attribute(one, "val") or "" for one in element.iter() if local_name(one) == "lang"), "")
    return ""


class _Reader:
    """Reads blocks; `styles` by id."""

    def __init__(self, styles: dict[str, _Style]) -> None:
        self._styles = styles

    def blocks(self, holder: Element) -> Iterator[Paragraph | Table]:
        """Yield the blocks of a body, a cell, a note or a text box."""
        for element in holder:
            name = local_name(element)
            if name == "p":
                yield from self._paragraph(element)
            elif name == "tbl":
                yield Table([self._row(row) for row in _children_named(element, "tr")])
            elif name not in _PASSED and name not in ("sectPr", "tblPr", "tcPr", "tblGrid", "sdtPr", "sdtEndPr"):
                yield from self.blocks(element)  # content controls, custom XML, insertions

    def _paragraph(self, element: Element) -> Iterator[Paragraph | Table]:
        boxes: list[Element] = []
        text, marks = text_and_inline_marks(_inline(element, boxes))
        properties = child(element, "pPr")
        level = self._level(properties)
        depth = 0 if level else _list_depth(properties)
        yield Paragraph(text, "heading" if level else "paragraph", level, marks, depth)
        for box in boxes:
            yield from self.blocks(box)

    def _level(self, properties: Element | None) -> int:
        own = _outline_level(properties)
        if own is not None:
            return own
        element = child(properties, "pStyle") if properties is not None else None
        identifier = (attribute(element, "val") or "") if element is not None else ""
        for _ in range(20):  # style inheritance may be circular
            style = self._styles.get(identifier)
            if style is None:
                return 0
            if style.level is not None:
                return style.level
            if style.name == "title":
                return 1
            if style.name.startswith("heading ") and style.name[8:].isdigit():
                return int(style.name[8:])
            identifier = style.based_on
        return 0

    def _row(self, row: Element) -> list[str]:
        cells = []
        for cell in _children_named(row, "tc"):
            cells.append(" ".join(_texts_of_blocks(self.blocks(cell))))
            properties = child(cell, "tcPr")
            span = child(properties, "gridSpan") if properties is not None else None
            value = (attribute(span, "val") or "") if span is not None else ""
            if value.isdigit():
                cells += [""] * min(int(value) - 1, 62)
        return cells


def _children_named(element: Element, name: str) -> Iterator[Element]:
    """Yield children with a name, also those inside content controls and insertions."""
    for one in element:
        if local_name(one) == name:
            yield one
        elif local_name(one) in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            yield from _children_named(one, name)


def _list_depth(properties: Element | None) -> int:
    """Return the list depth of a paragraph from 1; 0 = not in a list. Word does not store markers and
    numbers as text.
    """
    numbering = child(properties, "numPr") if properties is not None else None
    identifier = child(numbering, "numId") if numbering is not None else None
    if numbering is None or identifier is None or attribute(identifier, "val") in (None, "0"):
        return 0
    level = child(numbering, "ilvl")
    value = (attribute(level, "val") or "0") if level is not None else "0"
    return min(_DEEPEST_LIST, int(value) + 1 if value.isdigit() else 1)


def _emphases(run: Element) -> tuple[LayoutKind, ...]:
    properties = child(run, "rPr")
    if properties is None:
        return ()
    found: list[LayoutKind] = []
    for one in properties:
        kind = _EMPHASES.get(local_name(one))
        if kind is not None and attribute(one, "val") not in _OFF:
            found.append(kind)
        elif local_name(one) == "vertAlign" and attribute(one, "val") in ("superscript", "subscript"):
            found.append("superscript" if attribute(one, "val") == "superscript" else "subscript")
    return tuple(found)


def _inline(element: Element, boxes: list[Element]) -> Iterator[str | StyledText]:
    for one in element:
        name = local_name(one)
        if name == "t":
            yield one.text or ""
        elif name == "r" and _is_hidden(one):
            continue
        elif name == "r" and (kinds := _emphases(one)):
            for piece in _inline(one, boxes):
                yield StyledText(piece, kinds) if isinstance(piece, str) else piece
        elif name in _SIGNS:
            yield _SIGNS[name]
        elif name == "sym":
            yield _symbol(attribute(one, "char") or "")
        elif name == "txbxContent":
            boxes.append(one)
        elif name == "ruby":
            base = child(one, "rubyBase")
            yield from _inline(base, boxes) if base is not None else ()
        elif name not in _PASSED:
            yield from _inline(one, boxes)


def _is_hidden(run: Element) -> bool:
    properties = child(run, "rPr")
    mark = child(properties, "vanish") if properties is not None else None
    return mark is not None and attribute(mark, "val") not in ("0", "false", "off")


def _symbol(code: str) -> str:
    """Return a character of a symbol font; most are private-use characters, as Word itself copies them."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    return chr(number) if 0 < number < 0x110000 else ""
