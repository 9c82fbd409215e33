"""Writes spreadsheet rows. All exports use it, so that no cell is run as a formula by a spreadsheet program."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters of a cell that spreadsheet programs take for a formula, and white space that may hide one."""
BOM = "\ufeff".encode()
"""Makes spreadsheet programs read the file as UTF-8."""


def safe_cell(value: object) -> str:
    """Return the text of a cell. A text that would be run as a formula gets an apostrophe in front; numbers stay
    unchanged.
    """
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def csv_rows(rows: Iterable[Sequence[object]], delimiter: str = ",") -> Iterable[bytes]:
    """Yield rows as CSV in UTF-8, one chunk per row; cells are quoted where needed."""
    for row in rows:
        line = io.StringIO()
        csv.writer(line, delimiter=delimiter, lineterminator="\r\n").writerow([safe_cell(value) for value in row])
        yield line.getvalue().encode()
