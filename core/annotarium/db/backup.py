"""A copy of all that is kept, made while the studio runs. The search index is left out: a start without it makes it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from annotarium.db.database import get_database
from annotarium.errors import Conflict
from annotarium.files.private_files import PRIVATE_FILE, PRIVATE_FOLDER
from annotarium.settings import DATABASE_FILE, Settings, get_settings

_FILES = ("secret.key", "installation")
_TEMPORARY_NAMES = (".part", ".new-", ".secret-", ".installation-", "import-")
"""What names of files in the making hold or begin with."""


class BackupSummary(NamedTuple):
    """What a backup holds."""

    database: bool
    """Whether the database is in it; one on a server is copied by the means of that server."""
    files: int
    size: int
    """Bytes, the database included."""


def back_up(target: Path) -> BackupSummary:
    """Copy the installation into an empty folder, which can then be used as data folder.

    The database comes first, in the state of one moment: what it names was written before and is copied after it.

    Raises:
        Conflict: the folder is not empty, or lies in the data folder.
    """
    settings = get_settings()
    target = target.resolve()
    if target.is_relative_to(settings.data.resolve()):
        raise Conflict("A backup does not lie in what it is a backup of", fix="Give a folder outside the data folder")
    if target.exists() and any(target.iterdir()):
        raise Conflict(f"The folder {target} is not empty", fix="Give a new folder")
    target.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    target.chmod(PRIVATE_FOLDER)
    database = get_database()
    name = database.url.database if database.is_sqlite else None
    size = _copy_database(Path(name), target / DATABASE_FILE) if name else 0
    files = 0
    for path in _files_to_copy(settings):
        try:
            size += _copy(path, target / path.relative_to(settings.data))
        except FileNotFoundError:  # removed meanwhile
            continue
        files += 1
    return BackupSummary(database.is_sqlite, files, size)


def _copy_database(source: Path, target: Path) -> int:
    """By SQLite itself, in one step: it reads one state and nobody who writes has to wait."""
    with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(target)) as copy:
        database.backup(copy)
    return target.stat().st_size


def _files_to_copy(settings: Settings) -> Iterator[Path]:
    folders = (settings.models_folder, settings.images_folder, settings.uploads_folder, settings.exports_folder)
    yield from (path for path in (settings.data / name for name in _FILES) if path.exists())
    for folder in folders:
        for directory, names, files in os.walk(folder):
            names[:] = [name for name in names if not _is_temporary(name)]
            yield from (Path(directory) / name for name in files if not _is_temporary(name))


def _is_temporary(name: str) -> bool:
    return name.startswith(_TEMPORARY_NAMES) or name.endswith(_TEMPORARY_NAMES)


def _copy(source: Path, target: Path) -> int:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
    target.chmod(PRIVATE_FILE)  # the one it was copied from may have been made by a version that cared less
    return target.stat().st_size
