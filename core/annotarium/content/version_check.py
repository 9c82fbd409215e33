"""Checks the version that a change is based on, which a client sends as `If-Match`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotarium.access.call import Call
from annotarium.errors import VersionMismatch
from annotarium_schemas.messages import message


def check_version(call: Call, version: int, text: str, current: Callable[[], dict[str, Any]]) -> None:
    """Refuse a change that is based on a version other than the current one. Without `If-Match` any change is accepted.

    Args:
        version: the current version.
        text: the error message.
        current: returns the current state as JSON; called only when it is needed.

    Raises:
        VersionMismatch: `details[0]["current"]` is the current state.
    """
    if call.if_match is None or call.if_match == version:
        return
    raise VersionMismatch(
        text,
        cause=message(
            "changed.version",
            "Its version is {now}; your change is based on version {yours}",
            now=version,
            yours=call.if_match,
        ),
        details=[{"current": current()}],
    )
