"""Moments on the wire: stored as milliseconds, sent as ISO 8601 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

_MINUTE = 60_000


def iso(moment_ms: int | None) -> str | None:
    """`2026-11-21T10:03:27.123Z`, None stays None."""
    if moment_ms is None:
        return None
    seconds, milliseconds = divmod(moment_ms, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat()[:19]}.{milliseconds:03d}Z"


class IsoMemory(dict[int, str]):
    """`iso` by subscript for many moments: a minute is worked out once, and so is what is imported together."""

    def __init__(self) -> None:
        super().__init__()
        self._minutes: dict[int, str] = {}

    def __missing__(self, moment_ms: int) -> str:
        minute, rest = divmod(moment_ms, _MINUTE)
        begin = self._minutes.get(minute)
        if begin is None:
            whole = iso(minute * _MINUTE)
            assert whole is not None
            begin = self._minutes[minute] = whole[: -len("00.000Z")]
        text = self[moment_ms] = f"{begin}{rest // 1000:02d}.{rest % 1000:03d}Z"
        return text


def from_iso(text: str) -> int:
    """Milliseconds of an ISO 8601 moment; without a zone it is read as UTC. Raises `ValueError`."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)
