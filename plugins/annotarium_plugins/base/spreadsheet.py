"""The one writer of spreadsheet rows: what a cell says is text, whatever a spreadsheet program would make of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How a cell begins that a spreadsheet program takes for a formula, or that hides such a beginning."""
BOM = "\ufeff".encode()
"""Tells spreadsheet programs that the file is UTF-8."""


def safe_cell(value: object) -> str:
    """The text of a cell; what would be run as a formula gets an apostrophe. Numbers stay what they are."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def csv_rows(rows: Iterable[Sequence[object]], delimiter: str = ",") -> Iterable[bytes]:
    """Rows as CSV in UTF-8, one chunk per row, quoted where needed."""
    for row in rows:
        line = io.StringIO()
        csv.writer(line, delimiter=delimiter, lineterminator="\r\n").writerow([safe_cell(value) for value in row])
        yield line.getvalue().encode()
