"""Reads old Excel files (xls)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from annotarium_plugins.builtin.converters.common.errors import (
    EXTENSION,
    damaged_file,
    password_protected,
    wrong_format,
)
from annotarium_plugins.builtin.converters.common.ole_file import OleFile
from annotarium_plugins.builtin.converters.office.cell_values import format_kind, formatted_number
from annotarium_plugins.builtin.converters.office.model import Sheet, Workbook
from annotarium_plugins.builtin.converters.office.properties import ole_properties
from annotarium_schemas.messages import message


def read_xls(package: OleFile) -> Workbook:
    """Return the sheets in order.

    Raises:
        ComponentError: it is not a workbook, encrypted or damaged.
    """
    import xlrd

    name = next((one for one in ("Workbook", "Book") if package.has(one)), None)
    if name is None:
        raise wrong_format(message("kind.workbook", "a workbook"), EXTENSION)
    # Pass the stream itself: xlrd's own OLE reader loops endlessly on damaged files.
    content = package.read(name)

    try:
        book = xlrd.open_workbook(
            file_contents=content, on_demand=True, ragged_rows=True, formatting_info=True, logfile=io.StringIO()
        )
    except xlrd.XLRDError as error:
        if "encrypt" in str(error).lower():
            raise password_protected() from error
        raise damaged_file(str(error)[:200]) from error
    except MemoryError:
        raise
    except Exception as error:
        # The library raises arbitrary exceptions on damaged records; the file is the cause.
        raise damaged_file(f"A record cannot be read ({type(error).__name__}).") from error
    return Workbook(ole_properties(package.raw), _sheets(book))


def _sheets(book: Any) -> Iterator[Sheet]:
    for number in range(book.nsheets):
        try:
            sheet = book.sheet_by_index(number)
        except MemoryError:
            raise
        except Exception as error:
            raise damaged_file(f"The sheet {number + 1} cannot be read ({type(error).__name__}).") from error
        yield Sheet(sheet.name, _rows(book, sheet), sheet.visibility != 0)
        book.unload_sheet(number)


def _rows(book: Any, sheet: Any) -> Iterator[tuple[int, list[str]]]:
    for number in range(sheet.nrows):
        cells = [_cell_text(book, cell) for cell in sheet.row(number)]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number + 1, cells


def _cell_text(book: Any, cell: Any) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_TEXT:
        return str(cell.value)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, "#ERROR!"))
    if cell.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        return formatted_number(float(cell.value), _cell_format_kind(book, cell), book.datemode == 1)
    return ""


def _cell_format_kind(book: Any, cell: Any) -> str:
    try:
        code = book.xf_list[cell.xf_index].format_key
        found = book.format_map.get(code)
    except (IndexError, TypeError):
        return "number"
    return format_kind(code, found.format_str if found else None)
