"""The only reader of zip archives. Members are streamed to temporary files, never extracted under their own names.

Declared sizes are not trusted: bytes are counted while they are inflated. Every error of the zip library is translated
into a message; a member that cannot be read does not stop the others.
"""

from __future__ import annotations

import lzma
import os
import stat
import struct
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from annotarium.content.validation import InvalidContent, check_text
from annotarium_schemas.messages import message

_METHODS = (ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA)
_ZIP_ERRORS = (BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)
_CHUNK = 1 << 20
_DIRECTORY_BYTES = 256 << 20
"""Largest central directory that is read, because `zipfile` holds it in memory."""
_RATIO_THRESHOLD_BYTES = 10 << 20
"""The inflation ratio usually counts from this many inflated bytes on: small files of blanks are harmless."""
MAKE_AGAIN_FIX = message("fix.archiveAgain", "Create the archive again and upload it again")
MAKE_SMALLER_FIX = message("fix.smallerArchives", "Create smaller archives")
SEND_FILES_FIX = message("fix.sendFiles", "Upload the files themselves")
ITS_NAME = message("what.itsName", "Its name")
_LOCAL_HEADER = 30
_CLUTTER = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
_MIME_TYPES = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
}
_OFFICE_FOLDERS = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}


@dataclass(frozen=True)
class ArchiveLimits:
    """Maximum of entries, of inflated bytes in total, and of inflated bytes per packed byte.

    The ratio is only checked from `ratio_from` inflated bytes on.
    """

    entries: int
    bytes: int
    ratio: int
    ratio_from: int = _RATIO_THRESHOLD_BYTES


@dataclass(frozen=True)
class Member:
    """A file of the archive. `name` is metadata only; the file at `path` exists until the next member is requested."""

    name: str
    path: Path


@dataclass(frozen=True)
class UnreadArchiveMember:
    """A member that was not read, with the reason."""

    name: str
    message: str
    fix: str | None = None


@contextmanager
def _opened(path: Path) -> Iterator[ZipFile]:
    try:
        _check_central_directory(path)
        archive = ZipFile(path)
    except _ZIP_ERRORS as error:
        raise InvalidContent(message("archive.damaged", "The archive is damaged or cut off"), MAKE_AGAIN_FIX) from error
    with archive:
        yield archive


def _check_central_directory(path: Path) -> None:
    """Refuse a central directory that is too large to hold in memory, before `zipfile` reads it."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 65_557))
        tail = file.read()
    offset = tail.rfind(b"PK\x05\x06")
    if offset < 0 or len(tail) < offset + 22:
        raise BadZipFile("no end record")
    (directory,) = struct.unpack_from("<I", tail, offset + 12)
    if directory == 0xFFFFFFFF:
        zip64_offset = tail.rfind(b"PK\x06\x06", 0, offset)
        if zip64_offset < 0 or len(tail) < zip64_offset + 56:
            raise BadZipFile("no long end record")
        (directory,) = struct.unpack_from("<Q", tail, zip64_offset + 40)
    if directory > _DIRECTORY_BYTES:
        raise InvalidContent(
            message("archive.contents", "The archive's table of contents is too large"), MAKE_SMALLER_FIX
        )


def office_type(path: Path) -> str | None:
    """Return `docx`, `odt`, ... for an office document, None for an archive of files.

    Raises:
        InvalidContent: the archive cannot be opened.
    """
    with _opened(path) as archive:
        names = archive.namelist()
        if names and names[0] == "mimetype":
            try:
                with archive.open("mimetype") as file:
                    return _MIME_TYPES.get(file.read(100).strip().removesuffix(b"-template"))
            except _ZIP_ERRORS as error:
                raise InvalidContent(message("file.isDamaged", "The file is damaged")) from error
        if "[Content_Types].xml" not in names:
            return None
        for folder, kind in _OFFICE_FOLDERS.items():
            if any(name.startswith(folder) for name in names):
                return kind
        return None


def read_small_member(path: Path, name: str, limit: int) -> bytes | None:
    """Return the bytes of one small file of an archive, None when the archive has no such file.

    Args:
        limit: largest allowed size in bytes.

    Raises:
        InvalidContent: the archive cannot be read, or the file exceeds the limit.
    """
    with _opened(path) as archive:
        try:
            info = archive.getinfo(name)
        except KeyError:
            return None
        try:
            with archive.open(info) as file:
                data = file.read(limit + 1)
        except _ZIP_ERRORS as error:
            raise InvalidContent(
                message("archive.memberDamaged", "{name} is damaged", name=_printable_name(name)), MAKE_AGAIN_FIX
            ) from error
        if len(data) > limit:
            raise InvalidContent(
                message(
                    "archive.memberLarge", "{name} is over {count:,} bytes", name=_printable_name(name), count=limit
                )
            )
        return data


def read_members(path: Path, folder: Path, limits: ArchiveLimits) -> Iterator[Member | UnreadArchiveMember]:
    """Yield the files of an archive in its order. Folders and files that file managers add are skipped.

    Args:
        folder: where the members are unpacked, one at a time.

    Raises:
        InvalidContent: the archive cannot be read, exceeds a limit, has overlapping entries, or contains no file.
    """
    with _opened(path) as archive:
        infos = archive.infolist()
        _check_archive_limits(infos, limits, path.stat().st_size)
        budget = _UnpackingBudget(limits)
        seen: set[str] = set()
        found = False
        for info in infos:
            if info.is_dir() or _is_file_manager_metadata(info.filename):
                continue
            found = True
            problem = _problem(info) or ("The archive holds two files of this name" if info.filename in seen else None)
            seen.add(info.filename)
            if problem is not None:
                yield UnreadArchiveMember(_printable_name(info.filename), problem)
                continue
            yield from _unpack_member(archive, info, folder, budget)
        if not found:
            raise InvalidContent(
                message("archive.empty", "The archive contains no files: there is nothing to import"),
                message("fix.putFiles", "Add files to the archive"),
            )


def _check_archive_limits(infos: list[ZipInfo], limits: ArchiveLimits, size: int) -> None:
    if len(infos) > limits.entries:
        raise InvalidContent(
            message(
                "archive.entries",
                "The archive has {number:,} entries; at most {count:,} are allowed",
                number=len(infos),
                count=limits.entries,
            ),
            MAKE_SMALLER_FIX,
        )
    declared = sum(info.file_size for info in infos)
    if declared > limits.bytes:
        raise InvalidContent(
            message(
                "archive.unpacks",
                "The archive unpacks to {number:,} bytes; at most {count:,} are allowed",
                number=declared,
                count=limits.bytes,
            ),
            MAKE_SMALLER_FIX,
        )
    if declared > max(limits.ratio_from, size * limits.ratio):
        raise InvalidContent(
            message("archive.ratio", "The archive unpacks to more than {count:,} times its size", count=limits.ratio),
            SEND_FILES_FIX,
        )
    ordered = sorted(infos, key=lambda info: info.header_offset)
    for info, following in pairwise(ordered):
        if info.header_offset + _LOCAL_HEADER + info.compress_size > following.header_offset:
            raise InvalidContent(
                message("archive.overlap", "The entries of the archive overlap: it was tampered with"), MAKE_AGAIN_FIX
            )


def _is_file_manager_metadata(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return any(part in _CLUTTER for part in parts)


def _printable_name(name: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in name)[:200]


def _problem(info: ZipInfo) -> str | None:
    name = info.filename.replace("\\", "/")
    mode = info.external_attr >> 16
    if mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode):
        return message("archive.link", "It is a link or a device, not a file: skipped")
    if name.startswith("/") or (len(name) > 1 and name[1] == ":") or ".." in PurePosixPath(name).parts:
        return message("archive.pointsOutside", "Its name points outside the archive: skipped")
    try:
        check_text(info.filename, ITS_NAME)
    except InvalidContent as error:
        return error.message
    if info.flag_bits & 0x1:
        return message("archive.encrypted", "It is encrypted: upload it without a password")
    if info.compress_type not in _METHODS:
        words = "It is compressed with an unknown method ({method}): make it an ordinary zip"
        return message("archive.method", words, method=info.compress_type)
    return None


class _UnpackingBudget:
    """Counts the inflated bytes of an archive against its limits."""

    def __init__(self, limits: ArchiveLimits) -> None:
        self._limits = limits
        self._total = 0

    def take(self, count: int, member: int, packed: int) -> None:
        """Count `count` more bytes, where `member` bytes of this member are inflated so far.

        Raises:
            InvalidContent: a limit is exceeded.
        """
        self._total += count
        if self._total > self._limits.bytes:
            raise InvalidContent(
                message("archive.bytes", "The archive unpacks to more than {count:,} bytes", count=self._limits.bytes),
                MAKE_SMALLER_FIX,
            )
        if member > max(self._limits.ratio_from, packed * self._limits.ratio):
            raise InvalidContent(
                message(
                    "archive.memberRatio",
                    "A file in the archive unpacks to more than {count:,} times its size",
                    count=self._limits.ratio,
                ),
                SEND_FILES_FIX,
            )


def _unpack_member(
    archive: ZipFile, info: ZipInfo, folder: Path, budget: _UnpackingBudget
) -> Iterator[Member | UnreadArchiveMember]:
    handle, name = tempfile.mkstemp(dir=folder, prefix="member-")
    path = Path(name)
    try:
        written = 0
        try:
            with os.fdopen(handle, "wb") as target, archive.open(info) as source:
                while chunk := source.read(_CHUNK):
                    written += len(chunk)
                    budget.take(len(chunk), written, info.compress_size)
                    target.write(chunk)
        except _ZIP_ERRORS:
            words = message("archive.doesNotUnpack", "It is damaged and cannot be unpacked")
            yield UnreadArchiveMember(_printable_name(info.filename), words, MAKE_AGAIN_FIX)
            return
        yield Member(_printable_name(info.filename), path)
    finally:
        path.unlink(missing_ok=True)
