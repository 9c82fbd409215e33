"""Writes zip archives as a stream: written bytes can be sent immediately; only the central directory stays in memory.

The counterpart of `importing.archives`, which reads them. Members have a fixed date, so that equal content gives equal
bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


class _ZipBuffer:
    """A write-only file that keeps the written bytes in memory until they are taken."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.waiting = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self.waiting += len(data)
        return len(data)

    def flush(self) -> None:
        """Nothing to do; required by `ZipFile`."""

    def take(self) -> bytes:
        parts, self._parts, self.waiting = self._parts, [], 0
        return b"".join(parts)


class MemberWriter:
    """A member of the archive that is being written; counts and hashes its bytes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)

    def facts(self) -> dict[str, str | int]:
        """`{"sha256": ..., "size": ...}`, with the size in bytes."""
        return {"sha256": self._hash.hexdigest(), "size": self.size}


class ArchiveWriter:
    """Writes an archive member by member.

        archive = ArchiveWriter()
        with archive.member("a.txt") as member:
            member.write(b"...")
            yield archive.take()
        archive.close()
        yield archive.take()

    Attributes:
        files: `MemberWriter.facts` of each finished member, by name.
    """

    def __init__(self) -> None:
        self._sink = _ZipBuffer()
        self._zip = ZipFile(cast(IO[bytes], self._sink), "w")
        self.files: dict[str, dict[str, str | int]] = {}

    @contextmanager
    def member(self, name: str, *, compressed: bool = True) -> Iterator[MemberWriter]:
        """Add a file, one at a time. Use `compressed=False` for files that are already compressed."""
        info = ZipInfo(name, date_time=_FIXED_DATE)
        info.compress_type = ZIP_DEFLATED if compressed else ZIP_STORED
        info.external_attr = 0o100644 << 16
        with self._zip.open(info, "w", force_zip64=True) as file:
            writer = MemberWriter(file)
            yield writer
        self.files[name] = writer.facts()

    @property
    def waiting(self) -> int:
        """Number of bytes that can be taken."""
        return self._sink.waiting

    def take(self) -> bytes:
        """The bytes written since the last call."""
        return self._sink.take()

    def close(self) -> None:
        """Write the central directory."""
        self._zip.close()
