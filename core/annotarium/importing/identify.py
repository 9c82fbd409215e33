"""Detects the type of a file: its first bytes decide, its name only chooses among the types they allow (T10)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from annotarium.content.validation import InvalidContent
from annotarium.importing import archives
from annotarium_schemas.messages import message

TEXT = "text"
ARCHIVE = "zip"
_HEAD = 4096
_SIGNS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "pdf"),
    (b"{\\rtf", "rtf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    (b"PK\x03\x04", ARCHIVE),
    (b"PK\x05\x06", ARCHIVE),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF8", "gif"),
    (b"\x1f\x8b", "gz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x7fELF", "elf"),
    (b"MZ\x90\x00", "exe"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"OggS", "ogg"),
    (b"ID3", "mp3"),
)

_OLE = ("doc", "xls", "ppt", "pps", "msg")
_OLE_TEMPLATES = {"dot": "doc", "xlt": "xls", "pot": "ppt"}
_PACKED = ("docx", "xlsx", "pptx", "ppsx", "odt", "ods", "odp")
_FOREIGN = ("pdf", "rtf", *_OLE, *_PACKED, "zip", "png", "jpg", "jpeg", "gif", "gz", "7z", "rar")
"""Extensions of files that start with a signature. A text file that has one of them is misnamed or damaged."""


@dataclass(frozen=True)
class Identified:
    """`kind` is the extension a converter declares, or `zip` for an archive of files."""

    kind: str


def extension(name: str) -> str:
    """Return the lower-case extension of a file name without the dot; empty when there is none."""
    return PurePosixPath(name).suffix[1:].lower()


def identify(path: Path, name: str) -> Identified:
    """Detect the type of a file.

    Raises:
        InvalidContent: the file is empty, or its content contradicts its name.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise InvalidContent(
            message("file.zero", "The file is empty (0 bytes)"),
            message("fix.checkAndSend", "Check the file and upload it again"),
        )
    claimed = extension(name)
    found = next((kind for sign, kind in _SIGNS if head.startswith(sign)), TEXT)
    if found == "ole":
        return Identified(claimed if claimed in _OLE else _OLE_TEMPLATES.get(claimed, "doc"))
    if found == ARCHIVE:
        inside = archives.office_type(path)
        if inside and claimed in _PACKED and claimed[:2] == inside[:2]:
            return Identified(claimed)  # e.g. a ppsx, which is a pptx with another extension
        return Identified(inside or ARCHIVE)
    if found != TEXT:
        return Identified(claimed if claimed == "jpeg" and found == "jpg" else found)
    if claimed in _FOREIGN:
        raise InvalidContent(
            message("file.misnamed", "The file name says {kind}, but its content is not {kind}", kind=claimed),
            message("fix.misnamed", "Check the file: it may be damaged or misnamed"),
        )
    return Identified(claimed or _text_kind(head))


def _text_kind(head: bytes) -> str:
    """Detect the type of a text file without an extension."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")) or (start.startswith(b"<?xml") and b"<html" in start):
        return "html"
    return "xml" if start.startswith(b"<?xml") else "txt"
