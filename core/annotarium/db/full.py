"""When there is no space left where the data lies."""

from __future__ import annotations

import errno
import shutil
import sqlite3

from sqlalchemy.exc import DBAPIError

from annotarium.errors import ServiceUnavailable
from annotarium.settings import MEBIBYTE, get_settings
from annotarium_schemas.said import say

_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT})
_STATE = "53100"
LEAST_FREE = 32 * MEBIBYTE
"""Bytes on the disk of the data folder below which the installation is in trouble."""


class DiskFull(ServiceUnavailable):
    """A change could not be written down."""

    def __init__(self) -> None:
        super().__init__(
            say("server.full", "There is no space left to save it"),
            cause=say("server.fullCause", "The disk that holds the data is full"),
            fix=say(
                "server.fullFix",
                "Ask an administrator to make room, then do it again; what was saved before is not touched",
            ),
        )


def is_full(error: BaseException) -> bool:
    """Whether it failed for want of space."""
    if isinstance(error, OSError):
        return error.errno in _ERRNOS
    if not isinstance(error, DBAPIError):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_FULL or getattr(error.orig, "sqlstate", None) == _STATE


def require_space() -> None:
    """That there is some space left.

    Raises:
        DiskFull: less than `LEAST_FREE`.
    """
    if shutil.disk_usage(get_settings().data).free < LEAST_FREE:
        raise DiskFull
