"""Reads Excel files (xlsx). Rows are streamed; objects are created for existing cells only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import EXCEL, EXTENSION, damaged_file, wrong_format
from annotarium_plugins.builtin.converters.common.xml_reader import (
    Element,
    attribute,
    child,
    iterate_xml,
    local_name,
    relationship_attribute,
)
from annotarium_plugins.builtin.converters.common.zip_package import Package, open_package
from annotarium_plugins.builtin.converters.office.cell_values import format_kind, formatted_number
from annotarium_plugins.builtin.converters.office.model import Sheet, Workbook
from annotarium_plugins.builtin.converters.office.properties import ooxml_properties
from annotarium_schemas.messages import message

_PLACE = re.compile(r"([A-Z]{1,3})\d*")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
COLUMNS = 16_384


@dataclass
class _WorkbookContext:
    """What the cells of a workbook refer to: `kinds` of number formats by style number."""

    strings: list[str]
    kinds: list[str]
    from_1904: bool


def read_xlsx(path: Path) -> Workbook:
    """Return the sheets in order; the package stays open while sheets are read.

    Raises:
        ComponentError: it is damaged, not an xlsx, or a binary workbook.
    """
    opened = open_package(path)
    package = opened.__enter__()
    try:
        name = package.part("", "officeDocument") or "xl/workbook.xml"
        if name.endswith(".bin") or "xl/workbook.bin" in package.names:
            raise ComponentError(
                message("file.xlsb", "The file is a binary workbook (xlsb), which is not supported."),
                cause=message("cause.sheets", "Its sheets are not XML."),
                fix=message("fix.xlsx", "Save it as xlsx and upload it again"),
            )
        if name not in package.names:
            raise wrong_format(EXCEL, EXTENSION)
        root = package.xml(name)
        if local_name(root) != "workbook":
            raise wrong_format(EXCEL, EXTENSION)
        properties = ooxml_properties(package)
        sheets = list(_listed_sheets(package, name, root))
        book = _read_workbook_context(package, name, root)
    except BaseException:
        opened.__exit__(None, None, None)
        raise

    def read() -> Iterator[Sheet]:
        try:
            for title, target, hidden in sheets:
                yield Sheet(title, _rows(package, target, book), hidden)
        finally:
            opened.__exit__(None, None, None)

    return Workbook(properties, read())


def _listed_sheets(package: Package, name: str, root: Element) -> Iterator[tuple[str, str, bool]]:
    related = package.related(name)
    holder = child(root, "sheets")
    for one in holder if holder is not None else ():
        kind, target = related.get(relationship_attribute(one), ("", ""))
        if kind == "worksheet" and target in package.names:
            yield attribute(one, "name") or "", target, attribute(one, "state") in ("hidden", "veryHidden")


def _read_workbook_context(package: Package, name: str, root: Element) -> _WorkbookContext:
    settings = child(root, "workbookPr")
    from_1904 = settings is not None and attribute(settings, "date1904") in ("1", "true")
    strings = package.part(name, "sharedStrings")
    styles = package.part(name, "styles")
    return _WorkbookContext(
        [_string_text(one) for one in iterate_xml(package.stream(strings), strings, "si")] if strings else [],
        _number_format_kinds(package.xml(styles)) if styles else [],
        from_1904,
    )


def _string_text(element: Element) -> str:
    """Return the text of a shared or inline string: its runs, without Japanese phonetic runs."""
    parts = []
    for one in element:
        if local_name(one) == "t":
            parts.append(one.text or "")
        elif local_name(one) == "r":
            parts += [inner.text or "" for inner in one if local_name(inner) == "t"]
    return _unescaped("".join(parts))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _number_format_kinds(root: Element) -> list[str]:
    formats = {}
    holder = child(root, "numFmts")
    for one in holder if holder is not None else ():
        formats[attribute(one, "numFmtId") or ""] = attribute(one, "formatCode") or ""
    cells = child(root, "cellXfs")
    kinds = []
    for one in cells if cells is not None else ():
        code = attribute(one, "numFmtId") or "0"
        kinds.append(format_kind(int(code) if code.isdigit() else 0, formats.get(code)))
    return kinds


def _rows(package: Package, name: str, book: _WorkbookContext) -> Iterator[tuple[int, list[str]]]:
    number = 0
    for row in iterate_xml(package.stream(name), name, "row"):
        given = row.get("r") or ""
        number = int(given) if given.isdigit() and len(given) < 9 else number + 1
        cells: list[str] = []
        for cell in row:
            text = _cell_text(cell, book, name)
            column = _column_index(cell.get("r") or "", len(cells))
            if text and len(cells) <= column < COLUMNS:
                cells += [""] * (column - len(cells))
                cells.append(text)
            elif column == len(cells) and not cell.get("r"):
                cells.append("")
        if cells:
            yield number, cells


def _column_index(place: str, following: int) -> int:
    found = _PLACE.match(place)
    if not found:
        return following
    number = 0
    for letter in found[1]:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _cell_text(cell: Element, book: _WorkbookContext, name: str) -> str:
    kind = cell.get("t") or "n"
    if kind == "inlineStr":
        inline = child(cell, "is")
        return _string_text(inline) if inline is not None else ""
    element = child(cell, "v")
    value = (element.text or "") if element is not None else ""
    if not value:
        return ""
    if kind == "s":
        if not value.isdigit() or int(value) >= len(book.strings):
            raise damaged_file(f"{name}: the cell {cell.get('r')} points to a text that is not there.")
        return book.strings[int(value)]
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    if kind == "d":
        return value.replace("T", " ")
    if kind in ("str", "e"):
        return _unescaped(value)
    return _number_as_text(value, cell.get("s") or "0", book)


def _number_as_text(value: str, style: str, book: _WorkbookContext) -> str:
    try:
        number = float(value)
    except ValueError:
        return value
    kind = book.kinds[int(style)] if style.isdigit() and int(style) < len(book.kinds) else "number"
    return formatted_number(number, kind, book.from_1904)
