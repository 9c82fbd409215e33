"""Buckets of dates (C-071) and of counts (C-070), and parsing of range ends."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from annotarium.errors import InvalidInput

Ends = tuple[float | None, float | None]
"""Half-open: from inclusive, to exclusive; None is open."""

COUNT_RANGES: dict[str, Ends] = {
    "0": (0, 1),
    "~1": (1, 10),
    "~10": (10, 100),
    "~100": (100, 1_000),
    "~1k": (1_000, 10_000),
    "~10k": (10_000, 100_000),
    "~100k": (100_000, 1_000_000),
    "~1M": (1_000_000, 10_000_000),
    "~10M": (10_000_000, 100_000_000),
    "100M+": (100_000_000, None),
}
"""Ends of the count ranges by key."""

DATE_KEYS = ("just_now", "last_hour", "today", "this_week", "this_month", "this_year", "more_than_a_year_ago")
"""Keys of the date buckets, newest first. Each includes the earlier ones, except the last (UTC, weeks start on Monday).
"""


def date_ranges(now_ms: float) -> dict[str, Ends]:
    """Return the ends of the date buckets in epoch milliseconds by key, relative to the time `now_ms`."""
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        year_ago = now.replace(year=now.year - 1)
    except ValueError:
        year_ago = now.replace(year=now.year - 1, day=28)
    starts = (
        now - timedelta(minutes=5),
        now - timedelta(hours=1),
        midnight,
        midnight - timedelta(days=now.weekday()),
        midnight.replace(day=1),
        midnight.replace(month=1, day=1),
    )
    ranges: dict[str, Ends] = {
        key: (start.timestamp() * 1000, None) for key, start in zip(DATE_KEYS, starts, strict=False)
    }
    ranges[DATE_KEYS[-1]] = (None, year_ago.timestamp() * 1000)
    return ranges


def parse_number(text: str) -> float | None:
    """Return a finite number, or None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def parse_date(text: str, now_ms: float, *, end: bool = False) -> float | None:
    """Return epoch milliseconds of an ISO 8601 date or time (UTC by default), `now`, or a number; else None.

    With `end`, a date without a time (`2020`, `2020-05`, `2020-05-31`) means its last millisecond.
    """
    if text.lower() == "now":
        return now_ms
    parts = text.split("-")
    if all(part.isdigit() for part in parts) and len(parts) <= 3 and len(parts[0]) == 4:
        return _parse_calendar_date(parts, end)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return parse_number(text)
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() * 1000


def _parse_calendar_date(parts: list[str], end: bool) -> float | None:
    try:
        year, month, day = [*map(int, parts), 1, 1][:3]
        first = datetime(year, month, day, tzinfo=UTC)
        if not end:
            return first.timestamp() * 1000
        if len(parts) == 3:
            after = first + timedelta(days=1)
        elif len(parts) == 2:
            after = (first + timedelta(days=32)).replace(day=1)
        else:
            after = first.replace(year=first.year + 1)
    except (ValueError, OverflowError):
        return None
    return after.timestamp() * 1000 - 1


def parse_range_end(field: str, text: str | None, kind: str, *, now_ms: float, last: bool) -> float | None:
    """An end of a range of dates (`kind` "d") or numbers; None for an open end.

    Args:
        last: whether it is the upper end; of a date that is its last moment.

    Raises:
        InvalidInput: no date or number.
    """
    if text is None:
        return None
    end = parse_date(text, now_ms, end=last) if kind == "d" else parse_number(text)
    if end is None:
        held, wanted = ("dates", "a date like 2020-05-31") if kind == "d" else ("numbers", "a number")
        raise InvalidInput(f"The field {field} holds {held}: '{text}' is not {wanted}")
    return end
