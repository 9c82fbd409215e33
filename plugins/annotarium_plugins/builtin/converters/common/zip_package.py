"""Reads zipped packages (docx, odt, ...) for all converters. Members are decompressed in memory, within limits.

Declared sizes are not trusted: bytes are counted while they are decompressed. All errors of the library are translated.
"""

from __future__ import annotations

import io
import posixpath
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from annotarium_plugins.builtin.converters.common.errors import damaged_file, password_protected, too_large
from annotarium_plugins.builtin.converters.common.xml_reader import Element, attribute, parse_xml
from annotarium_schemas.messages import message

MEBIBYTE = 1 << 20
MEMBERS = 20_000
TREE_BYTES = 96 * MEBIBYTE
"""Maximum size of a member that is parsed into a tree in memory."""
TOTAL_BYTES = 512 * MEBIBYTE
RATIO = 500
_RATIO_FROM = 8 * MEBIBYTE
_ERRORS = (
    BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError, KeyError, IndexError, zlib.error,
    struct.error, OverflowError,
)  # fmt: skip


class Package:
    """The members of a package, by name. Create it with `open_package`."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._names = {name.replace("\\", "/").lstrip("/"): name for name in archive.namelist()}
        self._total = 0

    @property
    def names(self) -> list[str]:
        """Return the names in the order of the package."""
        return list(self._names)

    def read(self, name: str, limit: int = TREE_BYTES) -> bytes:
        """Return the bytes of a member.

        Raises:
            ComponentError: it is missing, damaged, encrypted or larger than a limit.
        """
        if name not in self._names:
            raise damaged_file(message("damaged.memberMissing", "It lacks {name}.", name=name))
        info = self._archive.getinfo(self._names[name])
        if info.flag_bits & 0x1:
            raise password_protected()
        parts: list[bytes] = []
        size = 0
        allowed = min(limit, max(_RATIO_FROM, info.compress_size * RATIO), TOTAL_BYTES - self._total)
        try:
            with self._archive.open(info) as file:
                while part := file.read(MEBIBYTE):
                    size += len(part)
                    if size > allowed:
                        raise too_large(
                            f"{name} unpacks to more than {allowed // MEBIBYTE} MB",
                            f"{limit // MEBIBYTE} MB, {RATIO} times its packed size",
                        )
                    parts.append(part)
        except _ERRORS as error:
            raise damaged_file(message("damaged.member", "{name} does not unpack.", name=name)) from error
        self._total += size
        return b"".join(parts)

    def stream(self, name: str) -> io.BytesIO:
        """Return a member as a stream, so that its XML can be parsed incrementally; its bytes are in memory."""
        return io.BytesIO(self.read(name, TOTAL_BYTES // 2))

    def xml(self, name: str) -> Element:
        """Parse a member as XML; raises `ComponentError` as `read` and `parse_xml` do."""
        return parse_xml(self.read(name), name)

    def optional_xml(self, name: str) -> Element | None:
        """Parse a member as XML, None when there is none."""
        return self.xml(name) if name in self._names else None

    def related(self, name: str) -> dict[str, tuple[str, str]]:
        """Return the relationships of a part (`""` = the package): id -> (last segment of the type, name of the
        target).

        Targets outside the package are left out, because nothing is ever fetched.
        """
        folder, base = posixpath.split(name)
        tree = self.optional_xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        found = {}
        for one in tree if tree is not None else ():
            target, kind = attribute(one, "Target"), attribute(one, "Type")
            if target and kind and attribute(one, "TargetMode") != "External":
                path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
                found[attribute(one, "Id") or ""] = (kind.rpartition("/")[2], posixpath.normpath(path))
        return found

    def part(self, name: str, kind: str) -> str | None:
        """Return the name of the first existing part that `name` references as `kind`."""
        targets = (target for one, target in self.related(name).values() if one == kind)
        return next((target for target in targets if target in self._names), None)


@contextmanager
def open_package(path: Path) -> Iterator[Package]:
    """Open a package and close it afterwards.

    Raises:
        ComponentError: it is not a zip file, damaged, or has too many members.
    """
    try:
        archive = ZipFile(path)
    except _ERRORS as error:
        raise damaged_file(message("damaged.contents", "Its table of contents cannot be read.")) from error
    with archive:
        if len(archive.namelist()) > MEMBERS:
            raise too_large(message("large.parts", "The file contains too many parts"), f"{MEMBERS}")
        yield Package(archive)
