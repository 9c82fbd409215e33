"""Formats the values of cells as text: the stored value, not its displayed format; dates and times as ISO 8601."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

_DATE_CODES = re.compile(r"[dmyhse]")
_LITERALS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]')
_SECONDS_A_DAY = 86_400
_BUILT_IN_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_BUILT_IN_PERCENT = frozenset([9, 10])


def number_text(value: float) -> str:
    """Format a number with the 15 digits a spreadsheet stores, without `.0`, and without an exponent for usual
    magnitudes.
    """
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


def format_kind(code: int, text: str | None) -> str:
    """Return what a number format displays: `date`, `percent` or `number`.

    Args:
        code: number of the format; below 164 it may be built in.
        text: pattern of the format, None when the file does not contain one.
    """
    if text is None:
        return "date" if code in _BUILT_IN_DATES else "percent" if code in _BUILT_IN_PERCENT else "number"
    plain = _LITERALS.sub("", text.split(";")[0]).lower()
    if "general" in plain:
        return "number"
    if _DATE_CODES.search(plain):
        return "date"
    return "percent" if "%" in plain else "number"


def date_text(serial: float, from_1904: bool) -> str:
    """Format a day number as a date, a date with time, or (below 1) a time. A number that is not a day stays
    a number.
    """
    if not -1 < serial < 2_958_466:
        return number_text(serial)
    seconds = round(serial * _SECONDS_A_DAY)
    days, rest = divmod(seconds, _SECONDS_A_DAY)
    time = f"{rest // 3600:02}:{rest % 3600 // 60:02}:{rest % 60:02}"
    if days == 0 and not from_1904:
        return time
    # Excel reproduces the 29 February 1900 of Lotus 1-2-3
    first = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if days > 60 else 31)
    day = (first + timedelta(days=days)).date().isoformat()
    return f"{day} {time}" if rest else day


def formatted_number(value: float, kind: str, from_1904: bool) -> str:
    """Format a number according to `format_kind`."""
    if kind == "date":
        return date_text(value, from_1904)
    if kind == "percent":
        return f"{number_text(round(value * 100, 10))}%"
    return number_text(value)
