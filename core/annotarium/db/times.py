"""Moments on the wire: stored as milliseconds, sent as ISO 8601 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def iso(moment_ms: int | None) -> str | None:
    """`2026-11-21T10:03:27.123Z`, None stays None."""
    if moment_ms is None:
        return None
    seconds, milliseconds = divmod(moment_ms, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{milliseconds:03d}Z"


def from_iso(text: str) -> int:
    """Milliseconds of an ISO 8601 moment; without a zone it is read as UTC. Raises `ValueError`."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)
