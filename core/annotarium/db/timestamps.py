"""Timestamps: stored in milliseconds, serialised as ISO 8601 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

_MINUTE = 60_000
MIN_TIMESTAMP, MAX_TIMESTAMP = -62_135_596_800_000, 253_402_300_799_999
"""The first millisecond of the year 1 and the last of 9999: the range of ISO 8601."""


def clamp_timestamp(timestamp_ms: int) -> int:
    """The nearest timestamp in the ISO 8601 range: a corrupt row must not break a whole response."""
    return min(max(timestamp_ms, MIN_TIMESTAMP), MAX_TIMESTAMP)


def iso(timestamp_ms: int | None) -> str | None:
    """`2026-11-21T10:03:27.123Z`; None stays None. Never raises: values out of range are clamped."""
    if timestamp_ms is None:
        return None
    minute, rest = divmod(
        timestamp_ms if MIN_TIMESTAMP <= timestamp_ms <= MAX_TIMESTAMP else clamp_timestamp(timestamp_ms), _MINUTE
    )
    return f"{_iso_prefix_of_minute(minute)}{rest // 1000:02d}.{rest % 1000:03d}Z"


@lru_cache(maxsize=4_096)
def _iso_prefix_of_minute(minute: int) -> str:
    """The common part of all timestamps in a minute, cached: most rows of a page were created together."""
    return datetime.fromtimestamp(minute * 60, UTC).isoformat()[:17]


class IsoCache(dict[int, str]):
    """`iso` by subscript, cached for many timestamps: rows imported together share one."""

    def __missing__(self, timestamp_ms: int) -> str:
        minute, rest = divmod(clamp_timestamp(timestamp_ms), _MINUTE)
        text = self[timestamp_ms] = f"{_iso_prefix_of_minute(minute)}{rest // 1000:02d}.{rest % 1000:03d}Z"
        return text


def from_iso(text: str) -> int:
    """Milliseconds of an ISO 8601 timestamp; without a time zone it is read as UTC. Raises `ValueError`."""
    parsed = datetime.fromisoformat(text)
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=UTC)
    return round(parsed.timestamp() * 1000)
