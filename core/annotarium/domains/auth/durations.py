"""Parsing of the durations that clients request for tokens."""

from __future__ import annotations

import re

from annotarium.errors import InvalidInput
from annotarium_schemas.messages import message

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}
_LONG_UNITS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
_SHORT = re.compile(r"^(\d{1,9})([smhd]?)$", re.IGNORECASE)
_LONG_FORM = re.compile(r"^(\d{1,9})\s*(second|minute|hour|day)s?$", re.IGNORECASE)
_ISO = re.compile(r"^P(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$", re.IGNORECASE)


def parse_duration(text: str | None, longest: int) -> int:
    """Return the seconds of `3 hours`, `1 day`, `3600`, `90m`, `12h` or `PT12H`, at most `longest`.

    Returns `longest` for None or a blank text.

    Raises:
        InvalidInput: the text is not a duration, or the duration is zero.
    """
    if text is None or not text.strip():
        return longest
    short, wordy, iso = (form.match(text.strip()) for form in (_SHORT, _LONG_FORM, _ISO))
    seconds = 0
    if short:
        seconds = int(short[1]) * _UNITS[short[2].lower()]
    elif wordy:
        seconds = int(wordy[1]) * _LONG_UNITS[wordy[2].lower()]
    elif iso:
        seconds = sum(int(part or 0) * unit for part, unit in zip(iso.groups(), (86_400, 3_600, 60, 1), strict=True))
    if seconds <= 0:
        raise InvalidInput(
            message("wrong.duration", "The duration is not valid"),
            fix="Write it as 3 hours, 90 minutes or 1 day, or as 12h, 3600 (seconds) or PT12H",
            details=[{"field": "duration", "message": message("field.duration", "not a duration")}],
        )
    return min(seconds, longest)
