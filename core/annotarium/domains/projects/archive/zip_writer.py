"""Writes zip archives as a stream: what is written can be sent at once, nothing is held but the table of contents.

The counterpart of `archives`, which reads them. Members carry a fixed date, so that equal content makes equal bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


class _ZipBuffer:
    """A file that can only be written: bytes wait in memory until they are taken."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.waiting = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self.waiting += len(data)
        return len(data)

    def flush(self) -> None:
        """Nothing to do."""

    def take(self) -> bytes:
        parts, self._parts, self.waiting = self._parts, [], 0
        return b"".join(parts)


class MemberWriter:
    """One file of the archive; counts and hashes what passes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        """Add bytes."""
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)

    def facts(self) -> dict[str, str | int]:
        """`{"sha256": ..., "size": ...}`; sizes are bytes."""
        return {"sha256": self._hash.hexdigest(), "size": self.size}


class ArchiveWriter:
    """An archive in the making.

        archive = ArchiveWriter()
        with archive.member("a.txt") as member:
            member.write(b"...")
            yield archive.take()
        archive.close()
        yield archive.take()

    Attributes:
        files: facts of each finished member, by name.
    """

    def __init__(self) -> None:
        self._sink = _ZipBuffer()
        self._zip = ZipFile(cast(IO[bytes], self._sink), "w")
        self.files: dict[str, dict[str, str | int]] = {}

    @contextmanager
    def member(self, name: str, *, compressed: bool = True) -> Iterator[MemberWriter]:
        """Add a file, one at a time. `compressed=False` for what is compressed already."""
        info = ZipInfo(name, date_time=_FIXED_DATE)
        info.compress_type = ZIP_DEFLATED if compressed else ZIP_STORED
        info.external_attr = 0o100644 << 16
        with self._zip.open(info, "w", force_zip64=True) as file:
            writer = MemberWriter(file)
            yield writer
        self.files[name] = writer.facts()

    @property
    def waiting(self) -> int:
        """Bytes that can be taken."""
        return self._sink.waiting

    def take(self) -> bytes:
        """What was written since the last time."""
        return self._sink.take()

    def close(self) -> None:
        """Write the table of contents."""
        self._zip.close()
