"""Copies all stored data while the server runs. The search index is left out: a start without it rebuilds it."""

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
"""Prefixes or suffixes of the names of temporary files."""


class BackupSummary(NamedTuple):
    """The result of a backup."""

    database: bool
    """Whether the database is included; a database on a server must be backed up with its own tools."""
    files: int
    size: int
    """Bytes copied, the database included."""


def back_up(target: Path) -> BackupSummary:
    """Copy the installation into an empty folder, which can then be used as a data folder.

    The database is copied first, as a consistent snapshot: files it refers to were written before and are copied after
    it.

    Raises:
        Conflict: the folder is not empty, or is inside the data folder.
    """
    settings = get_settings()
    target = target.resolve()
    if target.is_relative_to(settings.data.resolve()):
        raise Conflict("A backup does not lie in what it is a backup of", fix="Choose a folder outside the data folder")
    if target.exists() and any(target.iterdir()):
        raise Conflict(f"The folder {target} is not empty", fix="Choose a new folder")
    target.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    target.chmod(PRIVATE_FOLDER)
    database = get_database()
    name = database.url.database if database.is_sqlite else None
    size = _copy_database(Path(name), target / DATABASE_FILE) if name else 0
    files = 0
    for path in _files_to_copy(settings):
        try:
            size += _copy(path, target / path.relative_to(settings.data))
        except FileNotFoundError:  # removed in the meantime
            continue
        files += 1
    return BackupSummary(database.is_sqlite, files, size)


def _copy_database(source: Path, target: Path) -> int:
    """Copy with SQLite's backup in one step: a consistent snapshot that does not block writers."""
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
    target.chmod(PRIVATE_FILE)  # the source may have been created with wider access by an earlier version
    return target.stat().st_size
