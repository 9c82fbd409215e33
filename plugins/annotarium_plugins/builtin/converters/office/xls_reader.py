"""Old Excel files (xls)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.faults import damaged, protected
from annotarium_plugins.builtin.converters.office.cells import format_kind, shown
from annotarium_plugins.builtin.converters.office.model import Properties, Sheet, Workbook


def read_xls(path: Path, properties: Properties) -> Workbook:
    """Sheets in their order.

    Args:
        properties: those of the OLE file, read before.

    Raises:
        ComponentError: it is encrypted, damaged, or older than Excel 2.
    """
    import xlrd
    from xlrd.compdoc import CompDocError

    try:
        book = xlrd.open_workbook(
            str(path), on_demand=True, ragged_rows=True, formatting_info=True, logfile=io.StringIO()
        )
    except xlrd.XLRDError as error:
        if "encrypt" in str(error).lower():
            raise protected() from error
        raise damaged(str(error)[:200]) from error
    except CompDocError as error:
        raise damaged("Its inner file system is broken.") from error
    except Exception as error:
        # The library fails on broken records in every way Python can; the file is at fault.
        raise damaged(f"A record cannot be read ({type(error).__name__}).") from error
    return Workbook(properties, _sheets(book))


def _sheets(book: Any) -> Iterator[Sheet]:
    for number in range(book.nsheets):
        try:
            sheet = book.sheet_by_index(number)
        except ComponentError:
            raise
        except Exception as error:
            raise damaged(f"The sheet {number + 1} cannot be read ({type(error).__name__}).") from error
        yield Sheet(sheet.name, _rows(book, sheet), sheet.visibility != 0)
        book.unload_sheet(number)


def _rows(book: Any, sheet: Any) -> Iterator[tuple[int, list[str]]]:
    for number in range(sheet.nrows):
        cells = [_text(book, cell) for cell in sheet.row(number)]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number + 1, cells


def _text(book: Any, cell: Any) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_TEXT:
        return str(cell.value)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, "#ERROR!"))
    if cell.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        return shown(float(cell.value), _kind(book, cell), book.datemode == 1)
    return ""


def _kind(book: Any, cell: Any) -> str:
    try:
        code = book.xf_list[cell.xf_index].format_key
        found = book.format_map.get(code)
    except (IndexError, TypeError):
        return "number"
    return format_kind(code, found.format_str if found else None)
