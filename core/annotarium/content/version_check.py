"""The version that a change was made on, which a caller names by `If-Match`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotarium.access.call import Call
from annotarium.errors import VersionMismatch
from annotarium_schemas.messages import message


def check_version(call: Call, version: int, text: str, current: Callable[[], dict[str, Any]]) -> None:
    """Refuse a change that was made on another version than the present one. Without `If-Match` any change is made.

    Args:
        version: the present one.
        text: the message, when it is another.
        current: the present state, as JSON; asked for only when it is needed.

    Raises:
        VersionMismatch: `details[0]["current"]` holds the present state.
    """
    if call.if_match is None or call.if_match == version:
        return
    raise VersionMismatch(
        text,
        cause=message(
            "changed.version",
            "It is at version {now}, your change was made on version {yours}",
            now=version,
            yours=call.if_match,
        ),
        details=[{"current": current()}],
    )
