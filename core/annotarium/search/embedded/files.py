"""Paths of index files, and which generation of an index is in use."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}")


def safe_name(name: str) -> str:
    """Return a safe file name for any name: the name itself when it is harmless, else a hash."""
    if _PLAIN.fullmatch(name):
        return name
    return "x." + hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=16).hexdigest()


class IndexFiles:
    """The files of one index: `<root>/<project>/<kind>.sqlite`, later generations `<kind>.<n>.sqlite`.

    `<kind>.generation` contains the number of the one in use (absent: 1). Vectors are in `<kind>.<n>.vectors/`.
    """

    def __init__(self, root: Path, project: str, kind: str) -> None:
        self.folder = root / safe_name(project)
        self.kind = safe_name(kind)
        self._pointer = str(self.folder / f"{self.kind}.generation")

    def live(self) -> int:
        """Return the generation in use."""
        try:
            with open(self._pointer, encoding="ascii") as pointer:
                return int(pointer.read())
        except FileNotFoundError:
            return 1

    def database(self, generation: int) -> Path:
        """Return the path of the SQLite file of a generation."""
        middle = "" if generation == 1 else f".{generation}"
        return self.folder / f"{self.kind}{middle}.sqlite"

    def vectors(self, generation: int) -> Path:
        """Return the path of the folder with vector files of a generation."""
        return self.folder / f"{self.kind}.{generation}.vectors"

    def generations(self) -> list[int]:
        """Return the generations that have a file, ascending."""
        found = [1] if self.database(1).exists() else []
        for path in self.folder.glob(f"{self.kind}.*.sqlite"):
            number = path.name[len(self.kind) + 1 : -len(".sqlite")]
            if number.isdigit():
                found.append(int(number))
        return sorted(found)

    def point_to(self, generation: int) -> None:
        """Put a generation into use, atomically for all processes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        descriptor, path = tempfile.mkstemp(dir=self.folder, prefix=f"{self.kind}.pointer.")
        with os.fdopen(descriptor, "w", encoding="ascii") as pointer:
            pointer.write(str(generation))
            pointer.flush()
            os.fsync(pointer.fileno())
        os.replace(path, self._pointer)

    def remove(self, generation: int) -> None:
        """Delete the files of a generation. Processes that have them open keep reading the old state."""
        path = self.database(generation)
        for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm"), path.with_suffix(".waiting")):
            name.unlink(missing_ok=True)
        shutil.rmtree(self.vectors(generation), ignore_errors=True)
