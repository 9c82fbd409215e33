"""Moments on the wire: stored as milliseconds, sent as ISO 8601 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

_MINUTE = 60_000
FIRST_MOMENT, LAST_MOMENT = -62_135_596_800_000, 253_402_300_799_999
"""The first millisecond of the year 1 and the last one of 9999: what can be written as ISO 8601."""


def bounded(moment_ms: int) -> int:
    """The moment, or the nearest one that can be written: a damaged row must not end the answer that it is part of."""
    return min(max(moment_ms, FIRST_MOMENT), LAST_MOMENT)


def iso(moment_ms: int | None) -> str | None:
    """`2026-11-21T10:03:27.123Z`, None stays None. Total: what is out of range is written as the nearest moment."""
    if moment_ms is None:
        return None
    minute, rest = divmod(moment_ms if FIRST_MOMENT <= moment_ms <= LAST_MOMENT else bounded(moment_ms), _MINUTE)
    return f"{_begin(minute)}{rest // 1000:02d}.{rest % 1000:03d}Z"


@lru_cache(maxsize=4_096)
def _begin(minute: int) -> str:
    """What moments of a minute have in common: most of a page were made together."""
    return datetime.fromtimestamp(minute * 60, UTC).isoformat()[:17]


class IsoMemory(dict[int, str]):
    """`iso` by subscript for many moments: what was imported together is worked out once."""

    def __missing__(self, moment_ms: int) -> str:
        minute, rest = divmod(bounded(moment_ms), _MINUTE)
        text = self[moment_ms] = f"{_begin(minute)}{rest // 1000:02d}.{rest % 1000:03d}Z"
        return text


def from_iso(text: str) -> int:
    """Milliseconds of an ISO 8601 moment; without a zone it is read as UTC. Raises `ValueError`."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)
