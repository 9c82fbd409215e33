"""Reads OpenDocument workbooks (ods)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from annotarium_plugins.builtin.converters.common.xml_reader import Element, attribute, local_name
from annotarium_plugins.builtin.converters.common.zip_package import open_package
from annotarium_plugins.builtin.converters.office.cell_values import number_text
from annotarium_plugins.builtin.converters.office.model import Sheet, Workbook
from annotarium_plugins.builtin.converters.office.open_document import (
    BlockReader,
    open_body,
    properties_with_language,
    repeated_cells,
    repeated_rows,
)

_COLUMNS = 16_384
_REPEATED_ROWS = 10_000
"""Maximum number of times a row with content is repeated: files fill whole columns with one repetition."""
_DURATION = re.compile(r"PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S")


def read_ods(path: Path) -> Workbook:
    """Return the sheets of an ods.

    Raises:
        ComponentError: it is encrypted, damaged, or not an ods.
    """
    with open_package(path) as package:
        root, body = open_body(package, "spreadsheet", "an OpenDocument workbook")
        properties = properties_with_language(package)
    hidden = {
        attribute(one.getparent(), "name")
        for one in root.iter()
        if local_name(one) == "table-properties" and attribute(one, "display") == "false"
    }
    tables = (one for one in body if local_name(one) == "table")
    sheets = (Sheet(attribute(one, "name") or "", _rows(one), attribute(one, "style-name") in hidden) for one in tables)
    return Workbook(properties, sheets)


def _rows(table: Element) -> Iterator[tuple[int, list[str]]]:
    reader = BlockReader(set())
    number = 1
    for row, count in repeated_rows(table):
        cells: list[str] = []
        for cell, times in repeated_cells(row, _COLUMNS):
            cells += [_cell_text(reader, cell)] * times
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            for place in range(min(count, _REPEATED_ROWS)):
                yield number + place, cells
        number += count


def _cell_text(reader: BlockReader, cell: Element) -> str:
    kind = attribute(cell, "value-type")
    displayed = "\n".join(reader.text(one) for one in cell if local_name(one) in ("p", "h"))
    if kind == "date":
        return (attribute(cell, "date-value") or displayed).replace("T", " ")
    if kind == "time":
        found = _DURATION.fullmatch(attribute(cell, "time-value") or "")
        return f"{int(found[1]):02}:{int(found[2]):02}:{int(found[3]):02}" if found else displayed
    if kind in ("float", "currency", "percentage"):
        return _number_as_text(attribute(cell, "value"), kind) or displayed
    return displayed or attribute(cell, "string-value") or ""


def _number_as_text(value: str | None, kind: str) -> str:
    try:
        number = float(value or "nan")
    except ValueError:
        return ""
    if not math.isfinite(number):
        return ""
    return f"{number_text(round(number * 100, 10))}%" if kind == "percentage" else number_text(number)
