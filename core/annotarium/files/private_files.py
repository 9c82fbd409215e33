"""Makes files of the installation private to the account that runs it, whatever the umask.

Two rules ensure this. Every process begins with `make_new_files_private`, so that new folders get the mode 0700 and new
files 0600. Processes that open the data folder call `protect_data_folder`, which corrects the modes of files created by
older versions or copied from elsewhere. All processes of an installation run under one account, also on several
machines.

Standard library only: the supervisor, which has to stay small, uses it too.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""The mode bits of everybody but the owner."""

_FOLDERS = ("run", "uploads", "models", "images", "exports", "index", "archives")
_FILES = ("annotarium.sqlite*", "secret.key", "installation")


class FolderUnsafe(OSError):
    """Other accounts could replace files in the folder; the text is for the operator."""


def make_new_files_private() -> None:
    """Make new files and folders of this process and its children accessible to its account only."""
    os.umask(OTHERS)


def protect_data_folder(folder: Path) -> str | None:
    """Make a data folder private, if it exists: the folder itself and the files and folders directly in it that are
    ours.

    Deeper files are then unreachable for other accounts. Unknown names in the folder are left alone.

    Returns:
        A warning that names what could not be made private, None if everything is.

    Raises:
        FolderUnsafe: everybody may write in it, and this account cannot or must not change that.
    """
    folder = folder.resolve()
    try:
        facts = folder.stat()
    except FileNotFoundError:
        return None
    own = facts.st_uid == os.geteuid()
    if facts.st_mode & stat.S_IWOTH and (not own or facts.st_mode & stat.S_ISVTX):
        raise FolderUnsafe(
            f"Every account of this machine may write in the folder {folder}, so it cannot be a data folder. "
            "Choose another with --data"
        )
    if not own:
        return (
            f"The data folder {folder} belongs to another account (uid {facts.st_uid}; this process runs as "
            f"{os.geteuid()}), which can read and change everything in it. Run all parts of Annotarium under one "
            f"account that owns the folder: chown -R {os.geteuid()} {folder}"
        )
    still_open = [path for path in (folder, *_known_paths(folder)) if not make_private(path)]
    if not still_open:
        return None
    return f"Other accounts on this machine can read {', '.join(map(str, still_open))}: their modes cannot be changed"


def protect_data_folder_and_warn(folder: Path) -> None:
    """`protect_data_folder` for a process that can only print the warning to standard error."""
    if (warning := protect_data_folder(folder)) is not None:
        sys.stderr.write(f"{warning}\n")


def _known_paths(folder: Path) -> Iterator[Path]:
    yield from (path for name in _FOLDERS if (path := folder / name).is_dir())
    for pattern in _FILES:
        yield from folder.glob(pattern)


def make_private(path: Path) -> bool:
    """Remove access of other accounts; returns whether that succeeded. Symbolic links are left alone."""
    with suppress(FileNotFoundError):  # removed in the meantime
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode) or not mode & OTHERS:
            return True
        try:
            path.chmod(stat.S_IMODE(mode) & ~OTHERS)
        except OSError:
            return False
        return not path.stat().st_mode & OTHERS  # some file systems do not support modes
    return True
