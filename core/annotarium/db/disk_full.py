"""Errors of a full disk."""

from __future__ import annotations

import errno
import shutil
import sqlite3

from sqlalchemy.exc import DBAPIError

from annotarium.errors import ServiceUnavailable
from annotarium.settings import MEBIBYTE, get_settings
from annotarium_schemas.messages import message

_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT})
_STATE = "53100"
MIN_FREE_BYTES = 32 * MEBIBYTE
"""Bytes of free space on the data folder's disk below which the installation is reported as not healthy."""


class DiskFull(ServiceUnavailable):
    """A change could not be stored because the disk is full."""

    def __init__(self) -> None:
        super().__init__(
            message("server.full", "There is no disk space left to save it"),
            cause=message("server.fullCause", "The disk that holds the data is full"),
            fix=message(
                "server.fullFix",
                "Ask an administrator to free disk space, then try again; everything saved before is intact",
            ),
        )


def is_disk_full(error: BaseException) -> bool:
    """Whether the error was caused by a full disk or an exceeded quota."""
    if isinstance(error, OSError):
        return error.errno in _ERRNOS
    if not isinstance(error, DBAPIError):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_FULL or getattr(error.orig, "sqlstate", None) == _STATE


def require_disk_space() -> None:
    """Check that some disk space is left.

    Raises:
        DiskFull: less than `MIN_FREE_BYTES`.
    """
    if shutil.disk_usage(get_settings().data).free < MIN_FREE_BYTES:
        raise DiskFull
