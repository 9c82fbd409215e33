"""Values of cells as text: the value itself, not how a format shows it; dates and times as ISO 8601."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

_DATE_CODES = re.compile(r"[dmyhse]")
_LITERALS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]')
_SECONDS_A_DAY = 86_400
_BUILT_IN_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_BUILT_IN_PERCENT = frozenset([9, 10])


def number_text(value: float) -> str:
    """A number with the 15 digits a spreadsheet keeps, without an exponent where it is usual, without `.0`."""
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


def format_kind(code: int, text: str | None) -> str:
    """`date`, `percent` or `number`: what a number format shows.

    Args:
        code: its number; under 164 it may be built in.
        text: its pattern, None when the file does not hold one.
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
    """A day number as a date, a date and time, or (under 1) a time. A number that is no day stays a number."""
    if not -1 < serial < 2_958_466:
        return number_text(serial)
    seconds = round(serial * _SECONDS_A_DAY)
    days, rest = divmod(seconds, _SECONDS_A_DAY)
    time = f"{rest // 3600:02}:{rest % 3600 // 60:02}:{rest % 60:02}"
    if days == 0 and not from_1904:
        return time
    # Lotus's 29 February 1900 is kept by Excel
    first = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if days > 60 else 31)
    day = (first + timedelta(days=days)).date().isoformat()
    return f"{day} {time}" if rest else day


def formatted_number(value: float, kind: str, from_1904: bool) -> str:
    """A number as its kind of format says."""
    if kind == "date":
        return date_text(value, from_1904)
    if kind == "percent":
        return f"{number_text(round(value * 100, 10))}%"
    return number_text(value)
